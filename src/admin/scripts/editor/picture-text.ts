// Chosen pictures as Markdown.

import { inMarkdown } from './describe-image.ts'
import type { PickedPicture } from './picture-picker.ts'

/** Each picture in a paragraph of its own, in the order of choice. */
export const picturesText = (pictures: readonly PickedPicture[]): string =>
  pictures.map(({ path, alt }) => `![${inMarkdown(alt)}](${path})`).join('\n\n')
