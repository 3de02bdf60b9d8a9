// The public paths of media files: free paths for new files, and earlier paths, which still lead to renamed files.

import { Failure, invalid } from '../../base/failure.ts'
import { mediaPath, mediaPrefix, numbered } from '../../media/file-name.ts'
import type { Change } from '../../store/change/change.ts'
import type { Db } from '../../store/core/database.ts'
import type { MediaRow } from '../../store/core/schema.ts'

const maxTries = 1000
const atOnce = 50

/** Returns the first of `team.jpg`, `team-2.jpg` and so on whose path is free. @throws Failure `exists` */
export async function freeName(db: Db, folder: string, filename: string): Promise<string> {
  for (let from = 1; from < maxTries; from += atOnce) {
    const names = Array.from({ length: atOnce }, (_, at) => (from + at === 1 ? filename : numbered(filename, from + at)))
    const taken = await takenOf(
      db,
      names.map((name) => mediaPath(folder, name)),
    )
    const free = names.find((name) => !taken.has(mediaPath(folder, name)))
    if (free !== undefined) return free
  }
  throw new Failure('exists', `There are ${maxTries} files called ${filename} in this folder.`, { field: 'filename' })
}

async function takenOf(db: Db, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('media').select('path').where('path', 'in', paths).execute()
  const former = await db.selectFrom('media_former').select('path').where('path', 'in', paths).execute()
  return new Set([...rows, ...former].map(({ path }) => path))
}

/**
 * Returns the columns of a file that gets a free name. Its present path then redirects to it.
 * @throws Failure `exists` for a path that another file has
 */
export async function moveMedia(
  change: Change,
  row: MediaRow,
  folder: string,
  filename: string,
): Promise<Pick<MediaRow, 'folder' | 'filename' | 'path'>> {
  const path = mediaPath(folder, filename)
  if (path === row.path) return { folder, filename, path }
  const { db, now } = change
  const other = await db.selectFrom('media').select('id').where('path', '=', path).where('id', '!=', row.id).executeTakeFirst()
  if (other) {
    const free = mediaPath(folder, await freeName(db, folder, filename))
    throw new Failure('exists', `Another file is at ${path}.`, { field: 'filename', by: { id: other.id, path }, free })
  }
  const paths = [path, row.path]
  const former = await db.selectFrom('media_former').selectAll().where('path', 'in', paths).execute()
  for (const old of former) await change.remove('media_path', old)
  await change.insert('media_path', { path: row.path, media_id: row.id, created_at: now })
  return { folder, filename, path }
}

/** Stores old addresses of a file. One at which a file is, or was, stays as it is. @throws Failure `invalid` for another path */
export async function keepMediaAliases(change: Change, row: MediaRow, aliases: readonly string[]): Promise<void> {
  const paths = [...new Set(aliases)]
  const wrong = paths.findIndex((path) => !isMediaPath(path))
  if (wrong >= 0) throw invalid(`aliases[${wrong}]`, 'An old address of a file is a path below /media/.', '"/media/old-name.jpg"')
  if (paths.length === 0) return
  const taken = await takenOf(change.db, paths)
  for (const path of paths)
    if (!taken.has(path)) await change.insert('media_path', { path, media_id: row.id, created_at: change.now })
}

function isMediaPath(path: string): boolean {
  const below = path.slice(mediaPrefix.length)
  return (
    path.startsWith(mediaPrefix) && below.length <= 400 && below.split('/').every((part) => /^[a-z0-9][a-z0-9.-]*$/.test(part))
  )
}
