// The examples with which a site began: the entries that SVC_Site.begin made and that nobody has changed since.

import type { Transaction } from 'kysely'
import type { RowChange } from '../../store/change/change.ts'
import type { Db } from '../../store/core/database.ts'
import type { EntryRow, Schema } from '../../store/core/schema.ts'
import { findFact, putFact } from '../../store/core/site-fact.ts'
import { commit } from '../call/commit.ts'
import type { Services } from '../call/services.ts'

export type ExamplePage = Pick<EntryRow, 'id' | 'title' | 'path'>

export interface Examples {
  /** The examples that are as they were made. */
  readonly unchanged: readonly ExamplePage[]
  /** Those that somebody has changed, so that they belong to the site now. */
  readonly changed: readonly ExamplePage[]
}

/** The name of the fact with the entries of the latest beginning: an object with their revisions by their ids. */
const factName = 'examples'

/** Stores which entries a beginning made, so that a look at the home page of the admin needs no search in the activity. */
export async function noteExamples(db: Transaction<Schema>, records: readonly RowChange[]): Promise<void> {
  const made = new Set(records.filter(({ kind, before }) => kind === 'entry' && before === null).map(({ id }) => id))
  const revisions = Object.fromEntries(records.filter(({ id }) => made.has(id)).map(({ id, revision }) => [id, revision]))
  await putFact(db, factName, JSON.stringify(revisions))
}

const readMade = async (db: Db): Promise<Readonly<Record<string, number>>> =>
  JSON.parse((await findFact(db, factName)) ?? '{}') as Record<string, number>

/** Counts an example as unchanged although it was changed just now: somebody gave it a photo in the first hour, and no words. */
export async function keepExample(site: Services, id: string): Promise<void> {
  await commit(site, 'SVC_Site.begin', async ({ db }) => {
    const made = await readMade(db)
    const row = await db.selectFrom('entry').select('revision').where('id', '=', id).executeTakeFirst()
    if (row) await putFact(db, factName, JSON.stringify({ ...made, [id]: row.revision }))
  })
}

/** Finds the examples of the latest beginning. Drafts among what it made, such as the imprint, are none. */
export async function findExamples(db: Db): Promise<Examples> {
  const made = new Map(Object.entries(await readMade(db)))
  if (made.size === 0) return { unchanged: [], changed: [] }
  const rows = await db
    .selectFrom('entry')
    .select(['id', 'title', 'path', 'status', 'revision'])
    .where('id', 'in', [...made.keys()])
    .where('status', '!=', 'trash')
    .orderBy('path')
    .execute()
  const isUnchanged = ({ id, revision }: (typeof rows)[number]) => revision === made.get(id)
  return {
    unchanged: rows.filter((row) => isUnchanged(row) && row.status === 'published'),
    changed: rows.filter((row) => !isUnchanged(row)),
  }
}
