// The file form of entries and skills: Markdown with front matter. Its parser is large and often not needed, so it is loaded late.

import { createLate } from '../../base/late.ts'

/** The limit of the fields is low because the parser's time grows with the square of the input. */
export const maxFieldsChars = 16_384

/** The module that splits and makes such files. */
export const frontMatter = createLate(() => import('./front-matter.ts'))
