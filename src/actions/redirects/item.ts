// A redirect in the answers of SVC_Redirects, and the look-up of a redirect.

import { type Static, Type } from 'typebox'
import { pathNamed } from '../../content/entries/entry.ts'
import type { Db } from '../../store/core/database.ts'
import type { FormerPathRow, RedirectHitRow, RedirectRow } from '../../store/core/schema.ts'
import { notFound } from '../../base/failure.ts'
import { formatDate } from '../../settings/time-zone.ts'
import { nullable } from '../call/write-answer.ts'
import type { Context } from '../call/action.ts'
import { nonEmptyText } from '../../base/schema.ts'

export const redirectItem = Type.Object({
  id: Type.String(),
  from: Type.String(),
  to: nullable(Type.String(), 'Null: gone for good, which is answered 410.'),
  status: Type.Integer(),
  origin: Type.Enum(['hand', 'term', 'moved'], {
    description:
      'hand: a person wrote it. term: a term was renamed or merged. moved: an entry was there; it cannot be changed here.',
  }),
  note: nullable(Type.String()),
  hits: Type.Integer({ description: 'How often visitors followed it. The count may be half a minute behind.' }),
  last_hit: nullable(Type.String()),
  created_at: Type.Optional(Type.String()),
  updated_at: Type.Optional(Type.String()),
  revision: Type.Optional(Type.Integer()),
})

export type RedirectItem = Static<typeof redirectItem>

export const idProperty = nonEmptyText('Id of a redirect, or the path that it is from.', 1100)

/** Returns the redirect with an id, or from a path. */
export async function findRedirect(db: Db, ref: string): Promise<RedirectRow | undefined> {
  const redirects = db.selectFrom('redirect').selectAll()
  const rows = await redirects
    .where('id', '=', ref)
    .unionAll(redirects.where('source', '=', pathNamed(ref)))
    .execute()
  return rows.find(({ id }) => id === ref) ?? rows[0]
}

export const noRedirect = (ref: string) => notFound('redirect', ref, 'SVC_Redirects.list lists them.')

/** Returns how often visitors followed each redirect, by id. */
export async function hitsOf(
  db: Db,
  redirects: readonly Pick<RedirectRow, 'id'>[],
): Promise<ReadonlyMap<string, RedirectHitRow>> {
  const ids = redirects.map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('redirect_hit').selectAll().where('redirect_id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.redirect_id, row]))
}

export function itemOf(row: RedirectRow, hit: RedirectHitRow | undefined, whole: boolean): RedirectItem {
  const { id, source: from, target: to, status, note, revision } = row
  return {
    id,
    from,
    to,
    status,
    origin: row.origin as RedirectItem['origin'],
    note,
    hits: hit?.hits ?? 0,
    last_hit: hit ? formatDate(hit.last_hit) : null,
    ...(whole && { created_at: formatDate(row.created_at), updated_at: formatDate(row.updated_at) }),
    revision,
  }
}

/** Returns a former path as a redirect. It leads nowhere while its entry is not public or in the trash. */
export function movedItem({ path: from, created_at: at }: FormerPathRow, to: string | null | undefined): RedirectItem {
  const shared = { id: from, from, origin: 'moved', note: null, hits: 0, last_hit: null, created_at: formatDate(at) } as const
  return { ...shared, to: to ?? null, status: to === null || to === undefined ? 404 : 301 }
}

/** Returns the redirect with an id, or from a path. @throws Failure `not_found` */
export async function getRedirect({ db }: Pick<Context, 'db'>, ref: string): Promise<RedirectRow> {
  const row = await findRedirect(db, ref)
  if (row) return row
  throw noRedirect(ref)
}
