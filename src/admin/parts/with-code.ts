// Sentences of the registry, in which code stands between backticks, as markup.

import { html, type Html } from '../../doors/html.ts'

/** A sentence whose parts between backticks are shown as code. */
export const withCode = (sentence: string): Html =>
  html`${sentence.split('`').map((part, place) => (place % 2 === 1 ? html`<code>${part}</code>` : part))}`
