// SVC_Redirects.list, get, resolve and missing.

import { sql, type SqlBool } from 'kysely'
import { type Static, Type } from 'typebox'
import { findTerm } from '../../../content/terms.ts'
import { findFormer, pathNamed } from '../../../content/entry.ts'
import { languageAt, mayBeLanguage, readLanguages } from '../../../content/languages.ts'
import { findWay } from '../../../content/redirects.ts'
import { notFound } from '../../../failure.ts'
import { formatDate } from '../../../settings/time-zone.ts'
import type { Db } from '../../../store/database.ts'
import type { FormerPathRow, RedirectHitRow, RedirectRow } from '../../../store/schema.ts'
import { action, type Context } from '../../action.ts'
import { fromStrangers, fromStrangersProperty } from '../../from-strangers.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows, type ListSpec } from '../../list.ts'
import { suggestPaths } from '../../suggest-path.ts'
import { nullable } from '../../write-answer.ts'
import { closed } from '../../../schema.ts'

export const redirectItem = Type.Object({
  id: Type.String(),
  from: Type.String(),
  to: nullable(Type.String(), 'Null: gone for good, which is answered 410.'),
  status: Type.Integer(),
  origin: Type.Enum(['hand', 'term', 'moved'], {
    description:
      'hand: somebody wrote it. term: a term was renamed or merged. moved: an entry was there; it can not be changed here.',
  }),
  note: nullable(Type.String()),
  hits: Type.Integer({ description: 'How often visitors followed it. The count may be half a minute behind.' }),
  last_hit: nullable(Type.String()),
  created_at: Type.Optional(Type.String()),
  updated_at: Type.Optional(Type.String()),
  revision: Type.Optional(Type.Integer()),
})

export type RedirectItem = Static<typeof redirectItem>

const redirectList: ListSpec<'redirect'> = {
  table: 'redirect',
  key: 'id',
  fields: {
    id: { column: 'id', kind: 'text', indexed: true },
    from: { column: 'source', kind: 'text', sort: true, indexed: true },
    to: { column: 'target', kind: 'text', nullable: true, indexed: true },
    status: { column: 'status', kind: 'number' },
    origin: { column: 'origin', kind: 'choice', choices: ['hand', 'term'] },
    note: { column: 'note', kind: 'text', nullable: true },
    created_at: { column: 'created_at', kind: 'time', sort: true, indexed: true },
    updated_at: { column: 'updated_at', kind: 'time', sort: true, indexed: true },
  },
  sort: 'from',
  search: ['source', 'target', 'note'],
}

/** The former paths of entries, which redirect automatically. */
const movedList: ListSpec<'former_path'> = {
  table: 'former_path',
  key: 'path',
  fields: {
    from: { column: 'path', kind: 'text', sort: true, indexed: true },
    created_at: { column: 'created_at', kind: 'time', sort: true, indexed: true },
  },
  sort: 'from',
  search: ['path'],
}

export const list = action('SVC_Redirects.list', {
  title: 'List redirects',
  summary: 'Lists redirects: the ones that were written, or with `moved` the former paths of entries.',
  tier: 'read',
  effect: 'read',
  failures: [],
  touches: 'nothing',
  input: closed({
    ...listProperties(redirectList),
    moved: Type.Optional(
      Type.Boolean({
        description:
          'Lists the paths at which entries were before, instead. They are filtered and sorted by from and created_at.',
      }),
    ),
  }),
  output: listOutput(redirectItem),
  examples: [
    { title: 'All redirects below a path', input: { where: { from: { gte: '/blog/', lt: '/blog0' } } } },
    { title: 'Where entries were before', input: { moved: true } },
  ],
  prepare: ({ site }) => site.visits.flush(),
  async run(context, { moved, ...input }) {
    if (moved) {
      const page = await listRows(context, movedList, { ...input, moved } as ListInput)
      const paths = await presentPaths(context.db, page.rows as readonly FormerPathRow[])
      return listAnswer(context, page, (row) => movedItem(row as FormerPathRow, paths.get((row as FormerPathRow).entry_id)))
    }
    const page = await listRows(context, redirectList, input as ListInput)
    const hits = await hitsOf(
      context.db,
      page.rows.map(({ id }) => id),
    )
    return listAnswer(context, page, (row) => itemOf(row, hits.get(row.id), context.select !== undefined))
  },
})

export const idProperty = Type.String({
  description: 'Id of a redirect, or the path that it is from.',
  minLength: 1,
  maxLength: 1100,
})

export const get = action('SVC_Redirects.get', {
  title: 'Show a redirect',
  summary: 'Shows one redirect.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  touches: 'nothing',
  input: closed({ id: idProperty }),
  output: Type.Object({ item: redirectItem }),
  examples: [{ title: 'The redirect from a path', input: { id: '/old-shop' } }],
  prepare: ({ site }) => site.visits.flush(),
  async run({ db }, { id }) {
    const row = await findRedirect(db, id)
    if (row) return { item: itemOf(row, (await hitsOf(db, [row.id])).get(row.id), true) }
    const former = await db.selectFrom('former_path').selectAll().where('path', '=', pathNamed(id)).executeTakeFirst()
    if (!former) throw noRedirect(id)
    return { item: movedItem(former, (await findFormer(db, id))?.path ?? null) }
  },
})

export const resolve = action('SVC_Redirects.resolve', {
  title: 'Follow a path',
  summary: 'Tells where a visitor ends up who asks for a path, and by which redirects.',
  tier: 'any',
  effect: 'read',
  failures: [],
  touches: 'nothing',
  input: closed({
    path: Type.String({ description: 'A path of the site, such as `/old-shop`.', minLength: 1, maxLength: 1100 }),
  }),
  output: Type.Object({
    hops: Type.Array(
      Type.Object({
        from: Type.String(),
        to: nullable(Type.String()),
        status: Type.Integer(),
        redirect: nullable(Type.String(), 'Id of the redirect; null where an entry has moved.'),
      }),
      { description: 'Visitors get them as one redirect to the last address.' },
    ),
    status: nullable(Type.Integer(), 'What is answered at the end: 200, 404 or 410; null on another site.'),
  }),
  examples: [{ title: 'Where an old address leads', input: { path: '/old-shop' } }],
  async run({ db, now }, { path }) {
    const { hops, status } = await findWay(db, pathNamed(path), now, (at) => isServedPath(db, at))
    return { hops: [...hops], status }
  },
})

/** True if the site has a page without an entry at a path: a home page, or the archive of a term. */
export async function isServedPath(db: Db, path: string): Promise<boolean> {
  if (path === '/') return true
  if (path.split('/').length === 3) return (await findTerm(db, path)) !== undefined
  return mayBeLanguage(path.slice(1)) && languageAt(await readLanguages(db), path) !== undefined
}

const missingList: ListSpec<'missing_path'> = {
  table: 'missing_path',
  key: 'path',
  fields: {
    path: { column: 'path', kind: 'text', sort: true, indexed: true },
    hits: { column: 'hits', kind: 'number', sort: true, indexed: true },
    last_hit: { column: 'last_hit', kind: 'time', sort: true, indexed: true },
    referrer: { column: 'referrer', kind: 'text', nullable: true },
  },
  sort: '-hits',
  search: ['path', 'referrer'],
}

/** True for a missing path that still has neither a public page nor a redirect. */
export const isStillMissing = sql<SqlBool>`not exists (
  select 1 from entry where entry.path = missing_path.path and entry.status = 'published')
  and not exists (select 1 from redirect where redirect.source = missing_path.path)`

const missingItem = Type.Object({
  path: Type.String(),
  hits: Type.Integer(),
  last_hit: Type.String(),
  referrer: nullable(Type.String(), 'The page that linked there last, without its query.'),
  suggestion: nullable(Type.String(), 'The path of the public page that is nearest to it.'),
})

export const missing = action('SVC_Redirects.missing', {
  title: 'List missing paths',
  summary: 'Lists the paths that visitors asked for in vain, most often asked first, each with the page that may be meant.',
  tier: 'read',
  effect: 'read',
  failures: [],
  touches: 'nothing',
  input: closed(listProperties(missingList)),
  output: Type.Object({ ...listOutput(missingItem).properties, ...fromStrangersProperty }),
  examples: [
    { title: 'What visitors miss most', input: { limit: 10 } },
    { title: 'Of the last week', input: { where: { last_hit: { gte: '-7d' } } } },
  ],
  prepare: ({ site }) => site.visits.flush(),
  async run(context, input: ListInput) {
    // Paths that have a page or a redirect by now are left out.
    const page = await listRows(context, missingList, input, {
      narrow: (query) => query.where(isStillMissing),
    })
    const suggestions = await suggestPaths(
      context.db,
      page.rows.map(({ path }) => path),
      context.now,
    )
    const answer = await listAnswer(context, page, ({ path, hits, last_hit: last, referrer }) => ({
      path,
      hits,
      last_hit: formatDate(last),
      referrer,
      suggestion: suggestions.get(path) ?? null,
    }))
    return { ...answer, ...fromStrangers('path', 'referrer') }
  },
})

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

export async function hitsOf(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, RedirectHitRow>> {
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
function movedItem({ path: from, created_at: at }: FormerPathRow, to: string | null | undefined): RedirectItem {
  const shared = { id: from, from, origin: 'moved', note: null, hits: 0, last_hit: null, created_at: formatDate(at) } as const
  return { ...shared, to: to ?? null, status: to === null || to === undefined ? 404 : 301 }
}

async function presentPaths(db: Db, rows: readonly FormerPathRow[]): Promise<ReadonlyMap<string, string | null>> {
  const ids = [...new Set(rows.map((row) => row.entry_id))]
  if (ids.length === 0) return new Map()
  const found = await db.selectFrom('entry').select(['id', 'path']).where('id', 'in', ids).execute()
  return new Map(found.map(({ id, path }) => [id, path]))
}

/** Returns the redirect with an id, or from a path. @throws Failure `not_found` */
export async function getRedirect({ db }: Pick<Context, 'db'>, ref: string): Promise<RedirectRow> {
  const row = await findRedirect(db, ref)
  if (row) return row
  throw noRedirect(ref)
}
