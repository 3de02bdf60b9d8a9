// Saves what the form of an entry shows while somebody fills it in: a draft as it is, a published entry as changes that wait. What
// would take effect at once waits for a button, and a value that is refused keeps nothing else from being saved. The answer names
// both.

import { update } from '../../actions/classes/svc-content/update.ts'
import { timingColumns } from '../../content/stage-entry.ts'
import type { Code, Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { run } from '../page.ts'
import { dataReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import { faultOf, isLive, isNew, readEntryForm } from './entry-form.ts'
import { inputOf } from './entry-values.ts'
import type { EditedEntry } from './read-entry.ts'
import { changedIn, createFrom, type Draft, draftOf, typeOf } from './save-entry.ts'

/** A field whose value is not stored. */
interface Unsaved {
  readonly name: string
  readonly message: string
  /** False for a value that is right and waits for a button. */
  readonly isFault: boolean
}

/** The entry after a save. */
interface Saved {
  readonly id: string
  readonly revision: number
  readonly slug: string
}

/**
 * POST with the fields of the editor's form; `id` names the entry. Answers JSON with the new `id`, `revision` and `slug`, and what
 * is `unsaved`.
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
    if (wrong.length === 0) return refusal(visit, failure)
    const message = (name: string): string => faultOf(visit.t, { failure }, name) ?? sentenceOf(failure, visit.t)
    unsaved.push(...wrong.map((name) => ({ name, message: message(name), isFault: true })))
    names = names.filter((name) => !wrong.includes(name))
  }
}

const isTiming = (name: string): boolean => timingColumns.some((column) => column === name)

/** True if a date or a status of this entry changes at once what the public sees, or when it sees it. */
const takesEffect = (item: EditedEntry): boolean => isLive(item) || item.status === 'scheduled'

const stages = (item: EditedEntry): boolean => isLive(item) || item.staged

/** Codes of failures that another value of a field would avoid. */
const aboutValues: ReadonlySet<Code> = new Set(['invalid', 'refused', 'exists', 'in_use', 'too_large', 'unprocessable'])

/** Fields that make up the address together. A path that is taken is told of the slug, also if only the parent has changed. */
const placing: ReadonlySet<string> = new Set(['slug', 'parent', 'locale'])
const texts: ReadonlySet<string> = new Set(['title', 'body', 'excerpt'])

/** The fields that may be the reason of a failure: those that it names, else those of the address, else all but the texts. */
function namesAt({ t }: SignedIn, failure: Failure, names: readonly string[]): readonly string[] {
  const groups = [
    names.filter((name) => faultOf(t, { failure }, name) !== undefined),
    names.filter((name) => placing.has(name)),
    names.filter((name) => !texts.has(name)),
  ]
  return groups.find((group) => group.length > 0) ?? []
}

/**
 * True if the same fields were sent before and the browser got no answer. Where the entry has them by now, they are saved, though
 * the browser does not know the revision.
 */
const isAgain = ({ fields }: Draft): boolean => fields.get('again') === 'yes'

type Attempt = { readonly saved: Saved; readonly failure?: never } | { readonly failure: Failure; readonly saved?: never }

/** Tries to save these values of the form. */
async function save(visit: SignedIn, draft: Draft, names: readonly string[]): Promise<Attempt> {
  const { item, revision } = draft
  if (!isNew(item) && names.length === 0 && (item.revision === revision || isAgain(draft))) return { saved: item }
  const { data, failure } = await (isNew(item) ? createFrom(visit, draft, names) : updateFrom(visit, draft, names))
  return failure ? { failure } : { saved: data.item }
}

function updateFrom(visit: SignedIn, { item, values, revision }: Draft, names: readonly string[]) {
  // If the form has come to the values that somebody else saved, the entry is still not the one that this person read.
  const input = names.length === 0 ? { title: item.title } : inputOf(values, names, typeOf(visit, item))
  const stage = stages(item) ? { stage: true } : {}
  return run(visit, update, { id: item.id, ...input, ...stage }, { ifRevision: revision }, { autosave: true })
}

const refusal = (visit: SignedIn, failure: Failure): Reply =>
  dataReply(visit, formStatus[failure.code], { conflict: failure.code === 'conflict', message: sentenceOf(failure, visit.t) })
