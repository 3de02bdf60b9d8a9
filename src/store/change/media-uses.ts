// The media files that each entry names, stored with the entry so that a file's uses can be found. A name is a path below `/media/`
// or an id. Names are resolved when uses are read, so earlier paths of a file count too.

import type { Transaction } from 'kysely'
import { queueWrite } from '../core/queued-writes.ts'
import type { AnyRow } from './change.ts'
import type { Schema } from '../core/schema.ts'

/** The most names per entry; the rest is not stored. */
const maxRefs = 2000

const pathInText = /\/media\/[a-z0-9/.-]{1,400}/g
const idInText = /\(\s{0,9}<?([0-9a-hjkmnp-tv-z]{26})(?=[\s>)])/g
const idInJson = /"([0-9a-hjkmnp-tv-z]{26})"/g

/** The columns of an entry that may name media, each with its reader. */
const columns: Readonly<Record<string, (text: string) => Iterable<string>>> = {
  body: inMarkdown,
  cover: (text) => [text],
  seo: inJson,
  fields: inJson,
}

function* pathsIn(text: string): Iterable<string> {
  if (!text.includes('/media/')) return
  for (const [found] of text.matchAll(pathInText)) {
    // A full stop after a path ends the sentence.
    const path = found.endsWith('.') ? found.slice(0, -1) : found
    if (/\.[a-z0-9]{1,8}$/.test(path)) yield path
  }
}

function* inMarkdown(text: string): Iterable<string> {
  yield* pathsIn(text)
  for (const [, id = ''] of text.matchAll(idInText)) yield id
}

function* inJson(text: string): Iterable<string> {
  if (text.length < 28) return
  for (const [, id = ''] of text.matchAll(idInJson)) yield id
  yield* pathsIn(text)
}

/** True if a change of these columns can change the names in an entry. */
export const changesUses = (changed: readonly string[]): boolean => changed.some((column) => Object.hasOwn(columns, column))

export function mediaNamedIn(row: AnyRow): ReadonlySet<string> {
  const refs = new Set<string>()
  for (const [column, find] of Object.entries(columns)) {
    const text = row[column]
    if (typeof text !== 'string' || text === '') continue
    for (const ref of find(text)) if (refs.size < maxRefs) refs.add(ref)
  }
  return refs
}

/** Queues the changes of an entry's names. @param before null for a new entry */
export function keepUses(db: Transaction<Schema>, before: AnyRow | null, after: AnyRow): void {
  const old = before === null ? new Set<string>() : mediaNamedIn(before)
  const now = mediaNamedIn(after)
  const id = String(after['id'])
  const gone = [...old].filter((ref) => !now.has(ref))
  const added = [...now].filter((ref) => !old.has(ref))
  if (gone.length > 0)
    queueWrite(db, { query: db.deleteFrom('media_use').where('entry_id', '=', id).where('ref', 'in', gone).compile() })
  if (added.length === 0) return
  const rows = added.map((ref) => ({ entry_id: id, ref }))
  const insert = db.insertInto('media_use').values(rows)
  queueWrite(db, { query: insert.onConflict((on) => on.columns(['entry_id', 'ref']).doNothing()).compile() })
}
