// Fills the database of a site with entries. It writes to the file directly, so that a site of a million entries takes minutes.
// The search index is written too. The service must not run.

import { join } from 'node:path'
import sqlite3 from 'sqlite3'

const atOnce = 2000
const vocabulary = 20_000
const wordsOfBody = 220

/** Words that occur in a known share of the entries. */
export const words = { frequent: 'harbour', first: 'lantern', second: 'compass', rare: 'quicksilver' }

/** Numbers that look random and are the same in each run. */
function numbers(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** A word of the vocabulary; some are much more frequent than others, as in a language. */
const wordOf = (place) => `w${((place * 7919) % vocabulary).toString(36)}`
const someWord = (next) => wordOf(Math.floor(vocabulary ** next()))

export const idOf = (number) => `01k0000000${number.toString(36).padStart(16, '0')}`

/** 85 of 100 entries are published, 10 are drafts, 3 private and 2 in the trash. */
function statusOf(number) {
  const part = (number * 37) % 100
  return part < 85 ? 'published' : part < 95 ? 'draft' : part < 98 ? 'private' : 'trash'
}
export const isPublished = (number) => statusOf(number) === 'published'

function entryOf(number, count, next) {
  const id = idOf(number)
  const title = Array.from({ length: 4 }, () => someWord(next)).join(' ')
  const text = Array.from({ length: wordsOfBody }, () => someWord(next))
  if (next() < 0.25) text.push(words.frequent)
  if (next() < 0.1) text.push(words.first)
  if (next() < 0.1) text.push(words.second)
  if (number % Math.ceil(count / 4) === 1) text.push(words.rare)
  const status = statusOf(number)
  const type = next() < 0.5 ? 'page' : 'post'
  const at = 1_600_000_000_000 + number * 60_000
  return [id, type, `${title} ${number}`, `entry-${number}`, status, at, text.join(' ')]
}

const columns = ['id', 'type', 'title', 'slug', 'status', 'at', 'body']
const given = columns.map((name, place) => `value ->> ${place} as ${name}`).join(', ')

const statements = [
  `insert into entry (id, type, title, slug, path, body, excerpt, status, published_at, unpublish_at, author_id, parent_id, position, seo, locale,
    created_at, updated_at, revision)
    select id, type, title, slug, case when status = 'trash' then null else '/' || slug end, body, null, status,
    case when status = 'published' then at end, null, null, null, 0, '{}', null, at, at, 1 from (select ${given} from json_each(?))`,
  `insert into entry_folded (entry_id, revision, title, slug, path, excerpt, body_length)
    select id, 1, lower(title), slug, case when status = 'trash' then null else '/' || slug end, null, length(body)
    from (select ${given} from json_each(?))`,
  `insert into entry_folded_body (entry_id, body) select id, body from (select ${given} from json_each(?))`,
  `insert into entry_search_doc (entry_id) select id from (select ${given} from json_each(?))`,
  `insert into entry_search (rowid, title, text) select doc, title, body from (select ${given} from json_each(?)) as given
    cross join entry_search_doc on entry_search_doc.entry_id = given.id`,
]

/** The number of words that the site knows for other spellings, in addition to the words that are searched for. */
const spellings = 50_000

/** Rows of `entry_search_term`: the words that are searched for, and invented words of 4 to 9 letters. */
function termRows(next) {
  const letter = () => 'etaoinshrdlucmfwypvbgkjqxz'[Math.floor(26 * next() ** 2)]
  const invented = Array.from({ length: spellings }, () => Array.from({ length: 4 + Math.floor(6 * next()) }, letter).join(''))
  return [...new Set([...Object.values(words), ...invented])].flatMap((term) =>
    Array.from(term, (_, place) => [`^${term}$`.slice(place, place + 3), term.length, term]),
  )
}

/** Writes `count` entries into the site of a home. */
export async function load(home, count) {
  const db = await new Promise((done, fail) => {
    const opened = new sqlite3.Database(join(home, 'data', 'postern.db'), (error) => (error ? fail(error) : done(opened)))
  })
  const ask = (sql, values = []) =>
    new Promise((done, fail) => db.all(sql, values, (error, rows) => (error ? fail(error) : done(rows))))
  try {
    for (const pragma of ['synchronous = off', 'cache_size = -400000', 'foreign_keys = off']) await ask(`pragma ${pragma}`)
    const parts = await ask(
      "select type, name, sql from sqlite_schema where tbl_name = 'entry' and sql is not null and type in ('index', 'trigger')",
    )
    for (const { type, name } of parts) await ask(`drop ${type} ${name}`)
    const next = numbers(count)
    for (let first = 1; first <= count; first += atOnce) {
      const length = Math.min(atOnce, count - first + 1)
      const rows = JSON.stringify(Array.from({ length }, (_, place) => entryOf(first + place, count, next)))
      await ask('begin')
      for (const statement of statements) await ask(statement, [rows])
      await ask('commit')
      // The site also does this after each batch.
      await ask("insert into entry_search (entry_search, rank) values ('merge', 2000)")
    }
    await ask('insert or ignore into entry_search_term select value ->> 0, value ->> 1, value ->> 2 from json_each(?)', [
      JSON.stringify(termRows(next)),
    ])
    for (const { sql } of parts) await ask(sql)
    await ask('pragma wal_checkpoint(truncate)')
  } finally {
    await new Promise((done) => db.close(done))
  }
}
