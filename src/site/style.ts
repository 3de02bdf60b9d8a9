// The default style sheet as a file of its own, so that no page carries styles and a browser keeps it until it changes.
import { createHash } from 'node:crypto'
import css from './style.css'

/** The text of the style sheet. */
export const stylesheet: string = css

/** The path of the style sheet below the site's base path. It contains a hash of the content, so it may be cached for ever. */
export const stylesheetPath = `/assets/site-${createHash('sha256').update(css).digest('hex').slice(0, 12)}.css`
