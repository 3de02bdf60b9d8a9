// A picture as the text names it.

/** The parts of a picture in Markdown. */
export interface WrittenPicture {
  readonly src: string
  readonly alt: string
  readonly caption: string
}

/** A picture with its place in the text. */
export interface PlacedPicture extends WrittenPicture {
  readonly from: number
  readonly to: number
  /** True if nothing else is in its line. */
  readonly isAlone: boolean
}

const ownMedia = /^\/media\/[\w./%~-]+$/

/** True for the address of a file in the site's media library. */
export const isOwnMedia = (src: string): boolean => ownMedia.test(src) && !src.includes('..') && !src.includes('//')
