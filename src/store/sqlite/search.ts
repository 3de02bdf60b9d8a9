// The search index of SQLite: FTS5 without a copy of the texts, and a table that gives each entry its row number there.
// @see https://www.sqlite.org/fts5.html#contentless_delete_tables

import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import { queueWrite } from '../queued-writes.ts'
import type { EntrySearch, SearchHit } from '../search.ts'
import { prefixSign } from '../search-text.ts'

/** In this order: triggers refer to tables. */
const statements = [
  'create table entry_search_due (entry_id text primary key not null) without rowid',
  'create table entry_search_doc (doc integer primary key, entry_id text not null unique)',
  `create virtual table entry_search using fts5 (title, text, content = '', contentless_delete = 1,
    tokenize = 'unicode61 remove_diacritics 2')`,
  // SQLite would merge parts of the index within the transaction that puts a text, for as long as it takes. `merge` does so in steps.
  "insert into entry_search (entry_search, rank) values ('automerge', 0)",
  "insert into entry_search (entry_search, rank) values ('crisismerge', 1000)",
  `create trigger entry_search_insert after insert on entry begin
    insert or ignore into entry_search_due (entry_id) values (new.id); end`,
  `create trigger entry_search_update after update of title, slug, path, excerpt, body on entry begin
    insert or ignore into entry_search_due (entry_id) values (new.id); end`,
  `create trigger entry_search_delete after delete on entry begin
    insert or ignore into entry_search_due (entry_id) values (old.id); end`,
]

const termStatements = [
  'create table entry_search_term (gram text not null, size integer not null, term text not null, primary key (gram, size, term)) without rowid',
  'create virtual table entry_search_word using fts5vocab (entry_search, row)',
]

const markAll = 'insert or ignore into entry_search_due (entry_id) select id from entry'

/** Removes all words that suggestions are made of. */
export const resetTerms = 'delete from entry_search_term'

/** Empty the index without reading it, and mark all entries as not indexed. */
export const resetStatements = [
  "insert into entry_search (entry_search) values ('delete-all')",
  'delete from entry_search_doc',
  'delete from entry_search_due',
  markAll,
]

const putIds = 'insert or ignore into entry_search_doc (entry_id) select value from json_each(?)'
const putTexts = `insert or replace into entry_search (rowid, title, text)
  select doc, value ->> 1, value ->> 2 from json_each(?) cross join entry_search_doc on entry_id = value ->> 0`

const dropStatements = [
  'delete from entry_search where rowid in (select doc from entry_search_doc where entry_id in (select value from json_each(?)))',
  'delete from entry_search_doc where entry_id in (select value from json_each(?))',
]

/** Merges about 32 pages of the index, which takes one to three milliseconds; nothing if it has few parts. */
const mergeStep = "insert into entry_search (entry_search, rank) values ('merge', 32)"
/** The characters for which one step is enough: a word of a text is merged a few times as the index grows. */
const mergeEvery = 32 * 1024

export const sqliteSearch: EntrySearch = {
  async create(db) {
    for (const statement of statements) await sql.raw(statement).execute(db)
    await sql.raw(markAll).execute(db)
  },

  put(db, documents) {
    if (documents.length === 0) return
    const ids = documents.map(({ id }) => id)
    const rows = documents.map(({ id, title, text }) => [id, title, text])
    queueWrite(db, { query: CompiledQuery.raw(putIds, [JSON.stringify(ids)]) })
    queueWrite(db, { query: CompiledQuery.raw(putTexts, [JSON.stringify(rows)]) })
  },

  drop(db, ids) {
    if (ids.length === 0) return
    for (const text of dropStatements) queueWrite(db, { query: CompiledQuery.raw(text, [JSON.stringify(ids)]) })
  },

  async merge(write, length) {
    for (let merged = 0; merged < length; merged += mergeEvery) await write.executeQuery(CompiledQuery.raw(mergeStep))
  },

  async reset(db) {
    for (const statement of [...resetStatements, resetTerms]) await sql.raw(statement).execute(db)
  },

  async count(db, phrases, most) {
    const { rows } = await sql<{ found: number }>`
      select count(*) as found from (select 1 from entry_search where entry_search match ${toQuery(phrases)} limit ${most})`.execute(
      db,
    )
    return rows[0]?.found ?? 0
  },

  matching(phrases, most, which = 'all'): RawBuilder<SearchHit> {
    return sql<SearchHit>`(
      select entry_search_doc.entry_id, hit.rank from (
        select rowid as doc, bm25(entry_search, 10.0, 1.0) as rank from entry_search
        where entry_search match ${toQuery(phrases, which)} order by rowid desc limit ${most}
      ) as hit cross join entry_search_doc where entry_search_doc.doc = hit.doc)`
  },

  async createTerms(db) {
    for (const statement of [...termStatements, markAll]) await sql.raw(statement).execute(db)
  },

  async markNext(db, after, most) {
    const { rows } = await sql<{ last: string | null }>`
      select max(id) as last from (select id from entry where id > ${after} order by id limit ${most})`.execute(db)
    const last = rows[0]?.last ?? undefined
    if (last !== undefined)
      await sql`insert or ignore into entry_search_due (entry_id) select id from entry where id > ${after} and id <= ${last}`.execute(
        db,
      )
    return last
  },

  async markGone(db) {
    await sql`insert or ignore into entry_search_due (entry_id) select entry_id from entry_search_doc
      where not exists (select 1 from entry where entry.id = entry_search_doc.entry_id)`.execute(db)
  },

  async absentOf(db, terms) {
    const { rows } = await sql<{ term: string }>`select value as term from json_each(${JSON.stringify(terms)})
      where not exists (select 1 from entry_search_word where term = json_each.value)`.execute(db)
    return rows.map(({ term }) => term)
  },
}

/** A query in the language of FTS5. A quoted text has no operators. */
function toQuery(phrases: readonly string[], which: 'all' | 'any' = 'all'): string {
  return phrases
    .map((phrase) => {
      const prefix = phrase.endsWith(prefixSign)
      const words = prefix ? phrase.slice(0, -prefixSign.length) : phrase
      return `"${words.replaceAll('"', '""')}"${prefix ? ' *' : ''}`
    })
    .join(which === 'all' ? ' AND ' : ' OR ')
}
