// Takes a form that somebody sent, whichever way: it is read, counted, looked at for spam and stored; then mails and events follow.
// All of it is one transaction, so that nothing is sent that is not stored.

import { type FieldFault, type AskedField, readForm } from '../../forms/form-fields.ts'
import { bytesOf, hasRoom } from '../../forms/form-files.ts'
import { emailIn, fieldsOf, type NewSubmission, storeSubmission } from '../../forms/form-store.ts'
import { readFormToken } from '../../forms/form-token.ts'
import { spamReason } from '../../forms/spam.ts'
import { bucketName, countAttempt, keyedAddress, secondsUntil } from '../../identity/attempts.ts'
import type { Caller } from '../../identity/caller.ts'
import type { Transaction } from 'kysely'
import { newId } from '../../store/core/ids.ts'
import type { VisitorFormRow, Schema } from '../../store/core/schema.ts'
import type { Services } from '../call/services.ts'
import { mailSubmission } from './mail-submission.ts'
import { noFiles, namesIn, type TakenFiles } from './take-files.ts'

/** A form as it came. */
export interface SentForm {
  readonly form: VisitorFormRow
  /** The text of a field as it came; `''` for none. */
  readonly textOf: (name: string) => string
  /** The text of the field that people don't see. */
  readonly hidden: string
  /** The signed time of the page; undefined for a call of somebody who is known. */
  readonly token: string | undefined
  /** The path of the page. */
  readonly path: string | null
  readonly caller: Caller
  readonly files?: TakenFiles
}

/** The outcome of a form that was sent. */
export type Submitted =
  | { readonly state: 'closed' | 'again' | 'changed' }
  /** `keepsFiles` is true if the files that came belong to the stored row now. */
  | { readonly state: 'taken'; readonly keepsFiles?: boolean }
  | { readonly state: 'wait'; readonly seconds: number }
  | { readonly state: 'faults'; readonly faults: Readonly<Record<string, FieldFault>> }

const windowMs = 10 * 60_000
/** Beyond the first number in ten minutes, forms of an address are flagged; beyond the second, they are refused. */
const frequent = 5
const tooMany = 50

/** The name of the box for consent. No field has it, because fields begin with a letter. */
export const consentName = '_consent'

/** The fields of a form, with the box for consent. */
export const askedFields = (form: VisitorFormRow): readonly AskedField[] => [
  ...fieldsOf(form),
  ...(form.consent === null
    ? []
    : [{ name: consentName, label: form.consent, kind: 'check', required: true, help: null, choices: [] } as const]),
]

/** Takes a form. After the commit, ring `site.mail` and wake `site.webhooks`. */
export async function submitForm(site: Services, db: Transaction<Schema>, sent: SentForm, now: number): Promise<Submitted> {
  const { form, token, files = noFiles } = sent
  if (form.open === 0) return { state: 'closed' }
  const asked = askedFields(form)
  const page = token === undefined ? undefined : readFormToken(site.key, form.id, asked, token, now)
  if (page?.isSame === false) return { state: 'changed' }
  const isOfFiles = (name: string) => asked.some((field) => field.name === name && field.kind === 'files')
  const textOf = (name: string) => (isOfFiles(name) ? namesIn(files, name) : sent.textOf(name))
  const { values, faults: unread } = readForm(asked, textOf)
  const faults = { ...unread, ...files.faults }
  if (Object.keys(faults).length > 0) return { state: 'faults', faults }
  // Whoever had the page open for too long sends it once more, with nothing lost.
  if (token !== undefined && page === undefined) return { state: 'again' }
  const from = keyedAddress(site.key, 'form address', sent.caller.address)
  const blockedUntil = await countAttempt(db, [{ name: bucketName('form', from), limit: tooMany }], now, windowMs)
  if (blockedUntil !== undefined) return { state: 'wait', seconds: secondsUntil(blockedUntil, now) }
  const counted = await countAttempt(db, [{ name: bucketName('form', form.id, from), limit: frequent }], now, windowMs)
  const fields = fieldsOf(form)
  const isFrequent = token !== undefined && counted !== undefined
  const reason = spamReason({ fields, values, hidden: sent.hidden, ageMs: page?.ageMs, isFrequent })
  const isRoom = await hasRoom(db, bytesOf(files.files), reason !== null)
  const [first] = files.files
  if (!isRoom && first && reason === null) return { state: 'faults', faults: { [first.field]: 'form_files_full' } }
  const kept = { id: files.id ?? newId(now), files: isRoom ? files.files : [], hashes: files.hashes }
  const isStored = await follow(site, db, sent, { ...kept, form, values, reason, path: sent.path }, now)
  return { state: 'taken', keepsFiles: isStored && isRoom }
}

/**
 * Stores a form, and queues what follows, unless it looks like spam or was sent before.
 * @returns false if it was sent before
 */
async function follow(
  site: Services,
  db: Transaction<Schema>,
  { form, caller }: SentForm,
  submission: NewSubmission,
  now: number,
): Promise<boolean> {
  const row = await storeSubmission(db, submission, now)
  if (!row || submission.reason !== null) return row !== undefined
  const email = emailIn(fieldsOf(form), submission.values)
  await mailSubmission(site, db, { form, values: submission.values, email }, now)
  const runs = [{ name: 'SVC_Forms.submit', tier: 'content', effect: 'write' }] as const
  const label = { title: form.name, path: null }
  const record = { kind: 'form', id: form.id, before: null, after: {}, revision: form.revision, label } as const
  const facts = { id: newId(now), call: 'SVC_Forms.submit', runs, summary: 'A visitor sent a form.', input: {} }
  site.webhooks.note(db, { ...facts, caller, records: [record], now })
  return true
}
