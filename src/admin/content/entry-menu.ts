// What can be done with an entry beside writing it: take it off the site, drop what waits, put it into the trash and take it out again.

import { discard, publish, unpublish } from '../../actions/classes/svc-content/publish.ts'
import { remove, restore } from '../../actions/classes/svc-content/trash.ts'
import { html, type Html, type HtmlValue } from '../../doors/html.ts'
import { csrfField } from '../form.ts'
import { mayRun } from '../navigation.ts'
import { removalForm } from '../parts/removal-form.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { entryPurpose } from './entry-form.ts'
import type { EditedEntry } from './read-entry.ts'

export function entryMenu(visit: SignedIn, item: EditedEntry): HtmlValue {
  const parts = [inTrash(visit, item), takeOff(visit, item), drop(visit, item), trash(visit, item)].filter(Boolean)
  return (
    parts.length > 0 &&
    html`<section class="panel entry-menu" aria-labelledby="more">
      <h2 id="more">More</h2>
      ${parts}
    </section>`
  )
}

const oneButton = (visit: SignedIn, item: EditedEntry, deed: string, label: string, text: string): Html =>
  html`<form method="post" action="${linkTo(visit.request, adminPaths.editEntry)}?id=${item.id}">
    ${csrfField(visit, entryPurpose)}
    <input type="hidden" name="revision" value="${item.revision}" />
    <p>${text}</p>
    <p class="actions"><button name="do" value="${deed}">${label}</button></p>
  </form>`

const inTrash = (visit: SignedIn, item: EditedEntry): HtmlValue =>
  item.status === 'trash' &&
  mayRun(visit, restore) &&
  oneButton(visit, item, 'restore', 'Put back', 'It is in the trash. Visitors do not see it, and it can not be changed.')

const takeOff = (visit: SignedIn, item: EditedEntry): HtmlValue =>
  (item.status === 'published' || item.status === 'scheduled') &&
  mayRun(visit, unpublish) &&
  html`<details>
    <summary>${item.status === 'scheduled' ? 'Take off the schedule' : 'Unpublish'}…</summary>
    ${oneButton(visit, item, 'unpublish', 'Make it a draft', item.status === 'scheduled' ? 'It is not published by itself then.' : 'Visitors no longer find it. The text stays, as a draft.')}
  </details>`

const drop = (visit: SignedIn, item: EditedEntry): HtmlValue =>
  item.staged &&
  mayRun(visit, discard) &&
  mayRun(visit, publish) &&
  html`<details>
    <summary>Drop the waiting changes…</summary>
    ${oneButton(visit, item, 'discard', 'Drop them', 'What visitors see stays. The dropped text is still among the revisions.')}
  </details>`

const trash = (visit: SignedIn, item: EditedEntry): HtmlValue =>
  item.status !== 'trash' &&
  mayRun(visit, remove) &&
  removalForm(visit, {
    verb: 'Move to the trash',
    id: item.id,
    name: '',
    consequence: `“${item.title}” leaves the site. It can be put back from the trash.`,
    path: adminPaths.editEntry,
    purpose: entryPurpose,
    more: html`<input type="hidden" name="do" value="trash" />`,
  })
