// Saves what somebody writes while they write it: a draft as it is, a published entry as changes that wait. Only texts are saved by themselves. What
// takes effect at once, such as a status or an address, waits for a button.

import { create } from '../../actions/classes/svc-content/create.ts'
import { update } from '../../actions/classes/svc-content/update.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { run } from '../page.ts'
import { dataReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import { isLive, isNew, readEntryForm } from './entry-form.ts'
import { changedNames, inputOf } from './entry-values.ts'
import { draftOf } from './save-entry.ts'

const isText = (name: string): boolean =>
  name === 'title' || name === 'body' || name === 'excerpt' || name.startsWith('seo.') || name.startsWith('fields.')

/** POST with the fields of the editor's form; `id` names the entry. Answers JSON with the new `id` and `revision`. */
export async function autosaveEntry(visit: SignedIn): Promise<Reply> {
  const fields = await readEntryForm(visit)
  const draft = await draftOf(visit, fields.get('id'), fields)
  const { item, stored, values, revision } = draft
  const names = changedNames(stored, values).filter(isText)
  const input = inputOf(values, names, visit.site.types.current.of(item.type))
  if (isNew(item)) {
    const { data, failure } = await run(visit, create, { type: item.type, title: '', ...input })
    return failure
      ? refused(visit, failure)
      : dataReply(visit, 200, { id: data.item.id, revision: data.item.revision, staged: false })
  }
  if (names.length === 0 && item.revision === revision)
    return dataReply(visit, 200, { id: item.id, revision, staged: item.staged })
  const stage = isLive(item) || item.staged ? { stage: true } : {}
  // Where somebody else has come to the same text, the entry is still not the one that this person read.
  const change = names.length === 0 ? { title: item.title } : input
  const { data, failure } = await run(
    visit,
    update,
    { id: item.id, ...change, ...stage },
    { ifRevision: revision },
    { autosave: true },
  )
  if (failure) return refused(visit, failure)
  return dataReply(visit, 200, { id: item.id, revision: data.item.revision, staged: 'stage' in stage })
}

const refused = (visit: SignedIn, failure: Failure): Reply =>
  dataReply(visit, formStatus[failure.code], { conflict: failure.code === 'conflict', message: sentenceOf(failure, visit.t) })
