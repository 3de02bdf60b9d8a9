// Autosave: stores the form of an entry while a person fills it in. A draft is changed directly. The changes of a published entry
// wait until they are published. Values that would change the public site at once, such as dates, wait for a button. A refused
// value does not prevent the others from being saved. The answer lists the values of both kinds as `unsaved`.

import { content } from '../../actions/content/index.ts'
import { timingColumns } from '../../content/entries/stage-entry.ts'
import type { Code, Failure } from '../../base/failure.ts'
import type { Reply } from '../../http/reply.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { run } from '../page.ts'
import { dataReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import { type EditedEntry, isLive, isNew } from './edited-entry.ts'
import { readEntryForm } from './entry-form.ts'
import { faultOf } from './form-parts.ts'
import { inputOf } from './entry-values.ts'
import { isSavedByOneself } from './saved-by-oneself.ts'
import { changedIn, createFrom, type Draft, draftOf, typeOf, withNewTerms } from './save-entry.ts'

/** A field whose value is not stored. */
interface Unsaved {
  readonly name: string
  readonly message: string
  /** False for a valid value that waits for a button. */
  readonly isFault: boolean
}

interface Saved {
  readonly id: string
  readonly revision: number
  readonly slug: string
}

/**
 * POST with the fields of the editor's form; `id` names the entry. Answers JSON with the new `id`, `revision` and `slug`, and the
 * `unsaved` fields.
 */
export async function autosaveEntry(visit: SignedIn): Promise<Reply> {
  const fields = await readEntryForm(visit)
  const draft = await draftOf(visit, fields.get('id'), fields)
  const changed = changedIn(visit, draft)
  const waiting = changed.filter((name) => takesEffect(draft.item) && isTiming(name))
  const unsaved: Unsaved[] = waiting.map((name) => ({ name, message: visit.t('content.waits_for_button'), isFault: false }))
  let names = changed.filter((name) => !waiting.includes(name))
  for (;;) {
    const { saved, failure } = await save(visit, draft, names)
    if (saved) {
      const { id, revision, slug } = saved
      return dataReply(visit, 200, { id, revision, slug, staged: stages(draft.item), unsaved })
    }
    const wrong = aboutValues.has(failure.code) ? namesAt(visit, failure, names) : []
    if (wrong.length === 0) return refusal(visit, draft, failure)
    const message = (name: string): string => faultOf(visit.t, { failure }, name) ?? sentenceOf(failure, visit.t)
    unsaved.push(...wrong.map((name) => ({ name, message: message(name), isFault: true })))
    names = names.filter((name) => !wrong.includes(name))
  }
}

const isTiming = (name: string): boolean => timingColumns.some((column) => column === name)

/** Returns true if a date or the status of this entry changes at once what the public sees, or when they see it. */
const takesEffect = (item: EditedEntry): boolean => isLive(item) || item.status === 'scheduled'

const stages = (item: EditedEntry): boolean => isLive(item) || item.staged

/** The codes of failures that another value of a field would avoid. */
const aboutValues: ReadonlySet<Code> = new Set(['invalid', 'refused', 'exists', 'in_use', 'too_large', 'unprocessable'])

/** The fields that make up the address. The failure for a taken path names the slug, even if only the parent has changed. */
const placing: ReadonlySet<string> = new Set(['slug', 'parent', 'locale'])
const texts: ReadonlySet<string> = new Set(['title', 'body', 'excerpt'])

/**
 * Finds the fields that may have caused a failure: those that it names, otherwise those of the address, otherwise all but the
 * texts.
 */
function namesAt({ t }: SignedIn, failure: Failure, names: readonly string[]): readonly string[] {
  const groups = [
    names.filter((name) => faultOf(t, { failure }, name) !== undefined),
    names.filter((name) => placing.has(name)),
    names.filter((name) => !texts.has(name)),
  ]
  return groups.find((group) => group.length > 0) ?? []
}

/**
 * Returns true if the same fields were sent before, and the browser got no answer. If the entry already has these values, they are
 * saved, although the browser does not know the revision.
 */
const isAgain = ({ fields }: Draft): boolean => fields.get('again') === 'yes'

type Attempt = { readonly saved: Saved; readonly failure?: never } | { readonly failure: Failure; readonly saved?: never }

async function save(visit: SignedIn, draft: Draft, names: readonly string[]): Promise<Attempt> {
  const { item, revision } = draft
  if (!isNew(item) && names.length === 0 && (item.revision === revision || isAgain(draft))) return { saved: item }
  const { data, failure } = await (isNew(item) ? createFrom(visit, draft, names) : updateFrom(visit, draft, names))
  return failure ? { failure } : { saved: data.item }
}

function updateFrom(visit: SignedIn, { item, values, fields, revision }: Draft, names: readonly string[]) {
  // The form may equal what another person has saved. This person has not read that revision, so the call must compare revisions.
  const changed = names.length === 0 ? { title: item.title } : inputOf(values, names, typeOf(visit, item))
  const input = withNewTerms(visit, fields, changed)
  const stage = stages(item) ? { stage: true } : {}
  return run(visit, content.update, { id: item.id, ...input, ...stage }, { ifRevision: revision }, { autosave: true })
}

async function refusal(visit: SignedIn, { item, revision }: Draft, failure: Failure): Promise<Reply> {
  const conflict = failure.code === 'conflict'
  const isOwn = conflict && !isNew(item) && revision !== undefined && (await isSavedByOneself(visit, item.id, revision))
  const message = sentenceOf(failure, visit.t)
  return dataReply(visit, formStatus[failure.code], { conflict, message, ...(isOwn && { own: true }) })
}
