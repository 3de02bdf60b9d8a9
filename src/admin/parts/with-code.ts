// Sentences with code between backticks, as markup.

import { html, type Html } from '../../doors/shared/html.ts'

/** Shows the parts of a sentence between backticks as code. */
export const withCode = (sentence: string): Html =>
  html`${sentence.split('`').map((part, place) => (place % 2 === 1 ? html`<code>${part}</code>` : part))}`
