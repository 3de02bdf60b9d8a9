// The actions on an entry other than writing: send it as a newsletter, unpublish it, discard the waiting changes, move it to the
// trash and restore it.

import { content } from '../../actions/content/index.ts'
import { subscribers } from '../../actions/subscribers/index.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import { csrfField } from '../form.ts'
import { mayRun } from '../navigation.ts'
import { removalForm } from '../parts/removal-form.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { entryPurpose } from './entry-form.ts'
import type { EditedEntry } from './edited-entry.ts'
import { panel } from '../parts/panel.ts'

export function entryMenu(visit: SignedIn, item: EditedEntry): HtmlValue {
  const parts = [inTrash(visit, item), mailed(visit, item), takeOff(visit, item), drop(visit, item), trash(visit, item)].filter(
    Boolean,
  )
  return parts.length > 0 && panel('more', visit.t('content.menu_title'), parts, 'panel entry-menu')
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
  mayRun(visit, content.restore) &&
  oneButton(visit, item, 'restore', visit.t('content.restore'), visit.t('content.trash_text'))

const mailed = (visit: SignedIn, item: EditedEntry): HtmlValue =>
  item.status === 'published' &&
  mayRun(visit, subscribers.send) &&
  html`<p>
    <a href="${linkTo(visit.request, adminPaths.sendNewsletter)}?entry=${item.id}">${visit.t('newsletter.send_title')}</a>
  </p>`

const takeOff = (visit: SignedIn, item: EditedEntry): HtmlValue =>
  (item.status === 'published' || item.status === 'scheduled') &&
  mayRun(visit, content.unpublish) &&
  html`<details>
    <summary>${visit.t(item.status === 'scheduled' ? 'content.unschedule_title' : 'content.unpublish_title')}</summary>
    ${oneButton(visit, item, 'unpublish', visit.t('content.unpublish_button'), visit.t(item.status === 'scheduled' ? 'content.unschedule_help' : 'content.unpublish_help'))}
  </details>`

const drop = (visit: SignedIn, item: EditedEntry): HtmlValue =>
  item.staged &&
  mayRun(visit, content.discard) &&
  mayRun(visit, content.publish) &&
  html`<details>
    <summary>${visit.t('content.discard_title')}</summary>
    ${oneButton(visit, item, 'discard', visit.t('content.discard_button'), visit.t('content.discard_help'))}
  </details>`

const trash = (visit: SignedIn, item: EditedEntry): HtmlValue =>
  item.status !== 'trash' &&
  mayRun(visit, content.delete) &&
  removalForm(visit, {
    verb: visit.t('content.trash_button'),
    id: item.id,
    name: '',
    consequence: visit.t('content.trash_consequence', { title: item.title }),
    path: adminPaths.editEntry,
    purpose: entryPurpose,
    more: html`<input type="hidden" name="do" value="trash" />`,
  })
