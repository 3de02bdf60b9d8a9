// The names of the things to which old addresses lead, in calls and in exports: `/about` for an entry, `/media/team.jpg` for a
// file, `category/news` for a term, and `author/anna` for a profile. No entry stands below `/media`, and no taxonomy is called
// `author`.

import type { Db } from '../../store/core/database.ts'
import { jsonTexts } from '../../store/core/json-rows.ts'
import type { OldAddressRow } from '../../store/core/schema.ts'
import { mediaPrefix } from '../../media/file-name.ts'
import { type OldTargetKind, targetKinds } from './old-addresses.ts'

interface Named {
  readonly id: string
  readonly name: string | null
}

interface NameColumn {
  /** The rows whose id or name is among these. */
  readonly find: (db: Db, by: 'id' | 'name', values: readonly string[]) => Promise<readonly Named[]>
  /** The beginning of the name that is no part of the column. */
  readonly prefix: string
}

const columns: Readonly<Record<OldTargetKind, NameColumn>> = {
  entry: {
    prefix: '',
    find: (db, by, values) =>
      db
        .selectFrom('entry')
        .select(['id', 'path as name'])
        .where(by === 'id' ? 'id' : 'path', 'in', jsonTexts(db as never, values))
        .execute(),
  },
  media: {
    prefix: '',
    find: (db, by, values) =>
      db
        .selectFrom('media')
        .select(['id', 'path as name'])
        .where(by === 'id' ? 'id' : 'path', 'in', jsonTexts(db as never, values))
        .where('deleted_at', 'is', null)
        .execute(),
  },
  term: {
    prefix: '',
    find: (db, by, values) =>
      db
        .selectFrom('term')
        .select(['id', 'ref as name'])
        .where(by === 'id' ? 'id' : 'ref', 'in', jsonTexts(db as never, values))
        .execute(),
  },
  account: {
    prefix: 'author/',
    find: (db, by, values) =>
      db
        .selectFrom('account')
        .select(['id', 'slug as name'])
        .where(by === 'id' ? 'id' : 'slug', 'in', jsonTexts(db as never, values))
        .execute(),
  },
}

/** Returns the kind of thing that a name means. */
const kindOfName = (name: string): OldTargetKind =>
  name.startsWith(mediaPrefix) ? 'media' : name.startsWith('/') ? 'entry' : name.startsWith('author/') ? 'account' : 'term'

/** The thing with a name. */
export interface NamedTarget {
  readonly targetKind: OldTargetKind
  readonly targetId: string
}

/** Finds the things with these names. */
export async function targetsNamed(db: Db, names: readonly string[]): Promise<ReadonlyMap<string, NamedTarget>> {
  const found = new Map<string, NamedTarget>()
  for (const kind of targetKinds) {
    const wanted = [...new Set(names)].filter((name) => kindOfName(name) === kind)
    if (wanted.length === 0) continue
    const { find, prefix } = columns[kind]
    const rows = await find(
      db,
      'name',
      wanted.map((name) => name.slice(prefix.length)),
    )
    for (const { id, name } of rows) found.set(prefix + name, { targetKind: kind, targetId: id })
  }
  return found
}

/** Returns the names of the things to which these old addresses lead, by the id of the row. Things that have no name are absent. */
export async function namesOfTargets(
  db: Db,
  rows: readonly Pick<OldAddressRow, 'id' | 'target_kind' | 'target_id'>[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const kind of targetKinds) {
    const some = rows.filter((row) => row.target_kind === kind)
    if (some.length === 0) continue
    const { find, prefix } = columns[kind]
    const named = await find(db, 'id', [...new Set(some.map((row) => row.target_id))])
    const byId = new Map(named.map(({ id, name }) => [id, name]))
    for (const row of some) {
      const name = byId.get(row.target_id)
      if (name !== undefined && name !== null) found.set(row.id, prefix + name)
    }
  }
  return found
}
