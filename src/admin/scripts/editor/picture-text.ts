// Chosen pictures as Markdown.

import type { PickedPicture } from './picture-picker.ts'

/** A description, escaped for Markdown. */
export const inMarkdown = (alt: string): string =>
  alt
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[[\]\\]/g, '\\$&')

/** Each picture in a paragraph of its own, in the order of choice. */
export const picturesText = (pictures: readonly PickedPicture[]): string =>
  pictures.map(({ path, alt }) => `![${inMarkdown(alt)}](${path})`).join('\n\n')
