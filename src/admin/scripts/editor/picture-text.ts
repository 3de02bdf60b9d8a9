// Pictures as Markdown.

import type { WrittenPicture } from './live/written-picture.ts'
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

/** One picture. A caption is the title of its address. */
export function pictureText({ src, alt, caption }: WrittenPicture): string {
  const place = /[\s()]/.test(src) ? `<${src}>` : src
  const title = caption === '' ? '' : ` "${caption.replace(/\s+/g, ' ').replace(/["\\]/g, '\\$&')}"`
  return `![${inMarkdown(alt)}](${place}${title})`
}
