// The rows of forms, and of what was sent by them.

import { hash } from 'node:crypto'
import { notFound } from '../base/failure.ts'
import type { Db } from '../store/core/database.ts'
import type { VisitorFormRow, FormSubmissionRow } from '../store/core/schema.ts'
import type { AskedField, FormValues } from './form-fields.ts'
import { bytesOf, type FormFile } from './form-files.ts'

const dayMs = 86_400_000
/** Spam is kept for this time. */
const spamMs = 30 * dayMs
/** The same form with the same values counts as one in this time. */
const doubleMs = dayMs

export const fieldsOf = ({ fields }: Pick<VisitorFormRow, 'fields'>): readonly AskedField[] => JSON.parse(fields) as AskedField[]
export const receiversOf = ({ receivers }: Pick<VisitorFormRow, 'receivers'>): readonly string[] =>
  JSON.parse(receivers) as string[]
export const valuesOf = ({ contents }: Pick<FormSubmissionRow, 'contents'>): FormValues => JSON.parse(contents) as FormValues

export const filesOf = ({ files }: Pick<FormSubmissionRow, 'files'>): readonly FormFile[] => JSON.parse(files) as FormFile[]

/** The form with an id or a slug. */
export async function findForm(db: Db, ref: string): Promise<VisitorFormRow | undefined> {
  const query = db.selectFrom('form').selectAll()
  return (await query.where('slug', '=', ref).executeTakeFirst()) ?? query.where('id', '=', ref).executeTakeFirst()
}

/** @throws Failure `not_found` */
export async function getForm(db: Db, ref: string): Promise<VisitorFormRow> {
  const row = await findForm(db, ref)
  if (row) return row
  throw notFound('form', ref, 'SVC_Forms.list lists them.')
}

export async function listForms(db: Db): Promise<readonly VisitorFormRow[]> {
  return db.selectFrom('form').selectAll().orderBy('slug').execute()
}

/** The values of a form that was sent, before they are stored. */
export interface NewSubmission {
  readonly id: string
  readonly form: VisitorFormRow
  readonly values: FormValues
  /** The reason why it looks like spam; null if it doesn't. */
  readonly reason: string | null
  /** The path of the page, if it came from one. */
  readonly path: string | null
  /** The files that are kept with it, and the hashes of all that came. */
  readonly files: readonly FormFile[]
  readonly hashes: readonly string[]
}

/** Stores what was sent. @returns undefined if the same was sent before, as by the back button */
export async function storeSubmission(
  db: Db,
  { id, form, values, reason, path, files, hashes }: NewSubmission,
  now: number,
): Promise<FormSubmissionRow | undefined> {
  const contents = JSON.stringify(values)
  const digest = hash('sha256', [form.id, contents, ...hashes].join(' '), 'base64url')
  const same = await db
    .selectFrom('form_submission')
    .select('id')
    .where('digest', '=', digest)
    .where('created_at', '>', now - doubleMs)
    .limit(1)
    .executeTakeFirst()
  if (same) return undefined
  const row: FormSubmissionRow = {
    id,
    form_id: form.id,
    state: reason === null ? 'new' : 'spam',
    reason,
    contents,
    email: emailIn(fieldsOf(form), values) ?? null,
    path,
    digest,
    created_at: now,
    expires_at: now + (reason === null ? form.keep_days * dayMs : spamMs),
    files: JSON.stringify(files),
    file_bytes: bytesOf(files),
  }
  await db.insertInto('form_submission').values(row).execute()
  return row
}

/** The address of the sender: that in the first field for one. */
export const emailIn = (fields: readonly AskedField[], values: FormValues): string | undefined =>
  fields.filter(({ kind }) => kind === 'email').flatMap(({ name }) => values[name] ?? [])[0]

/** Marks submissions. What is no spam any more is kept as long as its form says, and as before if the form is gone. */
export async function markSubmissions(db: Db, ids: readonly string[], state: string): Promise<readonly string[]> {
  const done: string[] = []
  for (const id of ids) {
    const row = await db.selectFrom('form_submission').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) throw notFound('submission', id, 'SVC_Forms.submissions lists them.')
    if (row.state === state) continue
    const keptMs = state === 'spam' ? spamMs : await keptMsOf(db, row.form_id)
    const expires = keptMs === undefined ? row.expires_at : row.created_at + keptMs
    await db.updateTable('form_submission').set({ state, expires_at: expires }).where('id', '=', id).execute()
    done.push(id)
  }
  return done
}

/** The time for which a form keeps what was sent; undefined for a form that is gone. */
async function keptMsOf(db: Db, id: string): Promise<number | undefined> {
  const form = await findForm(db, id)
  return form && form.keep_days * dayMs
}
