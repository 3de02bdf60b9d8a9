// The media library as files under their own names, with what is said about them in `media.yaml`.

import { stringify } from 'yaml'
import type { MediaStore } from '../media/media-store.ts'
import type { Db } from '../store/core/database.ts'
import type { MediaRow } from '../store/core/schema.ts'
import type { ExportFile } from './export-file.ts'
import { rowPages } from './row-pages.ts'

export interface MediaExportParts {
  readonly db: Db
  readonly store: Pick<MediaStore, 'pathOf'>
  /** False leaves out files that have no public address. */
  readonly withProtected: boolean
  readonly signal?: AbortSignal | undefined
}

const sliceRows = 200

type Wanted = Omit<MediaExportParts, 'store'>

/** Yields the rows of media outside the trash, in the order of their paths. */
export async function* readMedia(parts: Wanted): AsyncGenerator<MediaRow> {
  for await (const rows of mediaPages(parts)) yield* rows
}

async function* mediaPages({ db, withProtected, signal }: Wanted): AsyncGenerator<readonly MediaRow[]> {
  const rowsAfter = (last: MediaRow | undefined) => {
    signal?.throwIfAborted()
    return db
      .selectFrom('media')
      .selectAll()
      .where('path', '>', last?.path ?? '')
      .where('deleted_at', 'is', null)
      .orderBy('path')
      .limit(sliceRows)
      .execute()
  }
  for await (const rows of rowPages(rowsAfter)) yield rows.filter((row) => withProtected || row.protected === 0)
}

/** Yields each file, then `media.yaml`. The path of a file is that of its public address. */
export async function* mediaFiles(parts: MediaExportParts): AsyncGenerator<ExportFile> {
  const lines: string[] = []
  for await (const rows of mediaPages(parts)) {
    const former = await formerPathsOf(parts.db, rows)
    for (const row of rows) {
      yield { path: row.path.slice(1), content: { from: parts.store.pathOf(row.file) } }
      lines.push(stringify([aboutOf(row, former.get(row.id) ?? [])], { schema: 'core', lineWidth: 0 }))
    }
  }
  if (lines.length > 0) yield { path: 'media.yaml', content: { text: lines.join('') } }
}

/** The paths under which files were before, by the ids of the files. */
async function formerPathsOf(db: Db, media: readonly MediaRow[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const paths = new Map<string, string[]>(media.map(({ id }) => [id, []]))
  if (media.length === 0) return paths
  const former = db
    .selectFrom('media_former')
    .select(['path', 'media_id'])
    .where('media_id', 'in', [...paths.keys()])
  for (const { path, media_id: id } of await former.orderBy('path').execute()) paths.get(id)?.push(path)
  return paths
}

function aboutOf(
  { path, alt, caption, focus, protected: isProtected }: MediaRow,
  aliases: readonly string[],
): Record<string, unknown> {
  return {
    path,
    ...(alt !== null && { alt }),
    ...(caption !== null && { caption }),
    ...(focus !== null && { focus: JSON.parse(focus) as unknown }),
    ...(isProtected === 1 && { protected: true }),
    ...(aliases.length > 0 && { aliases }),
  }
}
