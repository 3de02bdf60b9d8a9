// The recipe for smaller images: the widths and formats, and the names of the files. A name contains the hashes of the original and
// the recipe, so that browsers and proxies may cache the file for ever.

import { createHash } from 'node:crypto'

/** The version, raised with every change that makes other bytes of the same original. */
const version = 1

/** Widths in pixels. An image is never made wider than it is. */
export const pictureWidths = [320, 640, 1280, 1920] as const

/** The JPEG for mail and for cards in social networks, with a ratio of 1.91 to 1. */
export const cardWidth = 1280
export const cardRatio = 1.91

/** The shapes to which pictures are cropped: width to height. */
export const pictureShapes = { square: 1, '3:2': 3 / 2, '16:9': 16 / 9, '4:5': 4 / 5 } as const

export interface Focus {
  /** From 0 (the left edge) to 1. */
  readonly x: number
  /** From 0 (the top) to 1. */
  readonly y: number
}

export interface Variant {
  readonly name: string
  readonly width: number
  readonly height: number
  /** Media type. */
  readonly type: string
  readonly bytes: number
}

/** The findings of the process for images in a file. */
export interface Inspected {
  readonly kind: string
  readonly width: number
  readonly height: number
  /** A `data:` address; null for images with transparent parts. */
  readonly placeholder: string | null
}

/** The prefix of the names of all files that are made of an original. With it, these facts decide the bytes of the files. */
export function pictureKey(sha256: string, { focus, avif }: { readonly focus: Focus | null; readonly avif: boolean }): string {
  const text = JSON.stringify([version, pictureWidths, focus && [focus.x, focus.y], avif])
  return `${sha256.slice(0, 16)}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
}

/** The key of a file without derived files. */
export const plainKey = (sha256: string): string => `${sha256.slice(0, 16)}-0`

/** The most pixels of an image, in all its frames. */
export const maxPixels = 64 * 1000 ** 2
/** The most frames of an animation. */
export const maxFrames = 300
