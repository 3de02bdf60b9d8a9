// The least possible cost of a create: its statements in one transaction after another, each awaited, on a copy of the database,
// with the same driver and the same pragmas. It runs as a child process. Messages: `{from, to}` copies the database and uses the
// latest create as the pattern; `{seconds}` runs and answers with the time taken.

import { randomUUID } from 'node:crypto'
import sqlite3 from 'sqlite3'

/** The tables that a create writes, with the column that refers to the entry or to the activity record. */
const tables = [
  ['entry', 'id', 'entry'],
  ['entry_revision', 'entry_id', 'entry'],
  ['entry_folded', 'entry_id', 'entry'],
  ['entry_folded_body', 'entry_id', 'entry'],
  ['activity', 'id', 'record'],
  ['activity_object', 'activity_id', 'record'],
]
const countText =
  "insert into version (area, counter) values ('content', 1) on conflict (area) do update set counter = counter + 1 returning counter"
const atOnce = 100

let ready
process.on('message', async ({ from, to, seconds }) => {
  if (from) ready = await open(from, to)
  process.send({ took: seconds && (await run(ready, seconds * 1000)) })
})
process.on('disconnect', () => process.exit())
process.send({ port: 0 })

const promised = (start) => new Promise((done, fail) => start((error, value) => (error ? fail(error) : done(value))))
const all = (db, text, values = []) => promised((back) => db.all(text, values, back))
const statement = (db, text) =>
  promised((back) => {
    const made = db.prepare(text, (error) => back(error, made))
  })
const step = (prepared, values = []) => promised((back) => prepared.all(values, back))

async function open(from, to) {
  const live = new sqlite3.Database(from, sqlite3.OPEN_READONLY)
  await all(live, `vacuum into '${to}'`)
  await promised((back) => live.close(back))
  const db = new sqlite3.Database(to, sqlite3.OPEN_READWRITE | sqlite3.OPEN_FULLMUTEX)
  for (const pragma of ['journal_mode = wal', 'synchronous = normal', 'foreign_keys = on', 'journal_size_limit = 67108864'])
    await all(db, `pragma ${pragma}`)
  const [record] = await all(db, "select * from activity where call = 'SVC_Content.create' order by id desc limit 1")
  const [entry] = await all(
    db,
    "select entry.* from entry join activity_object on object_id = entry.id where activity_id = ? and kind = 'entry'",
    [record.id],
  )
  const ids = { entry: entry.id, record: record.id }
  const rows = []
  for (const [table, column, owner] of tables)
    rows.push((await all(db, `select * from ${table} where ${column} = ?`, [ids[owner]]))[0])
  return {
    pattern: JSON.stringify(rows),
    replaced: [entry.id, record.id, entry.slug],
    begin: await statement(db, 'begin immediate'),
    find: await statement(db, 'select id, title, path from entry where path = ?'),
    inserts: await Promise.all(rows.map((row, place) => statement(db, insertText(tables[place][0], Object.keys(row))))),
    count: await statement(db, countText),
    commit: await statement(db, 'commit'),
  }
}

const insertText = (table, columns) =>
  `insert into ${table} (${columns.map((column) => `"${column}"`).join()}) values (${columns.map(() => '?').join()})`

/** The values of one create, with new ids. */
function fresh({ pattern, replaced }) {
  const [entry, record, slug] = replaced
  const name = randomUUID()
  const text = pattern.replaceAll(entry, `z${name}`).replaceAll(record, `y${name}`).replaceAll(slug, name)
  return JSON.parse(text).map((row) => Object.values(row))
}

async function run({ begin, find, inserts, count, commit, ...pattern }, ms) {
  const times = []
  let cpu = 0
  let tookMs = 0
  while (tookMs < ms) {
    // Making the values is not measured.
    const creates = Array.from({ length: atOnce }, () => fresh(pattern))
    const cpuBefore = process.cpuUsage()
    const began = performance.now()
    for (const rows of creates) {
      const start = performance.now()
      await step(begin)
      await step(find, [`/${randomUUID()}`])
      for (const [place, values] of rows.entries()) await step(inserts[place], values)
      await step(count)
      await step(commit)
      times.push(performance.now() - start)
    }
    tookMs += performance.now() - began
    const { user, system } = process.cpuUsage(cpuBefore)
    cpu += user + system
  }
  times.sort((a, b) => a - b)
  const at = (share) => times[Math.floor(times.length * share)]
  return { perSecond: (1000 * times.length) / tookMs, p50: at(0.5), p99: at(0.99), cpu: cpu / times.length }
}
