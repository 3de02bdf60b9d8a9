// The panel after two people changed the same entry. It shows both versions side by side, and the form below has the visitor's own
// version. Nothing is lost either way: the version that is not chosen becomes a revision.

import type { EntryType } from '../../content/types/entry-types.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import { difference } from '../parts/difference.ts'
import { fieldName } from '../parts/field-names.ts'
import type { MessageKey, Words } from '../words.ts'
import type { Values } from './form-parts.ts'

interface Conflict {
  readonly names: readonly string[]
  /** True if the same person has saved the other version. */
  readonly isOwn: boolean
  readonly stored: Values
  readonly values: Values
  readonly type: EntryType
}

export const conflictTitle = (isOwn: boolean): MessageKey => (isOwn ? 'content.conflict_title_own' : 'content.conflict_title')
export const conflictText = (isOwn: boolean): MessageKey => (isOwn ? 'content.conflict_text_own' : 'content.conflict_text')

const shown = (values: Values, name: string): string => (values.get(name) ?? []).join('\n')

export const conflictPanel = (t: Words, { names, isOwn, stored, values, type }: Conflict): Html =>
  html`<section class="panel attention" id="conflict" tabindex="-1" aria-labelledby="conflict-title">
    <h2 id="conflict-title">${t(conflictTitle(isOwn))}</h2>
    <p>${t(conflictText(isOwn))}</p>
    <dl class="changes">
      ${names.map(
        (name) =>
          html`<div>
            <dt>${fieldName(t, [type], name)}</dt>
            <dd>
              ${difference(t, shown(stored, name), shown(values, name), { before: t(isOwn ? 'content.other_version' : 'content.theirs'), after: t('content.yours') })}
            </dd>
          </div>`,
      )}
    </dl>
    <p class="actions">
      <button form="entry" name="do" value="keep-theirs">
        ${t(isOwn ? 'content.conflict_keep_own' : 'content.conflict_keep')}
      </button>
    </p>
  </section>`
