// The default style sheet as a file of its own, so that no page carries styles and a browser keeps it until it changes.
import { createHash } from 'node:crypto'
import css from './style.css'

/** The style sheet's text, to be served as `text/css; charset=utf-8`. */
export const stylesheet: string = css

/** Its path below the site's base path; it names its content, so it may be cached for ever. */
export const stylesheetPath = `/assets/site-${createHash('sha256').update(css).digest('hex').slice(0, 12)}.css`
