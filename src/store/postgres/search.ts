// The search index of PostgreSQL: a side table with a `tsvector` per entry, whose words are folded and split by `search-text.ts`.
// @see https://www.postgresql.org/docs/15/textsearch.html

import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import { queueWrite } from '../core/queued-writes.ts'
import type { EntrySearch, SearchAmong, SearchHit, Searching } from '../search/search.ts'
import { vectorOf, vectorQuery } from './search-vector.ts'

const statements = [
  'create table entry_search_due (entry_id text collate "C" primary key)',
  `create table entry_search (doc bigserial primary key, entry_id text collate "C" not null unique, words tsvector not null)`,
  // New words are collected in a list before they are indexed. The list is short, so the writer that fills it indexes it quickly.
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

/** The end of an entry's public time. */
const shownUntil = (entry: string) =>
  `case ${entry}.status when 'published' then coalesce(${entry}.unpublish_at, 9223372036854775807) else 0 end`

/**
 * The end of each document's public time. As a column of `entry_search`, each change of it would index all words of the entry
 * again. Triggers update the table, so that it is right whichever release or statement writes.
 */
const shownStatements = [
  `create table entry_search_shown (doc bigint primary key references entry_search (doc) on delete cascade, until bigint not null)`,
  `insert into entry_search_shown (doc, until) select doc, ${shownUntil('entry')}
    from entry_search join entry on entry.id = entry_id where status <> 'trash'`,
  `create function entry_search_indexed() returns trigger language plpgsql as $indexed$ begin
    insert into entry_search_shown (doc, until) select new.doc, ${shownUntil('entry')}
      from entry where id = new.entry_id and status <> 'trash';
    return null;
  end $indexed$`,
  `create trigger entry_search_indexed after insert on entry_search for each row execute function entry_search_indexed()`,
  `create function entry_search_show() returns trigger language plpgsql as $show$ begin
    delete from entry_search_shown where doc in (select doc from entry_search where entry_id = new.id);
    insert into entry_search_shown (doc, until) select doc, ${shownUntil('new')}
      from entry_search where entry_id = new.id and new.status <> 'trash';
    return null;
  end $show$`,
  `create trigger entry_search_show after update of status, unpublish_at on entry for each row
    when (new.status is distinct from old.status or new.unpublish_at is distinct from old.unpublish_at)
    execute function entry_search_show()`,
]

/** The end of the time in which everybody may read an entry. */
const openUntil = (entry: string) => `case when ${entry}.password_hash is null then ${shownUntil(entry)} else 0 end`

/** Functions and a trigger that take passwords into account. They replace those of `shownStatements`. */
const openStatements = [
  `create or replace function entry_search_indexed() returns trigger language plpgsql as $indexed$ begin
    insert into entry_search_shown (doc, until) select new.doc, ${openUntil('entry')}
      from entry where id = new.entry_id and status <> 'trash';
    return null;
  end $indexed$`,
  `create or replace function entry_search_show() returns trigger language plpgsql as $show$ begin
    delete from entry_search_shown where doc in (select doc from entry_search where entry_id = new.id);
    insert into entry_search_shown (doc, until) select doc, ${openUntil('new')}
      from entry_search where entry_id = new.id and new.status <> 'trash';
    return null;
  end $show$`,
  'drop trigger entry_search_show on entry',
  `create trigger entry_search_show after update of status, unpublish_at, password_hash on entry for each row
    when (new.status is distinct from old.status or new.unpublish_at is distinct from old.unpublish_at
      or new.password_hash is distinct from old.password_hash)
    execute function entry_search_show()`,
]

/** Marks entries with other than ASCII characters. The folding of ASCII texts has not changed. */
const markOthers = `insert into entry_search_due (entry_id) select id from entry
  where octet_length(title) + octet_length(body) + octet_length(coalesce(excerpt, ''))
    > length(title) + length(body) + length(coalesce(excerpt, '')) on conflict do nothing`

/** Functions that remain when the tables of a site are dropped. */
export const searchFunctions = ['entry_search_note()', 'entry_search_indexed()', 'entry_search_show()'].join(', ')

const markAll = 'insert into entry_search_due (entry_id) select id from entry on conflict do nothing'

const putRows = `insert into entry_search (entry_id, words)
  select value ->> 0, cast(value ->> 1 as tsvector) from json_array_elements(cast($1 as json))
  on conflict (entry_id) do update set words = excluded.words`
const dropRows = 'delete from entry_search where entry_id in (select json_array_elements_text(cast($1 as json)))'

export const postgresSearch: EntrySearch = {
  documents: 'entry_search',

  async create(db) {
    for (const statement of [...statements, markAll]) await sql.raw(statement).execute(db)
  },

  put(db, documents) {
    if (documents.length === 0) return
    const rows = documents.map((one) => [one.id, vectorOf(one)])
    queueWrite(db, { query: CompiledQuery.raw(putRows, [JSON.stringify(rows)]) })
  },

  drop(db, ids) {
    if (ids.length > 0) queueWrite(db, { query: CompiledQuery.raw(dropRows, [JSON.stringify(ids)]) })
  },

  /** PostgreSQL merges automatically. */
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

  async count(db, searches, most) {
    const counts = searches.map(
      (one, at) =>
        sql`(select count(*) from (select 1 from entry_search where words @@ ${hiddenQuery(one)} ${among(one)} limit ${most})
          as ${sql.ref(`f${at}`)}) as ${sql.ref(`c${at}`)}`,
    )
    const { rows } = await sql<Record<string, number | string>>`select ${sql.join(counts)}`.execute(db)
    return searches.map((_, at) => Number(rows[0]?.[`c${at}`] ?? 0))
  },

  matching(asked): RawBuilder<SearchHit> {
    const { ranked, which, most, frequent } = asked
    const query = frequent ? plainQuery(asked) : hiddenQuery(asked)
    const words = vectorQuery({ phrases: ranked.map(({ phrase }) => phrase), which })
    // The weights of D, C, B and A. The rank is divided by the logarithm of the length, because a word says more about a short
    // text.
    const rank = ranked.length === 0 ? sql`0` : sql`-ts_rank('{0.1, 0.1, 0.1, 1}', words, cast(${words} as tsquery), 1)`
    return sql<SearchHit>`(
      select entry_id, cast(${rank} as float8) as rank
      from (select entry_id, words from entry_search where words @@ ${query} ${among(asked)} order by doc desc limit ${most}) as found)`
  },

  async createTerms(db) {
    for (const statement of [createTerms, markAll]) await sql.raw(statement).execute(db)
  },

  async addShown(db) {
    for (const statement of [...shownStatements, markOthers]) await sql.raw(statement).execute(db)
  },

  async addPasswords(db) {
    for (const statement of openStatements) await sql.raw(statement).execute(db)
  },

  async absentOf(db, terms) {
    const { rows } = await sql<{
      term: string
    }>`select term from json_array_elements_text(cast(${JSON.stringify(terms)} as json)) as t (term)
      where not exists (select 1 from entry_search where words @@ cast(quote_literal(term) as tsquery))`.execute(db)
    return rows.map(({ term }) => term)
  },
}

/**
 * The condition on the public time, which is looked up for each entry until enough are found. A join would first process all
 * entries with the words.
 */
const among = ({ shownAfter }: SearchAmong) =>
  shownAfter === undefined
    ? sql``
    : sql`and (select until from entry_search_shown as shown where shown.doc = entry_search.doc) > ${shownAfter}`

/**
 * A query whose words are hidden from the planner. Otherwise the planner would read the whole table for words that it estimates as
 * frequent, because it ignores the cost of unpacking each entry's words.
 */
const hiddenQuery = (asked: Searching) => sql`(select cast(${vectorQuery(asked)} as tsquery))`

/**
 * A query whose words the planner sees, even in a prepared statement. If most entries have them, it walks from the newest entry.
 */
const plainQuery = (asked: Searching) => sql`cast(${sql.lit(vectorQuery(asked))} as tsquery)`
