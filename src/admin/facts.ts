// What is told of a thing on a page, name by name.

import { html, type Html, type HtmlValue } from '../doors/html.ts'

/** A list of names and what stands for each, in their order; a fact that is undefined, null, false or empty isn't told. */
export function factList(facts: Readonly<Record<string, HtmlValue>>): Html {
  const told = Object.entries(facts).filter(
    ([, value]) => value !== undefined && value !== null && value !== false && value !== '',
  )
  return html`<dl>
    ${told.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div> `,
    )}
  </dl>`
}
