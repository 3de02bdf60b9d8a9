// The media library as files under their own names, with what is said about them in `media.yaml`.

import { stringify } from 'yaml'
import type { MediaStore } from '../media/media-store.ts'
import type { Db } from '../store/core/database.ts'
import type { MediaRow } from '../store/core/schema.ts'
import type { ExportFile } from './export-file.ts'

export interface MediaExportParts {
  readonly db: Db
  readonly store: Pick<MediaStore, 'pathOf'>
  /** False leaves out files that have no public address. */
  readonly withProtected: boolean
  readonly signal?: AbortSignal | undefined
}

const sliceRows = 200

/** Yields the rows of media outside the trash, in the order of their paths. */
export async function* readMedia({ db, withProtected, signal }: Omit<MediaExportParts, 'store'>): AsyncGenerator<MediaRow> {
  for (let after = ''; ;) {
    signal?.throwIfAborted()
    const rows = await db
      .selectFrom('media')
      .selectAll()
      .where('path', '>', after)
      .where('deleted_at', 'is', null)
      .orderBy('path')
      .limit(sliceRows)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.path
    for (const row of rows) if (withProtected || row.protected === 0) yield row
  }
}

/** Yields each file, then `media.yaml`. The path of a file is that of its public address. */
export async function* mediaFiles(parts: MediaExportParts): AsyncGenerator<ExportFile> {
  const lines: string[] = []
  for await (const row of readMedia(parts)) {
    yield { path: row.path.slice(1), content: { from: parts.store.pathOf(row.file) } }
    lines.push(stringify([aboutOf(row, await formerPathsOf(parts.db, row.id))], { schema: 'core', lineWidth: 0 }))
  }
  if (lines.length > 0) yield { path: 'media.yaml', content: { text: lines.join('') } }
}

/** The paths under which a file was before. */
async function formerPathsOf(db: Db, id: string): Promise<readonly string[]> {
  const rows = await db.selectFrom('media_former').select('path').where('media_id', '=', id).orderBy('path').execute()
  return rows.map(({ path }) => path)
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
