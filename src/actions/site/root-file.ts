// A root file in the calls of SVC_Site: its name in the input, and the file in answers.

import { type Static, Type } from 'typebox'
import { notFound } from '../../base/failure.ts'
import { nonEmptyText } from '../../base/schema.ts'
import { findRootFile, rootFileType } from '../../content/root-files/root-files.ts'
import { formatDate } from '../../settings/time-zone.ts'
import type { SiteFileRow } from '../../store/core/schema.ts'
import type { Context } from '../call/action.ts'

export const rootFileItem = Type.Object({
  name: Type.String(),
  path: Type.String(),
  url: Type.String(),
  type: Type.String(),
  bytes: Type.Integer(),
  text: Type.Optional(Type.String()),
  updated_at: Type.String(),
  revision: Type.Integer(),
})

export type RootFileItem = Static<typeof rootFileItem>

export const nameProperty = nonEmptyText('Such as `ads.txt` or `.well-known/security.txt`.', 200)

/** The path of a name, which may begin with a slash. */
export const pathOfName = (name: string): string => `/${name.trim().replace(/^\//, '')}`

/** @param withText true for the text too */
export function itemOf({ origin }: Pick<Context, 'origin'>, row: SiteFileRow, withText: boolean): RootFileItem {
  const { path, text, revision } = row
  const type = rootFileType(path) ?? 'text/plain; charset=utf-8'
  const facts = { name: path.slice(1), path, url: origin + path, type, bytes: Buffer.byteLength(text) }
  return { ...facts, ...(withText && { text }), updated_at: formatDate(row.updated_at), revision }
}

/** @throws Failure `not_found` */
export async function getRootFile({ db }: Pick<Context, 'db'>, name: string): Promise<SiteFileRow> {
  const row = await findRootFile(db, pathOfName(name))
  if (row) return row
  throw notFound('root file', name, 'SVC_Site.files lists them.')
}
