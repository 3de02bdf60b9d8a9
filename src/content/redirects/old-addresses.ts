// Old addresses: what imported things were called on the sites from which they came. A row names the site, the kind and the number
// or path there, and the entry, term, file or author here. A request finds the thing by its id, so that its address is the present
// one. A thing that is not public has no address (attack 89). Former paths of entries are in `entries/aliases.ts`.

import type { Change } from '../../store/change/change.ts'
import type { Db } from '../../store/core/database.ts'
import { newId } from '../../store/core/ids.ts'
import { jsonTexts } from '../../store/core/json-rows.ts'
import type { OldAddressRow } from '../../store/core/schema.ts'
import { toOldPath } from './old-paths.ts'

/** The kinds of old addresses: numbers, of which an item has one as a post, page or attachment (`/?p=123`), and paths. */
export const oldKinds = ['item', 'term', 'author', 'path'] as const
export type OldKind = (typeof oldKinds)[number]

/** The kinds of things to which old addresses lead. */
export const targetKinds = ['entry', 'term', 'media', 'account'] as const
export type OldTargetKind = (typeof targetKinds)[number]

/** The name of an old address. */
export interface OldKey {
  /** The address of the old site, such as `https://old.example.org/blog`. */
  readonly site: string
  readonly kind: OldKind
  /** The number of a thing on the old site, or a path or address. */
  readonly old: string
}

export interface OldAddress extends OldKey {
  readonly targetKind: OldTargetKind
  /** The id of the thing on this site. An account leads to its profile. */
  readonly targetId: string
}

export interface WrittenOldAddresses {
  /** Ids of the rows that were added or changed. */
  readonly done: readonly string[]
  readonly unchanged: readonly string[]
  /** Addresses that nobody can ask for, as given. */
  readonly passedOver: readonly OldKey[]
}

const maxSiteBytes = 300
const maxIdChars = 100

/** Returns the stored form of a key; undefined for an address that nobody can ask for. */
function toKey({ site, kind, old }: OldKey): OldKey | undefined {
  const stored = kind === 'path' ? toOldPath(old) : old
  if (stored === undefined || stored === '' || (kind !== 'path' && stored.length > maxIdChars)) return undefined
  if (Buffer.byteLength(site) > maxSiteBytes || !site.isWellFormed() || !stored.isWellFormed()) return undefined
  return { site: site.replace(/\/$/, ''), kind, old: stored }
}

const nameOf = ({ site, kind, old }: OldKey): string => JSON.stringify([old, kind, site])

/** The number of keys in a query. */
const keysAtOnce = 500

/**
 * Writes old addresses; each replaces one with the same site, kind and old name. Of two with the same, the last counts.
 *
 *     await writeOldAddresses(change, [
 *       { site: 'https://old.example.org', kind: 'item', old: '123', targetKind: 'entry', targetId: entry.id },
 *       { site: 'https://old.example.org', kind: 'path', old: '/category/a/b/', targetKind: 'term', targetId: term.id },
 *     ])
 */
export async function writeOldAddresses(change: Change, given: readonly OldAddress[]): Promise<WrittenOldAddresses> {
  const wanted = new Map<string, OldAddress>()
  const passedOver: OldKey[] = []
  for (const one of given) {
    const key = toKey(one)
    if (key) wanted.set(nameOf(key), { ...one, ...key })
    else passedOver.push(one)
  }
  const before = await oldAddressesNamed(change.db, [...wanted.values()])
  const [done, unchanged]: [string[], string[]] = [[], []]
  for (const [name, { site, kind, old, targetKind, targetId }] of wanted) {
    const target = { target_kind: targetKind, target_id: targetId }
    const row = before.get(name)
    if (!row) {
      const id = newId(change.now)
      await change.insert('old_address', { id, site, kind, old, ...target, created_at: change.now })
      done.push(id)
    } else ((await change.update('old_address', row, target)).changed.length > 0 ? done : unchanged).push(row.id)
  }
  return { done, unchanged, passedOver }
}

/** Returns the rows with these keys, by `nameOf` of the stored key. */
async function oldAddressesNamed(db: Db, keys: readonly OldKey[]): Promise<ReadonlyMap<string, OldAddressRow>> {
  const found = new Map<string, OldAddressRow>()
  for (let from = 0; from < keys.length; from += keysAtOnce) {
    const part = keys.slice(from, from + keysAtOnce)
    const wanted = new Set(part.map(nameOf))
    const rows = await rowsAt(
      db,
      oldKinds.filter((kind) => part.some((one) => one.kind === kind)),
      part.map(({ old }) => old),
    )
    for (const row of rows) if (wanted.has(nameOf(row as OldKey))) found.set(nameOf(row as OldKey), row)
  }
  return found
}

/** The rows with these old names. An order in the query would make SQLite read all rows of a kind by another index. */
const rowsAt = (db: Db, kinds: readonly OldKind[], olds: readonly string[]): Promise<OldAddressRow[]> =>
  db
    .selectFrom('old_address')
    .selectAll()
    .where('old', 'in', jsonTexts(db as never, olds))
    .where('kind', 'in', kinds)
    .execute()

/** Returns the old address with this key, as far as one is stored. */
export async function findOldAddress(db: Db, given: OldKey): Promise<OldAddressRow | undefined> {
  const key = toKey(given)
  return key && (await oldAddressesNamed(db, [key])).get(nameOf(key))
}

/** Returns all rows of a kind with one of these old names, of any site, the earliest first. */
export async function oldAddressesAt(db: Db, kind: OldKind, olds: readonly string[]): Promise<readonly OldAddressRow[]> {
  const rows = await rowsAt(db, [kind], olds)
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** True if things of a kind were imported. */
export async function hasOldAddresses(db: Db, kind: OldKind): Promise<boolean> {
  const row = await db.selectFrom('old_address').select('id').where('kind', '=', kind).limit(1).executeTakeFirst()
  return row !== undefined
}

/** Returns the old addresses of a thing of this site. */
export const oldAddressesOf = (db: Db, kind: OldTargetKind, id: string): Promise<OldAddressRow[]> =>
  db.selectFrom('old_address').selectAll().where('target_id', '=', id).where('target_kind', '=', kind).orderBy('id').execute()

/** Removes the old addresses of a thing that is destroyed, or gives them to another thing of its kind. */
export async function leaveOldAddresses(change: Change, kind: OldTargetKind, id: string, heir?: string): Promise<void> {
  for (const row of await oldAddressesOf(change.db, kind, id))
    await (heir === undefined ? change.remove('old_address', row) : change.update('old_address', row, { target_id: heir }))
}
