// The files of submissions: their facts stay in the row of the submission, and go with it.

import type { Kysely } from 'kysely'
import { addColumns, createIndexes } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumns(db, 'form_submission', 'files text = [], file_bytes bigint = 0')
  await createIndexes(db, 'form_submission', { form_submission_by_files: 'file_bytes, state' })
}
