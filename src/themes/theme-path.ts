// The allowed files of a theme: their paths, kinds and sizes. A path has no dots except before extensions, no backslash and no
// letter that file systems fold (attack 101).

import { isObject, parseObject } from '../base/json.ts'
import { Failure, invalid } from '../base/failure.ts'

/** The media types of assets by extension. Kinds in which a browser runs scripts are `js` and `svg` (see `scripts.ts`). */
const assetTypes: Readonly<Record<string, { readonly type: string; readonly binary: boolean }>> = {
  css: { type: 'text/css; charset=utf-8', binary: false },
  js: { type: 'text/javascript; charset=utf-8', binary: false },
  svg: { type: 'image/svg+xml', binary: false },
  txt: { type: 'text/plain; charset=utf-8', binary: false },
  json: { type: 'application/json', binary: false },
  png: { type: 'image/png', binary: true },
  jpg: { type: 'image/jpeg', binary: true },
  jpeg: { type: 'image/jpeg', binary: true },
  gif: { type: 'image/gif', binary: true },
  webp: { type: 'image/webp', binary: true },
  avif: { type: 'image/avif', binary: true },
  ico: { type: 'image/x-icon', binary: true },
  woff2: { type: 'font/woff2', binary: true },
  woff: { type: 'font/woff', binary: true },
}

export const maxPathLength = 120
const part = '[a-z0-9](?:[a-z0-9_-]{0,60}[a-z0-9])?'
/** The pattern of the slugs of themes. */
export const themeSlugPattern = '^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$'

const places: readonly RegExp[] = [
  /^theme\.json$/,
  new RegExp(`^(?:partials/)?${part}\\.liquid$`),
  /^locales\/[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})?\.json$/,
  new RegExp(`^assets/(?:${part}/){0,3}${part}(?:\\.[a-z0-9]{1,8})?\\.(?:${Object.keys(assetTypes).join('|')})$`),
]

export const fileLimits = {
  textBytes: 256 * 1024,
  binaryBytes: 1024 * 1024,
  /** All files of a theme, as they are stored. */
  themeBytes: 12 * 1024 * 1024,
  files: 300,
} as const

/** The longest `text`, for any kind of file. */
export const maxTextLength = 1_400_000

export const isThemePath = (path: string): boolean => path.length <= maxPathLength && places.some((place) => place.test(path))

const extensionOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

/** True if the file's text is base64. */
export const isBinary = (path: string): boolean => path.startsWith('assets/') && assetTypes[extensionOf(path)]?.binary === true

export const assetTypeOf = (path: string): string => assetTypes[extensionOf(path)]?.type ?? 'application/octet-stream'

/** @throws Failure `invalid` for a path that no theme has */
export function checkThemePath(path: string): void {
  if (isThemePath(path)) return
  throw invalid(
    'file',
    `${JSON.stringify(path.slice(0, maxPathLength).toWellFormed())} is no file of a theme.`,
    `theme.json, NAME.liquid, partials/NAME.liquid, locales/de.json, or a file below assets/ that ends in ${Object.keys(assetTypes).join(', ')}; names are lower-case letters, digits, hyphens and underscores`,
  )
}

/** Checks the text of a file. @throws Failure `too_large`; `unprocessable` for text that its kind of file can't have */
export function checkFileText(path: string, text: string): void {
  const binary = isBinary(path)
  if (binary && !/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    throw new Failure('unprocessable', `${path} is not base64.`, { field: 'text', expected: 'the bytes of the file in base64' })
  const bytes = binary ? Math.floor((text.length * 3) / 4) : Buffer.byteLength(text)
  const limit = binary ? fileLimits.binaryBytes : fileLimits.textBytes
  if (bytes > limit) throw new Failure('too_large', `${path} may have at most ${limit / 1024} KiB.`, { field: 'text', limit })
  if (path.startsWith('locales/')) checkLocale(path, text)
}

function checkLocale(path: string, text: string): void {
  const table = parseObject(text)
  const good =
    table !== undefined &&
    Object.values(table).every(
      (message) =>
        typeof message === 'string' || (isObject(message) && Object.values(message).every((form) => typeof form === 'string')),
    )
  if (good) return
  throw new Failure('unprocessable', `${path} is not a table of messages.`, {
    field: 'text',
    expected: '{"key": "text"}, or {"key": {"one": "text", "other": "text"}} for plurals',
  })
}
