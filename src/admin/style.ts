// The admin's style sheet as a file of its own: no page carries styles, and a browser keeps it until it changes.

import { createHash } from 'node:crypto'
import css from './style.css'

/** Its text, to be served as `text/css; charset=utf-8`. */
export const stylesheet: string = css

/** Its path below the base path; it names its content, so it may be cached for ever. */
export const stylesheetPath = `/assets/admin-${createHash('sha256').update(css).digest('hex').slice(0, 12)}.css`
