// Earlier states of the files of a theme.

import { Type } from 'typebox'
import type { Context } from '../call/action.ts'
import { getSnapshot } from '../shared/revision-list.ts'
import { fileProperty } from './item.ts'

/** @throws Failure `not_found` */
export async function earlierFile(db: Context['db'], id: string, file: string, revision: number) {
  const snapshot = await getSnapshot(db, 'theme_revision', `${id}/${file}`, revision)
  const { text, vouched = null } = JSON.parse(snapshot) as { readonly text: string; readonly vouched?: string | null }
  return { text, vouched, revision }
}

export const fileOption = Type.Optional(
  Type.String({ ...fileProperty, description: 'A file of the theme; without it, the whole theme.' }),
)
