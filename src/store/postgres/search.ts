// The search index of PostgreSQL: a side table with a `tsvector` per entry, in the configuration `simple`, which leaves words as they are.
// @see https://www.postgresql.org/docs/15/textsearch.html

import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import { queueWrite } from '../queued-writes.ts'
import type { EntrySearch, SearchHit } from '../search.ts'
import { prefixSign } from '../search-text.ts'
import { fittingPart } from './fitting-part.ts'

const statements = [
  'create table entry_search_due (entry_id text collate "C" primary key)',
  `create table entry_search (doc bigserial primary key, entry_id text collate "C" not null unique, words tsvector not null)`,
  // New words are collected before they go into the index. A short list is worked off quickly by the writer that fills it.
  `create index entry_search_words on entry_search using gin (words) with (gin_pending_list_limit = 256)`,
  `create function entry_search_note() returns trigger language plpgsql as $note$ begin
    insert into entry_search_due (entry_id) values (coalesce(new.id, old.id)) on conflict do nothing;
    return null;
  end $note$`,
  `create trigger entry_search_change after insert or delete or update of title, slug, path, excerpt, body on entry
    for each row execute function entry_search_note()`,
]

const createTerms = `create table entry_search_term (gram text collate "C" not null, size integer not null, term text collate "C" not null,
  primary key (gram, size, term))`

/** What dropping the tables of a site leaves behind. */
export const searchFunction = 'entry_search_note()'

const markAll = 'insert into entry_search_due (entry_id) select id from entry on conflict do nothing'

const putRows = `insert into entry_search (entry_id, words)
  select value ->> 0, setweight(to_tsvector('simple', value ->> 1), 'A') || setweight(to_tsvector('simple', value ->> 2), 'D')
  from json_array_elements(cast($1 as json))
  on conflict (entry_id) do update set words = excluded.words`
const dropRows = 'delete from entry_search where entry_id in (select json_array_elements_text(cast($1 as json)))'

export const postgresSearch: EntrySearch = {
  async create(db) {
    for (const statement of [...statements, markAll]) await sql.raw(statement).execute(db)
  },

  put(db, documents) {
    if (documents.length === 0) return
    const rows = documents.map(({ id, title, text }) => [id, wordsIn(title), fittingPart(wordsIn(text)).toWellFormed()])
    queueWrite(db, { query: CompiledQuery.raw(putRows, [JSON.stringify(rows)]) })
  },

  drop(db, ids) {
    if (ids.length > 0) queueWrite(db, { query: CompiledQuery.raw(dropRows, [JSON.stringify(ids)]) })
  },

  /** PostgreSQL does this by itself. */
  merge: async () => undefined,

  async reset(db) {
    for (const statement of [
      'delete from entry_search',
      'delete from entry_search_term',
      'delete from entry_search_due',
      markAll,
    ])
      await sql.raw(statement).execute(db)
  },

  async count(db, phrases, most) {
    const { rows } = await sql<{ found: number | string }>`select count(*) as found from
      (select 1 from entry_search where words @@ ${toQuery(phrases)} limit ${most}) as counted`.execute(db)
    return Number(rows[0]?.found ?? 0)
  },

  matching(phrases, most, which = 'all'): RawBuilder<SearchHit> {
    const query = toQuery(phrases, which)
    // The weights of D, C, B and A. Divided by the logarithm of the length, as a word says more in a short text.
    return sql<SearchHit>`(
      select entry_id, (-ts_rank('{0.1, 0.1, 0.1, 1}', words, ${query}, 1))::float8 as rank
      from (select entry_id, words from entry_search where words @@ ${query} order by doc desc limit ${most}) as found)`
  },

  async createTerms(db) {
    for (const statement of [createTerms, markAll]) await sql.raw(statement).execute(db)
  },

  async markNext(db, after, most) {
    const { rows } = await sql<{ last: string | null }>`
      select max(id) as last from (select id from entry where id > ${after} order by id limit ${most}) as next`.execute(db)
    const last = rows[0]?.last ?? undefined
    if (last !== undefined)
      await sql`insert into entry_search_due (entry_id) select id from entry where id > ${after} and id <= ${last}
        on conflict do nothing`.execute(db)
    return last
  },

  async markGone(db) {
    await sql`insert into entry_search_due (entry_id) select entry_id from entry_search
      where not exists (select 1 from entry where entry.id = entry_search.entry_id) on conflict do nothing`.execute(db)
  },

  async absentOf(db, terms) {
    const { rows } = await sql<{
      term: string
    }>`select term from json_array_elements_text(cast(${JSON.stringify(terms)} as json)) as t (term)
      where not exists (select 1 from entry_search where words @@ phraseto_tsquery('simple', term))`.execute(db)
    return rows.map(({ term }) => term)
  },
}

/**
 * A text without everything between its words. Otherwise the parser of PostgreSQL would keep an address, and a text such as `and/or`, as one word,
 * and nobody would find the words in it.
 */
const wordsIn = (text: string): string => text.replace(/[^\p{L}\p{M}\p{N}\s]+/gu, ' ')

/** A query that holds all phrases, or any of them. Their words are split as those of the texts are. */
const toQuery = (phrases: readonly string[], which: 'all' | 'any' = 'all') =>
  sql`(${sql.join(
    phrases.map((phrase) =>
      phrase.endsWith(prefixSign)
        ? sql`to_tsquery('simple', quote_literal(${wordsIn(phrase.slice(0, -prefixSign.length)).trim()}) || ':*')`
        : sql`phraseto_tsquery('simple', ${wordsIn(phrase)})`,
    ),
    which === 'all' ? sql` && ` : sql` || `,
  )})`
