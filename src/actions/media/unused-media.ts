// Removes media files that nothing needs. A file is needed by a row, also in the trash, by a row that has it as an earlier file,
// and by an undone upload that can be redone. Other files in the store are left over from a crash or a changed focus point.

import { forgetObject } from '../../activity/forget.ts'
import { system } from '../../identity/caller.ts'
import { sweepStaged } from '../../imports/staged-imports.ts'
import type { Recurring } from '../../jobs/recurring.ts'
import { sweepMediaDrafts } from '../../media/media-parts.ts'
import type { EarlierFile } from '../../media/media-rows.ts'
import type { RowChange } from '../../store/change/change.ts'
import type { Db } from '../../store/core/database.ts'
import { commit, recordChange } from '../call/commit.ts'
import type { Services } from '../call/services.ts'

type Site = Pick<Services, 'store' | 'freshness' | 'webhooks' | 'mail' | 'log' | 'clock' | 'media'>

const dayMs = 24 * 60 * 60_000
/** The time for which the undo of an upload can be redone. */
const redoMs = 30 * dayMs
/** The number of files per transaction. Other writers wait for each transaction. */
const atOnce = 100

/** Names of files and keys in the store. */
export interface StoredNames {
  readonly files: readonly string[]
  readonly keys: readonly string[]
}

/** The recurring work that removes unused files once a day. */
export const unusedMediaTurn = (site: Site & Pick<Services, 'config'>): Recurring => ({
  name: 'unused media',
  call: 'SVC_Media.purge',
  everyMs: dayMs,
  async run(signal) {
    await sweepMediaDrafts(site.config.POSTERN_HOME, site.clock.now())
    await sweepStaged(site.config.POSTERN_HOME, site.clock.now())
    return sweepUnused(site, signal)
  },
})

/**
 * Ends the redo of uploads that were undone 30 days ago, and removes files that nothing needs. Files younger than a day stay,
 * because a running call may be about to use them.
 */
export async function sweepUnused(site: Site, signal?: AbortSignal): Promise<{ readonly removed: number }> {
  const now = site.clock.now()
  const { store } = site.media
  await forgetUndone(site, now - redoMs)
  const isOld = ({ placedAt }: { readonly placedAt: number }) => placedAt < now - dayMs
  const named = (found: readonly { readonly name: string }[]) => found.map(({ name }) => name)
  const files = named((await store.listFiles()).filter(isOld))
  const keys = new Set([
    ...named((await store.listKeys()).filter(isOld)),
    ...(await listPictureKeys(site.store.read, now - dayMs)),
  ])
  let removed = 0
  for (const part of parts(files)) {
    signal?.throwIfAborted()
    removed += await removeUnused(site, { files: part, keys: [] })
  }
  for (const part of parts([...keys])) {
    signal?.throwIfAborted()
    removed += await removeUnused(site, { files: [], keys: part })
  }
  return { removed }
}

function parts<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / atOnce) }, (_, at) => all.slice(at * atOnce, (at + 1) * atOnce))
}

/** Returns the keys of variants that belong to no file. */
async function listPictureKeys(db: Db, before: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('media_picture')
    .leftJoin('media', 'media.file_key', 'media_picture.file_key')
    .select('media_picture.file_key')
    .where('media.id', 'is', null)
    .where('media_picture.made_at', '<', before)
    .execute()
  return rows.map(({ file_key: key }) => key)
}

/** Removes the given files and keys that nothing needs. @returns the number that was removed */
export async function removeUnused({ store, media }: Pick<Site, 'store' | 'media'>, named: StoredNames): Promise<number> {
  const seemUnused = await withoutRows(store.read, named)
  if (seemUnused.files.length + seemUnused.keys.length === 0) return 0
  // The transaction prevents an upload of the same bytes from using a file that is being removed.
  return store.transaction(async (db) => {
    const { files, keys } = await withoutRows(db, seemUnused)
    const kept = [...(await listEarlier(db)), ...(await listRedoable(db))]
    const isKept = (name: string) => kept.some(({ file, file_key: key }) => file === name || key === name)
    const gone = { files: files.filter((file) => !isKept(file)), keys: keys.filter((key) => !isKept(key)) }
    for (const file of gone.files) await media.store.remove(file)
    for (const key of gone.keys) {
      await db.deleteFrom('media_picture').where('file_key', '=', key).execute()
      await media.store.removeMade(key)
      await media.store.unpublish(key)
    }
    return gone.files.length + gone.keys.length
  })
}

/** Returns the names that no row has. */
async function withoutRows(db: Db, { files, keys }: StoredNames): Promise<StoredNames> {
  if (files.length + keys.length === 0) return { files, keys }
  const rows = await db
    .selectFrom('media')
    .select(['file', 'file_key'])
    .where((eb) =>
      eb.or([...(files.length ? [eb('file', 'in', files)] : []), ...(keys.length ? [eb('file_key', 'in', keys)] : [])]),
    )
    .execute()
  const has = new Set(rows.flatMap(({ file, file_key: key }) => [file, key]))
  return { files: files.filter((file) => !has.has(file)), keys: keys.filter((key) => !has.has(key)) }
}

type Kept = Pick<EarlierFile, 'file' | 'file_key'>

/** Returns the replaced files that rows have as earlier files. */
async function listEarlier(db: Db): Promise<readonly Kept[]> {
  const rows = await db.selectFrom('media').select('earlier').where('earlier', '!=', '[]').execute()
  return rows.flatMap(({ earlier }) => JSON.parse(earlier) as EarlierFile[])
}

/** The records of deleted rows. Forgotten objects have no path in them, so they are excluded. */
const recordsOfGone = (db: Db) =>
  db
    .selectFrom('activity_object')
    .innerJoin('activity', 'activity.id', 'activity_object.activity_id')
    .leftJoin('media', 'media.id', 'activity_object.object_id')
    .where('activity_object.kind', '=', 'media')
    .where('activity_object.path', 'is not', null)
    .where('media.id', 'is', null)

/** Returns the files of undone uploads that can be redone. */
async function listRedoable(db: Db): Promise<readonly Kept[]> {
  const rows = await recordsOfGone(db).select('activity.changes').execute()
  return rows
    .flatMap(({ changes }) => JSON.parse(changes) as RowChange[])
    .filter(({ kind }) => kind === 'media')
    .flatMap(({ before, after }) => [before, after])
    .flatMap((row) => [row, ...(JSON.parse(String(row?.['earlier'] ?? '[]')) as EarlierFile[])])
    .map((row) => ({ file: String(row?.['file'] ?? ''), file_key: String(row?.['file_key'] ?? '') }))
}

/** Forgets the uploads that were undone before a time. They can't be redone after that. */
async function forgetUndone(site: Site, before: number): Promise<void> {
  const rows = await recordsOfGone(site.store.read).select(['activity_object.object_id', 'activity.at']).execute()
  const recent = new Set(rows.filter(({ at }) => at > before).map(({ object_id: id }) => id))
  const ids = new Set(rows.map(({ object_id: id }) => id).filter((id) => !recent.has(id)))
  const recording = {
    caller: system,
    call: 'SVC_Media.purge',
    summary: 'Removes files whose upload was undone 30 days ago.',
    input: {},
    effect: 'destroy',
    now: site.clock.now(),
  } as const
  for (const part of parts([...ids]))
    await commit(site, 'SVC_Media.purge', (open) =>
      recordChange(open, recording, async ({ db }) => {
        for (const id of part) await forgetObject(db, 'media', id)
      }),
    )
}
