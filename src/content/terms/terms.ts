// Finds terms, and the entries that have them. `write-term.ts` writes terms, and `term-index.ts` caches their names.

import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Db } from '../../store/core/database.ts'
import { termIdsOf } from '../../store/change/entry-terms.ts'
import { jsonTexts } from '../../store/core/json-rows.ts'
import type { Schema, TermRow } from '../../store/core/schema.ts'

export const maxTermsOfEntry = 100

/** `/category/news`, the address of a term's archive. */
export const pathOfTerm = ({ ref }: Pick<TermRow, 'ref'>): string => `/${ref}`

/** The term with this id or name, such as `category/news`. An id that matches exactly wins. */
export async function findTerm(db: Db, ref: string): Promise<TermRow | undefined> {
  const name = ref.replace(/^\//, '')
  const terms = db.selectFrom('term').selectAll()
  const rows = await terms
    .where('id', '=', ref)
    .unionAll(terms.where('ref', '=', name))
    .execute()
  return rows.find(({ id }) => id === ref) ?? rows[0]
}

/** The column `terms` with these ids, each once. */
export const termsColumn = (ids: readonly string[]): string => JSON.stringify([...new Set(ids)])

/** Adds and removes terms in the column `terms`. The others keep their order. */
export function withTerms(column: string, { add = [], remove = [] }: TermChanges): string {
  const gone = new Set(remove)
  return termsColumn([...termIdsOf(column).filter((id) => !gone.has(id)), ...add])
}

export interface TermChanges {
  readonly add?: readonly string[]
  readonly remove?: readonly string[]
}

/** The column `terms` without deleted terms, which an earlier state of an entry may contain. */
export async function withoutDeletedTerms(db: Db, column: string): Promise<string> {
  const ids = termIdsOf(column)
  if (ids.length === 0) return column
  const rows = await db
    .selectFrom('term')
    .select('id')
    .where('id', 'in', jsonTexts(db as never, ids))
    .execute()
  const present = new Set(rows.map(({ id }) => id))
  return termsColumn(ids.filter((id) => present.has(id)))
}

/** The number of public entries of each term, including those of the terms below it. Terms without public entries are absent. */
export async function countPublicEntries(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('entry_term')
    .select(({ fn }) => ['term_id', fn.countAll<number | string>().as('entries')])
    .where('term_id', 'in', ids)
    .where('status', '=', 'published')
    .groupBy('term_id')
    .execute()
  return new Map(rows.map(({ term_id: id, entries }) => [id, Number(entries)]))
}

interface ArchivePart {
  readonly limit: number
  readonly offset: number
  only(eb: ExpressionBuilder<Schema, 'entry'>): Expression<SqlBool>
}

/**
 * The ids of the published entries of a term and the terms below it, newest first; one more than `limit` if there are older ones.
 * @param part.only the condition on the entries
 */
export async function listArchive(db: Db, termId: string, { limit, offset, only }: ArchivePart): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('entry_term')
    .innerJoin('entry', 'entry.id', 'entry_term.entry_id')
    .select('entry_id')
    .where('entry_term.term_id', '=', termId)
    .where('entry_term.status', '=', 'published')
    .where((eb) => only(eb as never))
    .orderBy('entry_term.published_at', 'desc')
    .orderBy('entry_term.entry_id', 'desc')
    .limit(limit + 1)
    .offset(offset)
    .execute()
  return rows.map(({ entry_id: id }) => id)
}
