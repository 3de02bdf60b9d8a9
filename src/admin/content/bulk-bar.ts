// The bar below the list of entries: what can be done with the selected ones. It needs no script; every button is a value of one form.

import { purge } from '../../actions/classes/svc-content/purge.ts'
import { html, type Html } from '../../doors/html.ts'
import { csrfField } from '../form.ts'
import { mayRun } from '../navigation.ts'
import { listAddress } from '../parts/list-address.ts'
import { counted, selectionBar } from '../parts/table.ts'
import { adminPaths } from '../paths.ts'
import type { SignedIn } from '../visit.ts'

/** The id of the form, and the purpose for which it is made. */
export const bulkForm = 'bulk-content'

/** What the form did, from `done` in the address: `published-3`. */
export function bulkWords(done: string): string | undefined {
  const [, what = '', count = ''] = /^([a-z-]+?)-(\d{1,3})$/.exec(done) ?? []
  const words = sentences[what]
  return words === undefined ? undefined : `${counted(Number(count), 'entry', 'entries')} ${words}`
}

const sentences: Readonly<Record<string, string>> = {
  published: 'published.',
  unpublished: 'taken off the site. They are drafts now.',
  trashed: 'moved to the trash. The tab “Trash” puts them back.',
  restored: 'put back as drafts.',
  'given-term': 'have the term now.',
  'given-author': 'have the author now.',
  destroyed: 'deleted for ever.',
}

/** @param trashed whether the list shows the trash */
export function bulkBar(visit: SignedIn, trashed: boolean): Html {
  const buttons = trashed
    ? html`<button name="do" value="restore">Put back</button>
        ${mayRun(visit, purge) && html`<button class="danger" name="do" value="purge">Delete for ever…</button>`}`
    : html`<button name="do" value="publish">Publish</button>
        <button name="do" value="unpublish">Unpublish</button>
        <label class="inline"
          >Term
          <input name="term" placeholder="tag/news" maxlength="200" autocomplete="off" />
        </label>
        <button name="do" value="term">Add term</button>
        <label class="inline"
          >Author
          <input name="author" placeholder="name@example.org" maxlength="254" autocomplete="off" />
        </label>
        <button name="do" value="author">Set author</button>
        <button class="danger" name="do" value="trash">Move to the trash</button>`
  return selectionBar(
    bulkForm,
    listAddress(visit.request, adminPaths.content).with({}),
    html`${csrfField(visit, bulkForm)}${buttons}`,
  )
}
