// A field that refers to something. The chosen objects are shown below it with title and picture. A part of a name in the field
// finds objects, and a button for each puts it into the field. Without script the form makes a round trip and keeps its values.

import { attribute, html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import { partsOf } from '../form.ts'
import { areaField, type Field, textField } from '../parts/fields.ts'
import type { SignedIn } from '../visit.ts'
import type { Words } from '../words.ts'
import { textIn, type Values } from './form-parts.ts'
import { findReferences, namedReference, type Reference, type ReferenceName } from './references.ts'

/** The kind of object that a field of the form refers to. */
export interface ReferenceSpec {
  readonly kind: ReferenceName
  readonly many?: boolean
  readonly of?: string | undefined
}

/** The specifications by the names of the form. */
export type ReferenceSpecs = ReadonlyMap<string, ReferenceSpec>

/** The results of a search in a field. */
export interface FoundChoices {
  readonly name: string
  readonly words: string
  readonly items: readonly Reference[]
}

/** The data that is shown next to the reference fields. */
export interface ReferenceView {
  readonly specs: ReferenceSpecs
  /** The chosen objects, by the text of the form that names them. */
  readonly chosen: ReadonlyMap<string, readonly Reference[]>
  readonly found?: FoundChoices | undefined
}

const linesOf = (text: string): readonly string[] => partsOf(text, '\n')

/** The most objects that one field shows. */
const maxChosen = 20

export async function referenceView(
  visit: SignedIn,
  specs: ReferenceSpecs,
  values: Values,
  found: FoundChoices | undefined,
): Promise<ReferenceView> {
  const chosen = await Promise.all(
    [...specs].map(async ([name, { kind }]) => {
      const refs = linesOf(textIn(values, name)).slice(0, maxChosen)
      const things = await Promise.all(refs.map((ref) => namedReference(visit, kind, ref)))
      return [name, things.filter((one) => one !== undefined)] as const
    }),
  )
  return { specs, chosen: new Map(chosen), found }
}

/** Searches for the last line of a field. */
export async function findForField(
  visit: SignedIn,
  specs: ReferenceSpecs,
  values: Values,
  name: string,
): Promise<FoundChoices | undefined> {
  const spec = specs.get(name)
  if (!spec) return undefined
  const last = linesOf(textIn(values, name)).at(-1) ?? ''
  // A field that names an object already shows other objects.
  const words = last !== '' && (await namedReference(visit, spec.kind, last)) ? '' : last
  return { name, words, items: await findReferences(visit, spec.kind, { words: words.slice(0, 100), of: spec.of }) }
}

/**
 * The values after a search result was chosen. It replaces the words of the search.
 * @param choice `name value`, as the button has it
 */
export async function withChoice(visit: SignedIn, specs: ReferenceSpecs, values: Values, choice: string): Promise<Values> {
  const [name = '', value = ''] = choice.split(/ (.*)/s)
  const spec = specs.get(name)
  if (!spec) return values
  const lines = linesOf(textIn(values, name))
  const last = lines.at(-1)
  const kept = last !== undefined && (await namedReference(visit, spec.kind, last)) ? lines : lines.slice(0, -1)
  return new Map([...values, [name, [spec.many ? [...new Set([...kept, value])].join('\n') : value]]])
}

/** The field. @param view the references of the whole form */
export function referenceField(t: Words, field: Field, { specs, chosen, found }: ReferenceView): Html {
  const { name, label } = field
  const spec = specs.get(name)
  const things = chosen.get(name) ?? []
  const mine = found?.name === name ? found : undefined
  return html`<div
    class="reference"
    id="r-${name}"
    data-kind="${spec?.kind}"
    ${attribute('data-of', spec?.of)}
    ${attribute('data-many', spec?.many ? 'yes' : undefined)}
  >
    ${spec?.many ? areaField({ ...field, rows: 3 }) : textField(field)}
    <ul class="chosen">
      ${things.map((one) => html`<li>${shown(one)}</li>`)}
    </ul>
    <button class="small" name="do" value="find ${name}" formnovalidate>
      ${t('content.find')}<span class="unseen"> ${label}</span>
    </button>
    <div class="found" role="group" aria-label="${t('content.found', { label })}">${mine && results(t, mine)}</div>
  </div>`
}

const results = (t: Words, { name, words, items }: FoundChoices): HtmlValue =>
  items.length === 0
    ? html`<p class="quiet">${t('content.found_nothing', { words })}</p>`
    : items.map(
        (one) =>
          html`<button class="choice-button" name="do" value="pick ${name} ${one.value}" formnovalidate>${shown(one)}</button>`,
      )

const shown = ({ title, note, image }: Reference): Html =>
  html`${image !== undefined && html`<img src="${image}" alt="" loading="lazy" />`}<span
      >${title}${note !== '' && note !== title && html` <small>${note}</small>`}</span
    >`
