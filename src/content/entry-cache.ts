// Entries in memory: a read of one that was read before asks no database and awaits nothing. It is told what changed here by record,
// and of other processes that something did. Who may see an entry is the reader's to hold.

import { JsonText } from '../json.ts'
import type { CacheCounts } from '../metrics.ts'
import { createByteCache } from '../store/byte-cache.ts'
import type { RowChange } from '../store/change.ts'
import type { Store } from '../store/database.ts'
import type { EntryRow } from '../store/schema.ts'
import { pathNamed } from './entry.ts'

/** At once where it is known, else when the database has answered. */
export type Soon<T> = T | Promise<T>

export interface EntryCache {
  /** The entry of an id, in whatever status. */
  byId(id: string): Soon<EntryRow | undefined>
  /** The entry at a path, such as `/about/team`. */
  byPath(path: string): Soon<EntryRow | undefined>
  /** The entry of an id or path; an exact id wins. */
  named(ref: string): Soon<EntryRow | undefined>
  /**
   * What is told of an entry, as text that is made once for each origin and revision.
   * @param live whether it is public now, which is part of what is told and may change with the clock
   */
  textOf(row: EntryRow, origin: string, live: boolean, make: () => Soon<string>): Soon<JsonText>
  /** Forgets what a commit of this process changed. */
  applied(records: readonly RowChange[]): void
  /** Forgets all. */
  clear(): void
}

const mebibyte = 1024 ** 2

interface EntryCacheOptions {
  readonly maxRowBytes?: number
  readonly maxTextBytes?: number
  readonly counts?: CacheCounts
}

/** Reads by `store.read`. @param options caps in bytes: of rows, and of texts made of them; where the hits on rows are counted */
export function createEntryCache(
  store: Pick<Store, 'read'>,
  { maxRowBytes = 32 * mebibyte, maxTextBytes = 64 * mebibyte, counts }: EntryCacheOptions = {},
): EntryCache {
  const rows = createByteCache<EntryRow | undefined>({ maxBytes: maxRowBytes, sizeOf: bytesOfRow, counts })
  const ids = createByteCache<string | undefined>({
    maxBytes: 4 * mebibyte,
    sizeOf: (id, path) => 200 + 2 * (id.length + path.length),
  })
  // Kept with its quoted form, each at two bytes a character.
  const texts = createByteCache<JsonText>({
    maxBytes: maxTextBytes,
    sizeOf: ({ text }, key) => 200 + 2 * key.length + 5 * text.length,
  })

  const loadRow = (id: string) => store.read.selectFrom('entry').selectAll().where('id', '=', id).executeTakeFirst()
  const loadId = async (path: string) =>
    (await store.read.selectFrom('entry').select('id').where('path', '=', path).executeTakeFirst())?.id

  const byId: EntryCache['byId'] = (id) => rows.get(id) ?? rows.load(id, loadRow)

  const loadByPath = async (path: string): Promise<EntryRow | undefined> => {
    const id = await ids.load(path, loadId)
    const row = id === undefined ? undefined : await byId(id)
    if (row === undefined || row.path === path) return row
    // It moved between the two reads.
    ids.delete(path)
    return store.read.selectFrom('entry').selectAll().where('path', '=', path).executeTakeFirst()
  }
  const byPath: EntryCache['byPath'] = (path) => {
    const id = ids.get(path)
    const row = id === undefined ? undefined : rows.get(id)
    return row?.path === path ? row : loadByPath(path)
  }

  return {
    byId,
    byPath,
    named(ref) {
      if (ref.startsWith('/')) return byPath(pathNamed(ref))
      return rows.get(ref) ?? rows.load(ref, loadRow).then((row) => row ?? byPath(pathNamed(ref)))
    },
    textOf(row, origin, live, make) {
      const key = `${row.id} ${row.revision} ${live ? 'live' : ''} ${origin}`
      return texts.get(key) ?? texts.load(key, async () => new JsonText(await make()))
    },
    applied(records) {
      for (const { kind, id, before, after } of records) {
        if (kind !== 'entry') continue
        rows.delete(id)
        for (const path of [before?.['path'], after?.['path']]) if (typeof path === 'string') ids.delete(path)
      }
    },
    clear() {
      rows.clear()
      ids.clear()
      texts.clear()
    },
  }
}

function bytesOfRow(row: EntryRow): number {
  return (
    1000 + 2 * (row.body.length + row.title.length + row.seo.length + (row.excerpt?.length ?? 0) + 2 * (row.path?.length ?? 0))
  )
}
