// The arguments that name media files, and the look-up of their rows.

import { openProtectedFiles } from '../../../media/protected-files.ts'
import { getMedia } from '../../../media/media-rows.ts'
import type { Db } from '../../../store/database.ts'
import type { MediaRow } from '../../../store/schema.ts'
import type { Context } from '../../action.ts'
import { nonEmptyText, severalOf } from '../../../schema.ts'

export const filesOf = ({ site }: Context) => openProtectedFiles(site.config.POSTERN_HOME)

export const idProperty = nonEmptyText('Id or path of a media file: `/media/team.jpg`.', 1000)

export const idsProperty = severalOf(idProperty, 'Ids or paths of media files.', 100)

export async function each(db: Db, ids: readonly string[]): Promise<readonly MediaRow[]> {
  const found = new Map<string, MediaRow>()
  for (const id of ids) {
    const row = bare(await getMedia(db, id))
    found.set(row.id, row)
  }
  return [...found.values()]
}

/** Returns the columns of the row alone. */
export function bare<R extends MediaRow>(found: R): MediaRow {
  const { picture: _picture, problem: _problem, ...row } = found as R & { picture?: unknown; problem?: unknown }
  return row
}
