// The admin's style sheet as its own file, which browsers cache until it changes.

import { createHash } from 'node:crypto'
import css from './style.css'

/** Its text, served as `text/css; charset=utf-8`. */
export const stylesheet: string = css

/** Its path below the base path. The path has a hash of the content, so it may be cached for ever. */
export const stylesheetPath = `/assets/admin-${createHash('sha256').update(css).digest('hex').slice(0, 12)}.css`
