// The terms of entries as rows, derived from the column `terms` of each entry. An entry also has a row for each ancestor of its
// terms, so that the archive of a term contains the entries of its descendants. The rows are written in the transaction that
// changes the entry or the term.

import { type CompiledQuery, sql, type Transaction } from 'kysely'
import { jsonTexts } from '../core/json-rows.ts'
import { queueWrite } from '../core/queued-writes.ts'
import type { EntryRow, Schema, TermRow } from '../core/schema.ts'

type Db = Transaction<Schema>
type TermedEntry = Pick<EntryRow, 'id' | 'terms' | 'status' | 'published_at'>

const columns: readonly string[] = ['terms', 'status', 'published_at'] satisfies (keyof EntryRow)[]

/** Returns the ids in the column `terms`. Some terms may have been deleted. */
export const termIdsOf = (column: string): readonly string[] => JSON.parse(column) as string[]

/**
 * Queues the rows of an entry's terms. Ids of deleted terms are left out.
 * @param changed the changed columns; undefined for a new entry
 */
export function keepEntryTerms(db: Db, row: TermedEntry, changed: readonly string[] | undefined): void {
  if (changed && !changed.some((column) => columns.includes(column))) return
  const ids = termIdsOf(row.terms)
  if (changed) queueWrite(db, { query: db.deleteFrom('entry_term').where('entry_id', '=', row.id).compile() })
  if (ids.length > 0) queueWrite(db, { query: insertOf(db, row, ids) })
}

function insertOf(db: Db, { id, status, published_at: publishedAt }: TermedEntry, ids: readonly string[]): CompiledQuery {
  return sql`insert into entry_term (entry_id, term_id, own, status, published_at)
    with recursive up (term_id, own) as (
      select id, 1 from term where id in ${jsonTexts(db, ids)}
      union select term.parent_id, 0 from up join term on term.id = up.term_id where term.parent_id is not null)
    select cast(${id} as text), term.id, max(up.own), cast(${status} as text), cast(${publishedAt ?? 0} as bigint)
    from up join term on term.id = up.term_id group by term.id`.compile(db)
}

/** After a change of a term's parent, rewrites the ancestors of all entries that have the term or a descendant of it. */
export function keepTermsAbove(db: Db, { id }: Pick<TermRow, 'id'>): void {
  const entries = sql`(
    with recursive down (id) as (
      select id from term where id = ${id} union select term.id from term join down on term.parent_id = down.id)
    select entry_id from entry_term where own = 1 and term_id in (select id from down))`
  const forget = sql`delete from entry_term where own = 0 and entry_id in ${entries}`
  const add = sql`insert into entry_term (entry_id, term_id, own, status, published_at)
    with recursive up (start_id, term_id) as (
      select id, parent_id from term where parent_id is not null
      union select up.start_id, term.parent_id from up join term on term.id = up.term_id where term.parent_id is not null)
    select entry_term.entry_id, term.id, 0, entry_term.status, entry_term.published_at
    from entry_term join up on up.start_id = entry_term.term_id join term on term.id = up.term_id
    where entry_term.own = 1 and entry_term.entry_id in ${entries}
    on conflict (entry_id, term_id) do nothing`
  for (const statement of [forget, add]) queueWrite(db, { query: statement.compile(db) })
}
