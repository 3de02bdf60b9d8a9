// The bar below the list of entries with the bulk actions. It needs no script; every button is a value of one form.

import { content } from '../../actions/content/index.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import { sentenceOf } from '../failure.ts'
import { csrfField } from '../form.ts'
import type { Refused } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { faultOf, refusedId } from '../parts/fields.ts'
import { listAddress } from '../parts/list-address.ts'
import { selectionBar } from '../parts/table.ts'
import { adminPaths } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import type { Words } from '../words.ts'

/** The id of the form, and the purpose in its token. */
export const bulkForm = 'bulk-content'

/** The bulk actions with a field for a value. Each field has the name of its button. */
const given = { term: 'content.term', author: 'content.author' } as const

/** The field next to the refused button. */
export const refusedField = ({ fields }: Refused): string | undefined =>
  Object.keys(given).find((name) => name === fields?.get('do'))

function field(t: Words, name: keyof typeof given, placeholder: string, refused: Refused): Html {
  const value = refused.fields?.get(name) ?? ''
  const fault = refusedField(refused) === name && refused.failure ? sentenceOf(refused.failure, t) : undefined
  const about = { name, label: t(given[name]), fault }
  return html`<label class="inline"
      >${about.label}
      <input
        name="${name}"
        value="${value}"
        placeholder="${placeholder}"
        maxlength="254"
        autocomplete="off"
        ${refusedId(about)} /></label
    >${faultOf(about, value)}`
}

/** @param trashed true if the list shows the trash */
export function bulkBar(visit: SignedIn, trashed: boolean, refused: Refused): Html {
  const { t } = visit
  const buttons = trashed
    ? html`<button name="do" value="restore">${t('content.restore')}</button>
        ${mayRun(visit, content.purge) && html`<button class="danger" name="do" value="purge">${t('content.delete_for_ever')}</button>`}`
    : html`<button name="do" value="publish">${t('content.publish')}</button>
        <button name="do" value="unpublish">${t('content.unpublish')}</button>
        ${field(t, 'term', 'tag/news', refused)}
        <button name="do" value="term">${t('content.add_term')}</button>
        ${field(t, 'author', 'name@example.org', refused)}
        <button name="do" value="author">${t('content.set_author')}</button>
        <button class="danger" name="do" value="trash">${t('content.trash_button')}</button>`
  return selectionBar(
    bulkForm,
    listAddress(visit.request, adminPaths.content).with({}),
    html`${csrfField(visit, bulkForm)}${buttons}`,
  )
}
