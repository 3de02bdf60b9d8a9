// Which media files an entry names, kept beside the entry so that a file knows its uses. A name is a path below `/media/` or an id: what it stands
// for is looked up when somebody asks, so an earlier path of a file counts too.

import type { Transaction } from 'kysely'
import { queueWrite } from './queued-writes.ts'
import type { AnyRow } from './change.ts'
import type { Schema } from './schema.ts'

/** Beyond this number, the names in one entry are not kept. */
const maxRefs = 2000

const pathInText = /\/media\/[a-z0-9/.-]{1,400}/g
const idInText = /\(\s{0,9}<?([0-9a-hjkmnp-tv-z]{26})(?=[\s>)])/g
const idInJson = /"([0-9a-hjkmnp-tv-z]{26})"/g

/** The columns of an entry in which media are named, with how to read them. */
const columns: Readonly<Record<string, (text: string) => Iterable<string>>> = {
  body: inMarkdown,
  cover: (text) => [text],
  seo: inJson,
  fields: inJson,
}

function* pathsIn(text: string): Iterable<string> {
  if (!text.includes('/media/')) return
  for (const [found] of text.matchAll(pathInText)) {
    // A sentence may end behind the path.
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

/** True if a change of these columns can change what an entry names. */
export const changesUses = (changed: readonly string[]): boolean => changed.some((column) => Object.hasOwn(columns, column))

/** The names of media in the row of an entry. */
export function mediaNamedIn(row: AnyRow): ReadonlySet<string> {
  const refs = new Set<string>()
  for (const [column, find] of Object.entries(columns)) {
    const text = row[column]
    if (typeof text !== 'string' || text === '') continue
    for (const ref of find(text)) if (refs.size < maxRefs) refs.add(ref)
  }
  return refs
}

/** Stores what an entry names now, where it differs from before, without waiting for it. @param before null for a new entry */
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
