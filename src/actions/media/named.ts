// The arguments that name media files, and the look-up of their rows.

import { eachOnce } from '../shared/several.ts'
import { openProtectedFiles } from '../../media/protected-files.ts'
import { getMedia } from '../../media/media-rows.ts'
import type { Db } from '../../store/core/database.ts'
import type { MediaRow } from '../../store/core/schema.ts'
import type { Context } from '../call/action.ts'
import { nonEmptyText, severalOf } from '../../base/schema.ts'

export const filesOf = ({ site }: Context) => openProtectedFiles(site.config.POSTERN_HOME)

export const idProperty = nonEmptyText('Id or path of a media file: `/media/team.jpg`.', 1000)

export const idsProperty = severalOf(idProperty, 'Ids or paths of media files.', 100)

/** Returns the files that a call names. @throws Failure `not_found` */
export const getEach = (db: Db, ids: readonly string[]) => eachOnce(ids, async (id) => bare(await getMedia(db, id)))

/** Returns the columns of the row alone. */
export function bare<R extends MediaRow>(found: R): MediaRow {
  const { picture: _picture, problem: _problem, ...row } = found as R & { picture?: unknown; problem?: unknown }
  return row
}
