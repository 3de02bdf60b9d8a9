// The table of all addresses of an old site and their places here, for people and spreadsheets. It holds drafts too, so only admins
// get it.

import { csvLine, plainCell } from '../../base/csv.ts'
import { urlOf } from '../../content/entries/entry.ts'
import { pathOfTerm } from '../../content/terms/terms.ts'
import { publicProfiles } from '../../identity/profile.ts'
import type { Db } from '../../store/core/database.ts'
import { jsonTexts } from '../../store/core/json-rows.ts'
import type { ImportItemRow } from '../../store/core/schema.ts'
import type { ItemKind } from './items.ts'

/** The name of the download. */
export const oldAddressFile = 'old-addresses.csv'

const mark = 'import:'

/** The id of the table of a run in a signed link. */
export const oldAddressId = (run: string): string => mark + run

/** Returns the run whose table a signed link is for; undefined for a link to something else. */
export const runOfOldAddressId = (id: string): string | undefined => (id.startsWith(mark) ? id.slice(mark.length) : undefined)

interface Place {
  readonly path: string
  readonly state: string
}

type Places = ReadonlyMap<string, Place>
type Listed = Extract<ItemKind, 'author' | 'term' | 'media' | 'entry'>

const findPlaces: Readonly<Record<Listed, (db: Db, ids: readonly string[]) => Promise<Places>>> = {
  async entry(db, ids) {
    const rows = await db.selectFrom('entry').select(['id', 'path', 'status']).where('id', 'in', jsonTexts(db, ids)).execute()
    return placesOf(rows, ({ path, status }) => ({ path: path ?? '', state: status }))
  },
  async term(db, ids) {
    const rows = await db.selectFrom('term').select(['id', 'ref']).where('id', 'in', jsonTexts(db, ids)).execute()
    return placesOf(rows, (row) => ({ path: pathOfTerm(row), state: 'published' }))
  },
  async media(db, ids) {
    const rows = await db
      .selectFrom('media')
      .select(['id', 'path', 'protected', 'deleted_at'])
      .where('id', 'in', jsonTexts(db, ids))
      .execute()
    return placesOf(rows, ({ path, ...row }) => ({
      path,
      state: row.deleted_at !== null ? 'trash' : row.protected === 1 ? 'protected' : 'published',
    }))
  },
  async author(db, ids) {
    const rows = await publicProfiles(db).select('id').where('id', 'in', jsonTexts(db, ids)).execute()
    return placesOf(rows, ({ slug }) => ({ path: `/author/${slug}`, state: 'published' }))
  },
}

const placesOf = <R extends { readonly id: string }>(rows: readonly R[], placeOf: (row: R) => Place): Places =>
  new Map(rows.map((row) => [row.id, placeOf(row)]))

const isListed = (kind: string): kind is Listed => Object.hasOwn(findPlaces, kind)

const atOnce = 1000

/**
 * Yields `from,to,kind,state` and a line for each old address, in the order in which the things came here.
 * @param source the old site, as runs name it
 * @param origin of the new addresses, with the base path
 */
export async function* oldAddressesCsv(db: Db, source: string, origin: string): AsyncGenerator<string> {
  yield csvLine(['from', 'to', 'kind', 'state'])
  let last: Pick<ImportItemRow, 'object_id' | 'id'> | undefined = { object_id: '', id: '' }
  while (last) {
    const rows = await itemsAfter(db, last)
    const own = rows.filter((row) => row.source === source)
    const places = await placesOfItems(db, own)
    const lines = own.flatMap(({ kind, object_id: id, addresses }) => {
      if (!isListed(kind)) return []
      const place = places.get(kind)?.get(id)
      const to = place === undefined || place.path === '' ? '' : urlOf(origin, place.path)
      const cells = [to, kind, place?.state ?? 'gone']
      return (JSON.parse(addresses) as readonly string[]).map((from) => csvLine([from, ...cells].map(plainCell)))
    })
    if (lines.length > 0) yield lines.join('')
    last = rows.length < atOnce ? undefined : rows.at(-1)
  }
}

/** The next items in the order of their objects, of any old site. The order by the index of objects needs no sorting. */
const itemsAfter = (db: Db, last: Pick<ImportItemRow, 'object_id' | 'id'>) =>
  db
    .selectFrom('import_item')
    .select(['id', 'source', 'kind', 'object_id', 'addresses'])
    .where('object_id', '>=', last.object_id)
    .where((eb) => eb.or([eb('object_id', '>', last.object_id), eb('id', '>', last.id)]))
    .orderBy('object_id')
    .orderBy('id')
    .limit(atOnce)
    .execute()

async function placesOfItems(
  db: Db,
  items: readonly Pick<ImportItemRow, 'kind' | 'object_id'>[],
): Promise<ReadonlyMap<Listed, Places>> {
  const places = new Map<Listed, Places>()
  for (const kind of Object.keys(findPlaces).filter(isListed)) {
    const ids = items.filter((item) => item.kind === kind).map(({ object_id: id }) => id)
    if (ids.length > 0) places.set(kind, await findPlaces[kind](db, ids))
  }
  return places
}
