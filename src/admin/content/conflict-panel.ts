// Two people changed the same entry. Both versions stand beside each other, and the form below has one's own. Nothing is lost either way: the version
// that does not stay is a revision.

import type { EntryType } from '../../content/entry-types.ts'
import { html, type Html } from '../../doors/html.ts'
import { difference } from '../parts/difference.ts'
import type { Values } from './entry-values.ts'
import { nameOfField } from './kind-controls.ts'

interface Conflict {
  readonly names: readonly string[]
  readonly stored: Values
  readonly values: Values
  readonly type: EntryType
}

const shown = (values: Values, name: string): string => (values.get(name) ?? []).join('\n')

const labels: Readonly<Record<string, string>> = {
  body: 'Text',
  more_terms: 'Terms',
  published_at: 'Published',
  unpublish_at: 'Off the site',
}

const labelOf = (name: string, type: EntryType): string => {
  const field = type.fields.find((one) => nameOfField(one) === name)
  const words = labels[name] ?? name.replace(/[._]/g, ' ')
  return field ? (field.label ?? field.name) : words[0]?.toUpperCase() + words.slice(1)
}

export const conflictPanel = ({ names, stored, values, type }: Conflict): Html =>
  html`<section class="panel attention" id="conflict" aria-labelledby="conflict-title">
    <h2 id="conflict-title">Somebody else saved this entry meanwhile</h2>
    <p>
      On the left is what they saved, on the right what you wrote. Change the form below as it should be and save it again, or
      keep theirs. The other version stays among the revisions.
    </p>
    <dl class="changes">
      ${names.map(
        (name) =>
          html`<div>
            <dt>${labelOf(name, type)}</dt>
            <dd>${difference(shown(stored, name), shown(values, name), { before: 'Theirs', after: 'Yours' })}</dd>
          </div>`,
      )}
    </dl>
    <p class="actions">
      <button form="entry" name="do" value="keep-theirs">Keep theirs, and mine as a revision</button>
    </p>
  </section>`
