// The bulk actions of the list of entries. Each change is one call, so it is one record and can be undone as a whole.

import { batch } from '../../actions/api/batch.ts'
import { content } from '../../actions/content/index.ts'
import { html } from '../../doors/shared/html.ts'
import { Failure } from '../../base/failure.ts'
import type { Reply } from '../../http/reply.ts'
import { confirmPassword, passwordAgain } from '../access/confirm-password.ts'
import { csrfField, type Fields } from '../form.ts'
import { get, run } from '../page.ts'
import { type Done, goDone } from '../parts/done-notice.ts'
import { listAddress } from '../parts/list-address.ts'
import { formTaker, type Work } from '../parts/post-form.ts'
import { pageHead } from '../parts/table.ts'
import { adminPaths } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'
import { bulkForm } from './bulk-bar.ts'
import { contentReply } from './list-page.ts'
import { framedReply, type Refused } from '../framed-reply.ts'

interface Deed {
  /** The word of `bulkWords` for the result. */
  readonly done: Done
  act(visit: SignedIn, ids: readonly string[], fields: Fields): Promise<{ readonly failure?: Failure }>
}

const deeds: Readonly<Record<string, Deed>> = {
  publish: {
    done: 'content.done_published_many',
    // `publish` instead of `update-many`, because it also publishes the waiting changes of an entry.
    act: (visit, ids) => run(visit, batch, { calls: ids.map((id) => ({ action: 'SVC_Content.publish', arguments: { id } })) }),
  },
  unpublish: {
    done: 'content.done_unpublished_many',
    act: (visit, ids) => run(visit, content.updateMany, { ids, set: { status: 'draft' }, expect: ids.length }),
  },
  author: {
    done: 'content.done_given_author',
    act: (visit, ids, fields) =>
      needs(visit, fields, 'author', 'content.bulk_author_missing') ??
      run(visit, content.updateMany, { ids, set: { author: fields.get('author').trim() }, expect: ids.length }),
  },
  term: { done: 'content.done_given_term', act: addTerm },
  trash: { done: 'content.done_trashed_many', act: (visit, ids) => run(visit, content.delete, { ids }) },
  restore: { done: 'content.done_restored_many', act: (visit, ids) => run(visit, content.restore, { ids }) },
  'purge-confirmed': {
    done: 'content.done_destroyed_many',
    act: (visit, ids) => run(visit, content.purge, { ids, expect: ids.length }),
  },
}

const needs = (
  { t }: SignedIn,
  fields: Fields,
  name: string,
  message: MessageKey,
): Promise<{ readonly failure: Failure }> | undefined =>
  fields.get(name).trim() === '' ? Promise.resolve({ failure: new Failure('invalid', t(message), { field: name }) }) : undefined

/** Adds a term to the terms of each entry. `update-many` with `terms` would replace them. */
async function addTerm(visit: SignedIn, ids: readonly string[], fields: Fields): Promise<{ readonly failure?: Failure }> {
  const missing = await needs(visit, fields, 'term', 'content.bulk_term_missing')
  if (missing) return missing
  const term = fields.get('term').trim()
  const { items } = await get(
    visit,
    content.list,
    { where: { id: { in: ids } }, limit: ids.length },
    { select: ['id', 'terms', 'revision'] },
  )
  const calls = items.map(({ id, terms, revision }) => ({
    action: 'SVC_Content.update',
    arguments: { id, terms: [...new Set([...(terms ?? []).map((one) => one.ref), term])] },
    if_revision: revision,
  }))
  return run(visit, batch, { calls })
}

const change: Work = async (visit, fields) => {
  const ids = [...new Set(fields.all('ids'))].slice(0, 100)
  const name = fields.get('do')
  if (ids.length === 0) return new Failure('invalid', visit.t('content.bulk_nothing'))
  if (name === 'purge') return confirmPurge(visit, ids)
  const refused = name === 'purge-confirmed' ? await confirmPassword(visit, fields) : undefined
  if (refused) return confirmPurge(visit, ids, refused)
  const deed = Object.hasOwn(deeds, name) ? deeds[name] : undefined
  if (!deed) return new Failure('invalid', visit.t('content.bulk_choose'))
  const { failure } = await deed.act(visit, ids, fields)
  if (failure) return failure
  const address = listAddress(visit.request, adminPaths.content).with({})
  return goDone(visit, address.slice(visit.request.basePath.length), deed.done, ids.length)
}

export const changeContent = formTaker(bulkForm, change, contentReply)

/** Asks for a confirmation before the permanent deletion, with the titles of the entries. */
async function confirmPurge(visit: SignedIn, ids: readonly string[], refused?: Refused): Promise<Reply> {
  const where = { id: { in: ids }, status: 'trash' }
  const { items } = await get(visit, content.list, { where, limit: Math.min(ids.length, 100) }, { select: ['id', 'title'] })
  const { t } = visit
  const count = items.length
  const back = listAddress(visit.request, adminPaths.content).with({})
  const body = html`${pageHead(t('content.purge_question', { count }), t('content.purge_text'))}
    <ul class="lines panel">
      ${items.map(({ title }) => html`<li>${title}</li>`)}
    </ul>
    <form method="post" action="${back}">
      ${csrfField(visit, bulkForm)} ${items.map(({ id }) => html`<input type="hidden" name="ids" value="${id}" />`)}
      ${passwordAgain(visit, refused?.passwordFault)}
      <p class="actions">
        <button class="danger" name="do" value="purge-confirmed">${t('content.purge_button', { count })}</button>
        <a class="button" href="${back}">${t('content.keep_them')}</a>
      </p>
    </form>`
  return framedReply(visit, { title: t('content.purge_title'), body }, refused)
}
