// The cache of entries. Reading a cached entry needs no query and no `await`. A commit removes only the entries that it changed. If
// another process changed unknown entries, everything is removed. The reader of an entry checks the caller's access.

import { JsonText } from '../../base/json.ts'
import type { CacheCounts } from '../../base/metrics.ts'
import type { Soon } from '../../base/soon.ts'
import { createByteCache } from '../../store/core/byte-cache.ts'
import type { RowChange } from '../../store/change/change.ts'
import type { Store } from '../../store/core/database.ts'
import type { ChangedEntry } from '../../store/change/recent-changes.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { pathNamed } from './entry.ts'

export interface EntryCache {
  /** The entry with this id, whatever its status. */
  byId(id: string): Soon<EntryRow | undefined>
  /** The entry at a path, such as `/about/team`. */
  byPath(path: string): Soon<EntryRow | undefined>
  /** The entry with this id or path. An id that matches exactly wins. */
  named(ref: string): Soon<EntryRow | undefined>
  /**
   * The answer about an entry as text, made once per origin and revision.
   * @param live true if the entry is public now. The answer says so, and this can change with time alone
   */
  textOf(row: EntryRow, origin: string, live: boolean, make: () => Soon<string>): Soon<JsonText>
  /** Removes the entries that a commit of this process changed. */
  applied(records: readonly RowChange[]): void
  /** Removes these entries, each given by its id and its former and present paths. */
  forget(changed: readonly ChangedEntry[]): void
  clear(): void
}

const mebibyte = 1024 ** 2

interface EntryCacheOptions {
  readonly maxRowBytes?: number
  readonly maxTextBytes?: number
  readonly counts?: CacheCounts
}

/** Reads through `store.read`. @param options limits in bytes for rows and for texts, and the counter of hits on rows */
export function createEntryCache(
  store: Pick<Store, 'read'>,
  { maxRowBytes = 32 * mebibyte, maxTextBytes = 64 * mebibyte, counts }: EntryCacheOptions = {},
): EntryCache {
  const rows = createByteCache<EntryRow | undefined>({ maxBytes: maxRowBytes, sizeOf: bytesOfRow, counts })
  const ids = createByteCache<string | undefined>({
    maxBytes: 4 * mebibyte,
    sizeOf: (id, path) => 200 + 2 * (id.length + path.length),
  })
  // A text is cached with its quoted form, at two bytes per character each.
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
    // The entry moved between the two reads.
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
        if (kind !== 'entry' && kind !== 'entry_pending') continue
        rows.delete(id)
        for (const path of [before?.['path'], after?.['path']]) if (typeof path === 'string') ids.delete(path)
      }
    },
    forget(changed) {
      for (const [id, ...paths] of changed) {
        rows.delete(id)
        for (const path of paths) ids.delete(path)
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
  let chars = 0
  for (const value of Object.values(row)) if (typeof value === 'string') chars += value.length
  return 1000 + 2 * (chars + (row.path?.length ?? 0))
}
