// A part of a page with a heading, and the list of lines that many parts have.

import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'

/** A part of a page. @param id of the heading, which labels the part */
export const panel = (id: string, title: HtmlValue, content: HtmlValue, className = 'panel'): Html =>
  html`<section class="${className}" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section>`

/** A list with one item per line. */
export const lineList = (items: readonly HtmlValue[], className = 'lines'): Html =>
  html`<ul class="${className}">
    ${items.map((item) => html`<li>${item}</li>`)}
  </ul>`
