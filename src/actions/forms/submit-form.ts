// Takes a form that somebody sent, whichever way: it is read, counted, looked at for spam and stored; then mails and events follow.
// All of it is one transaction, so that nothing is sent that is not stored.

import { emailIn, fieldsOf, type NewSubmission, storeSubmission } from '../../forms/form-store.ts'
import { type FieldFault, type AskedField, readForm } from '../../forms/form-fields.ts'
import { ageOfToken } from '../../forms/form-token.ts'
import { spamReason } from '../../forms/spam.ts'
import { bucketName, countAttempt, keyedAddress, secondsUntil } from '../../identity/attempts.ts'
import type { Caller } from '../../identity/caller.ts'
import type { Transaction } from 'kysely'
import { newId } from '../../store/core/ids.ts'
import type { VisitorFormRow, Schema } from '../../store/core/schema.ts'
import type { Services } from '../call/services.ts'
import { mailSubmission } from './mail-submission.ts'

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
}

/** The outcome of a form that was sent. */
export type Submitted =
  | { readonly state: 'taken' | 'closed' | 'again' }
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
  const { form, token } = sent
  if (form.open === 0) return { state: 'closed' }
  const { values, faults } = readForm(askedFields(form), sent.textOf)
  if (Object.keys(faults).length > 0) return { state: 'faults', faults }
  const ageMs = token === undefined ? undefined : ageOfToken(site.key, form.slug, token, now)
  // Whoever had the page open for too long sends it once more, with nothing lost.
  if (token !== undefined && ageMs === undefined) return { state: 'again' }
  const from = keyedAddress(site.key, 'form address', sent.caller.address)
  const blockedUntil = await countAttempt(db, [{ name: bucketName('form', from), limit: tooMany }], now, windowMs)
  if (blockedUntil !== undefined) return { state: 'wait', seconds: secondsUntil(blockedUntil, now) }
  const counted = await countAttempt(db, [{ name: bucketName('form', form.id, from), limit: frequent }], now, windowMs)
  const fields = fieldsOf(form)
  const isFrequent = token !== undefined && counted !== undefined
  const reason = spamReason({ fields, values, hidden: sent.hidden, ageMs, isFrequent })
  await follow(site, db, sent, { form, values, reason, path: sent.path }, now)
  return { state: 'taken' }
}

/** Stores a form, and queues what follows, unless it looks like spam or was sent before. */
async function follow(
  site: Services,
  db: Transaction<Schema>,
  { form, caller }: SentForm,
  submission: NewSubmission,
  now: number,
): Promise<void> {
  const row = await storeSubmission(db, submission, now)
  if (!row || submission.reason !== null) return
  const email = emailIn(fieldsOf(form), submission.values)
  await mailSubmission(site, db, { form, values: submission.values, email }, now)
  const runs = [{ name: 'SVC_Forms.submit', tier: 'content', effect: 'write' }] as const
  const label = { title: form.name, path: null }
  const record = { kind: 'form', id: form.id, before: null, after: {}, revision: form.revision, label } as const
  const facts = { id: newId(now), call: 'SVC_Forms.submit', runs, summary: 'A visitor sent a form.', input: {} }
  site.webhooks.note(db, { ...facts, caller, records: [record], now })
}
