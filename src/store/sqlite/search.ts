// The search index of SQLite: FTS5 without a copy of the texts, and a table with the row number of each entry there.
// @see https://www.sqlite.org/fts5.html#contentless_delete_tables

import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import { queueWrite } from '../core/queued-writes.ts'
import type { EntrySearch, Matching, RankedWord, SearchAmong, SearchHit, Searching } from '../search/search.ts'
import { prefixSign } from '../search/search-text.ts'

/** The order matters, because triggers refer to tables. */
const statements = [
  'create table entry_search_due (entry_id text primary key not null) without rowid',
  'create table entry_search_doc (doc integer primary key, entry_id text not null unique)',
  `create virtual table entry_search using fts5 (title, text, content = '', contentless_delete = 1,
    tokenize = 'unicode61 remove_diacritics 2')`,
  // With these options, SQLite does not merge parts of the index in the transaction that adds a text, which could take long.
  // `merge` does so in steps.
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

/** The end of an entry's public time. */
const shownUntil = (
  entry: string,
) => `case ${entry}.status when 'published' then coalesce(${entry}.unpublish_at, 9223372036854775807)
  when 'trash' then null else 0 end`

/** Triggers update `shown_until`, so that it is right whichever release or statement writes. */
const shownStatements = [
  'alter table entry_search_doc add column shown_until integer',
  `update entry_search_doc set shown_until = (select ${shownUntil('entry')} from entry where id = entry_id)`,
  `create trigger entry_search_indexed after insert on entry_search_doc begin
    update entry_search_doc set shown_until = (select ${shownUntil('entry')} from entry where id = new.entry_id)
    where doc = new.doc; end`,
  `create trigger entry_search_shown after update of status, unpublish_at on entry
    when new.status is not old.status or new.unpublish_at is not old.unpublish_at begin
    update entry_search_doc set shown_until = ${shownUntil('new')} where entry_id = new.id; end`,
  'create virtual table entry_search_place using fts5vocab (entry_search, instance)',
]

/** The end of the time in which everybody may read an entry. */
const openUntil = (entry: string) => `case when ${entry}.password_hash is null then ${shownUntil(entry)} else 0 end`

/** Trigger definitions that take passwords into account. They replace those of `shownStatements`. */
const openStatements = [
  'drop trigger entry_search_indexed',
  'drop trigger entry_search_shown',
  `create trigger entry_search_indexed after insert on entry_search_doc begin
    update entry_search_doc set shown_until = (select ${openUntil('entry')} from entry where id = new.entry_id)
    where doc = new.doc; end`,
  `create trigger entry_search_shown after update of status, unpublish_at, password_hash on entry
    when new.status is not old.status or new.unpublish_at is not old.unpublish_at
      or new.password_hash is not old.password_hash begin
    update entry_search_doc set shown_until = ${openUntil('new')} where entry_id = new.id; end`,
]

/** Marks entries with other than ASCII characters. The folding of ASCII texts has not changed. */
const markOthers = `insert or ignore into entry_search_due (entry_id) select id from entry
  where octet_length(title) + octet_length(body) + octet_length(coalesce(excerpt, ''))
    > length(title) + length(body) + length(coalesce(excerpt, ''))`

const markAll = 'insert or ignore into entry_search_due (entry_id) select id from entry'

/** Removes all words for suggestions. */
export const resetTerms = 'delete from entry_search_term'

/** Empty the index without reading it, and mark all entries as due. */
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

/** Merges about 32 pages of the index in one to three milliseconds. It does nothing if the index has few parts. */
const mergeStep = "insert into entry_search (entry_search, rank) values ('merge', 32)"
/** The added characters per step: each word is merged a few times as the index grows. */
const mergeEvery = 32 * 1024

export const sqliteSearch: EntrySearch = {
  documents: 'entry_search_doc',

  async create(db) {
    for (const statement of statements) await sql.raw(statement).execute(db)
    await sql.raw(markAll).execute(db)
  },

  put(db, documents) {
    if (documents.length === 0) return
    const ids = documents.map(({ id }) => id)
    const rows = documents.map(({ id, title, text }) => [id, toTokens(title), toTokens(text)])
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

  async count(db, searches, most) {
    const counts = searches.map(
      (one, at) =>
        sql`(select count(*) from (select 1 from entry_search where ${isFound(one)} limit ${most})) as ${sql.ref(`c${at}`)}`,
    )
    const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(db)
    return searches.map((_, at) => rows[0]?.[`c${at}`] ?? 0)
  },

  matching(asked): RawBuilder<SearchHit> {
    const candidates = sql`select rowid as doc from entry_search where ${isFound(asked)} order by rowid desc limit ${asked.most}`
    return asked.ranked.length === 0
      ? sql<SearchHit>`(select entry_id, 0 as rank from (${candidates}) as hit cross join entry_search_doc using (doc))`
      : rankedHits(candidates, asked)
  },

  async createTerms(db) {
    for (const statement of [...termStatements, markAll]) await sql.raw(statement).execute(db)
  },

  async addShown(db) {
    for (const statement of [...shownStatements, markOthers]) await sql.raw(statement).execute(db)
  },

  async addPasswords(db) {
    for (const statement of openStatements) await sql.raw(statement).execute(db)
  },

  async absentOf(db, terms) {
    const { rows } = await sql<{ term: string }>`select value as term from json_each(${JSON.stringify(terms.map(toTokens))})
      where not exists (select 1 from entry_search_word where term = json_each.value)`.execute(db)
    const absent = new Set(rows.map(({ term }) => term))
    return terms.filter((term) => absent.has(toTokens(term)))
  },
}

/** The condition on `entry_search` for a match. */
const isFound = (asked: Searching) => sql`entry_search match ${toQuery(asked)} ${among(asked)}`

const among = ({ shownAfter }: SearchAmong) =>
  shownAfter === undefined
    ? sql``
    : sql`and exists (select 1 from entry_search_doc where doc = entry_search.rowid and shown_until > ${shownAfter})`

/** The length of a text, in characters, in which a word that occurs once has half of its possible weight. */
const usualLength = 3000

/**
 * Ranks the candidates. FTS5's `bm25` reads every entry with a frequent word, and its ranks depend on all entries, also on those
 * that the caller may not see. A word in the title counts ten times.
 */
const rankedHits = (candidates: RawBuilder<unknown>, { ranked }: Matching) => sql<SearchHit>`(
  with hit as materialized (${candidates}),
  word as (select value ->> 0 as first, value ->> 1 as last, value ->> 2 as weight from json_each(${rangesOf(ranked)})),
  counted as (
    select doc, weight, sum(case col when 'title' then 10 else 1 end) as times
    from word cross join entry_search_place on term >= first and term <= last
    where doc in (select doc from hit) group by doc, first, weight),
  rated as (
    select entry_id, sum(weight * times / (times + 0.2 + coalesce(body_length, 0) / ${sql.lit(usualLength)}.0)) as rating
    from counted cross join entry_search_doc using (doc) left join entry_folded using (entry_id) group by doc)
  select entry_id, -round(coalesce(rating, 0), 6) as rank
  from hit cross join entry_search_doc using (doc) left join rated using (entry_id))`

/** Returns the first and the last term of the index for each word, and the weight of the word. */
function rangesOf(ranked: readonly RankedWord[]): string {
  const ranges = ranked.map(({ phrase, weight }) => {
    const term = toTokens(phrase.replace(prefixSign, ''))
    return [term, phrase.endsWith(prefixSign) ? `${term}\u{10ffff}` : term, weight]
  })
  return JSON.stringify(ranges)
}

/**
 * Replaces the marks of a text with private letters. FTS5 would split words at vowel signs and points, so that a Devanagari or
 * Hebrew word would be found by its consonants.
 */
const toTokens = (text: string): string =>
  mayHaveMarks.test(text)
    ? text.replace(/\p{M}/gu, (mark) => String.fromCodePoint(privateLetters + (mark.codePointAt(0) ?? 0)))
    : text
/** A fast check, ten times faster than a search for marks. There are no marks before U+0300. */
const mayHaveMarks = /[\u0300-\uffff]/
const privateLetters = 0xf0000

/** Returns a query in the language of FTS5. A quoted text has no operators. */
function toQuery({ phrases, which }: Pick<Searching, 'phrases' | 'which'>): string {
  return phrases
    .map((phrase) => {
      const prefix = phrase.endsWith(prefixSign)
      const words = toTokens(prefix ? phrase.slice(0, -prefixSign.length) : phrase)
      return `"${words.replaceAll('"', '""')}"${prefix ? ' *' : ''}`
    })
    .join(which === 'all' ? ' AND ' : ' OR ')
}
