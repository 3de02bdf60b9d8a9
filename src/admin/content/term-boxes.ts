// The terms that an entry may have, as checkboxes by taxonomy. A taxonomy with many terms shows the terms of the entry and a text
// field for others.

import { terms } from '../../actions/terms/index.ts'
import { html, type Html, raw } from '../../doors/shared/html.ts'
import { get } from '../page.ts'
import { textField } from '../parts/fields.ts'
import { taxonomyName } from './taxonomy-words.ts'
import type { SignedIn } from '../visit.ts'
import type { Words } from '../words.ts'

/** The most checkboxes of one taxonomy. */
const maxBoxes = 50

interface Taxonomy {
  readonly name: string
  readonly slug: string
  readonly terms: readonly { readonly ref: string; readonly name: string }[]
}

export type TermChoices = readonly Taxonomy[]

export async function listTermChoices(visit: SignedIn, type: string): Promise<TermChoices> {
  const { items } = await get(visit, terms.taxonomies, {})
  const fitting = items.filter(({ types }) => types === null || types.includes(type))
  return Promise.all(
    fitting.map(async ({ slug, name }) => {
      const { items: found } = await get(visit, terms.list, { taxonomy: slug, limit: maxBoxes }, { select: ['ref', 'name'] })
      return { slug, name: taxonomyName(visit.t, { slug, name }), terms: found }
    }),
  )
}

/** @param chosen the ticked terms, as `taxonomy/slug` */
export function termBoxes(t: Words, choices: TermChoices, chosen: readonly string[], fault: string | undefined): Html {
  const known = new Set(choices.flatMap(({ terms }) => terms.map(({ ref }) => ref)))
  const box = (ref: string, name: string) =>
    html`<label class="choice">
      <input type="checkbox" name="terms" value="${ref}" ${chosen.includes(ref) ? raw('checked') : ''} /> <span>${name}</span>
    </label>`
  return html`${choices
    .filter(({ terms }) => terms.length > 0)
    .map(
      ({ name, terms }) =>
        html`<fieldset class="boxes">
          <legend>${name}</legend>
          ${terms.map((term) => box(term.ref, term.name))}
        </fieldset>`,
    )}
  ${chosen.filter((ref) => !known.has(ref)).map((ref) => box(ref, ref))}
  ${textField({ name: 'more_terms', label: t('content.other_terms'), help: t('content.other_terms_help'), fault })}`
}
