// The admin's style sheet as one file. Browsers cache it until it changes. Its parts are in `styles/`.

import { createHash } from 'node:crypto'
import { fontFaces, fontStack } from '../themes/font-faces.ts'
import { fontFamilies, type FontName } from '../themes/font-families.ts'
import { assetPath } from './paths.ts'
import activity from './styles/activity.css'
import base from './styles/base.css'
import compared from './styles/compared.css'
import editor from './styles/editor.css'
import form from './styles/form.css'
import library from './styles/library.css'
import live from './styles/live.css'
import navigation from './styles/navigation.css'
import page from './styles/page.css'
import screens from './styles/screens.css'
import statistics from './styles/statistics.css'
import table from './styles/table.css'
import text from './styles/text.css'

/** The fonts of the themes, for the samples of pairs. A browser loads a font only for a page that has a text in it. */
const samples = (Object.keys(fontFamilies) as FontName[]).map(
  (name) => `${fontFaces(name, ['normal'], '../..')}\n.font-${name}{font-family:${fontStack(name)}}`,
)

const parts = [base, navigation, page, table, text, form, screens, statistics, activity, library, editor, live, compared]

/** The text, which is served as `text/css; charset=utf-8`. Later parts override earlier ones. */
export const stylesheet: string = parts.concat(samples).join('\n')

/** The path below the base path. It contains a hash of the content, so browsers may cache the file for ever. */
export const stylesheetPath = assetPath(`admin-${createHash('sha256').update(stylesheet).digest('hex').slice(0, 12)}.css`)
