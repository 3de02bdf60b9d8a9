// Pictures of public pages: what a picture is asked for with, and how the browser gets what it requests.

/** The answer of the site's own renderer to one request of the browser. */
export interface Looked {
  status: number
  contentType: string
  body: Buffer | string
  /** The `Content-Security-Policy` of a page. Without it the picture also shows what the policy hides from visitors. */
  policy?: string
}

/**
 * Answers a GET request of the browser, without a cookie and from the public site alone.
 * @param path below the origin, with the query
 */
export type Look = (path: string) => Promise<Looked>

/** The window in which a page is shown, and the limits of its picture. */
export interface Picture {
  /** The width of the window, in pixels: a phone, or a desktop. */
  width: 390 | 1280
  /** True for the colours of `prefers-color-scheme: dark`. */
  dark: boolean
  /** The quality of the JPEG, from 1 to 100. It falls until the picture is small enough. */
  quality: number
  /** The top of the picture, in pixels from the top of the page. */
  offset?: number
  /** The most characters of the picture in base64. */
  maxBytes: number
}

/**
 * Takes a picture of a page as a visitor sees it in the window of a browser.
 * @param origin of the site, with its base path and without a slash at the end
 * @param path of the page below the origin, with its query
 * @param look answers every request of the browser for an address below the origin; all others fail
 * @param who.caller one picture of each caller may wait while another is taken; without it, all such calls are one caller's
 * @param who.signal ends the picture, or its place among those that wait, when the caller leaves
 * @returns the picture with its size in pixels, and the size that it should have had
 * @throws Failure `rate_limited` if a picture of the caller waits already; `unprocessable` for a page that takes too long or too
 * much memory; `unavailable` if Chromium can't be started, or the caller has left
 */
export type TakePicture = (
  origin: string,
  path: string,
  look: Look,
  how: Picture,
  who?: { caller?: string; signal?: AbortSignal },
) => Promise<TakenPicture>

export interface TakenPicture extends Captured {
  mime_type: 'image/jpeg'
  page_height: number
}

/** A picture of a window. It is smaller than the window if it would not fit otherwise. */
export interface Captured {
  base64: string
  /** In pixels. */
  size: Size
  window: Size
}

export interface Size {
  width: number
  height: number
}
