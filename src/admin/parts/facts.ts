// The names and values of an object, as a description list.

import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'

/** A list of names and values, in order. A value that is undefined, null, false or empty is left out with its name. */
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
