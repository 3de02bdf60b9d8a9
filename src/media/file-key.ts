// The key of a file: the first part of the names of its public variants. It follows from the bytes, the focus and the format.

import type { Db } from '../store/core/database.ts'
import type { MediaRow } from '../store/core/schema.ts'
import { type Focus, pictureKey, plainKey } from './picture-recipe.ts'
import { treatmentOf } from './taken-kinds.ts'

/** @param avif true if the site makes its sizes as AVIF */
export function fileKeyOf({ kind, file }: Pick<MediaRow, 'kind' | 'file'>, focus: Focus | null, avif: boolean): string {
  const hash = file.slice(6)
  return treatmentOf(kind) === 'picture' ? pictureKey(hash, { focus, avif }) : plainKey(hash)
}

/** Returns the key of a file with the settings that a transaction sees. */
export async function readFileKey(db: Db, row: Pick<MediaRow, 'kind' | 'file' | 'focus'>): Promise<string> {
  const found = await db.selectFrom('setting').select('value').where('key', '=', 'image_format').executeTakeFirst()
  const focus = row.focus === null ? null : (JSON.parse(row.focus) as Focus)
  return fileKeyOf(row, focus, found !== undefined && JSON.parse(found.value) === 'avif')
}
