// The sources of links to an entry: other entries, menus, redirects and the texts of terms.

import { type Expression, sql, type SqlBool } from 'kysely'
import type { Db } from '../../store/core/database.ts'
import { containsText } from '../../store/search/contains-text.ts'
import { itemsOf, eachItem } from '../../store/change/menu-references.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { linksIn, linksOf, type LinkReading } from '../entries/entry-links.ts'
import type { EntryTypes } from '../types/entry-types.ts'
import { linkedPaths } from './internal-links.ts'
import { pathOfTerm } from '../terms/terms.ts'

export interface LinkContext extends LinkReading {
  readonly db: Db
  readonly types: EntryTypes
  readonly signal: AbortSignal
}

export interface LinkSource {
  readonly kind: 'entry' | 'menu' | 'redirect' | 'term'
  readonly id: string
  readonly title: string
  /** The path of an entry or a term, or the source of a redirect. */
  readonly path: string | null
}

export interface LinkedTo {
  readonly id: string
  /** The present path, and the former ones. */
  readonly paths: readonly string[]
}

type Find = (context: LinkContext, to: LinkedTo, most: number) => Promise<readonly LinkSource[]>

/** The search for sources, one row per kind. */
const finders: Readonly<Record<LinkSource['kind'], Find>> = {
  entry: findEntries,
  menu: findMenus,
  redirect: findRedirects,
  term: findTerms,
}

/** Returns the sources of links to an entry, at most `most` of each kind. */
export async function findLinkSources(context: LinkContext, to: LinkedTo, most: number): Promise<readonly LinkSource[]> {
  const found: LinkSource[] = []
  for (const find of Object.values(finders)) found.push(...(await find(context, to, most)))
  return found
}

/** The number of entries with a path in their text that are examined. */
const maxCandidates = 500
const pageRows = 50

/** The spellings of the paths in a text. */
const writtenForms = (paths: readonly string[]): readonly string[] => [
  ...new Set(paths.flatMap((path) => [path, path.split('/').map(encodeURIComponent).join('/')])),
]

const anyOf = (conditions: readonly Expression<SqlBool>[]) => sql<SqlBool>`(${sql.join(conditions, sql` or `)})`

/** Entries whose texts link to one of the paths, or whose fields name the entry. A text that only mentions a path is left out. */
async function findEntries(context: LinkContext, { id: to, paths }: LinkedTo, most: number): Promise<readonly LinkSource[]> {
  const written = writtenForms(paths)
  const found: LinkSource[] = []
  let after = ''
  for (let looked = 0; looked < maxCandidates && found.length < most; looked += pageRows) {
    context.signal.throwIfAborted()
    const has = [
      ...written.map((path) => containsText(context.db, sql.ref('entry.body'), path)),
      ...[to, ...written].map((part) => containsText(context.db, sql.ref('entry.fields'), part)),
    ]
    const rows: readonly Pick<EntryRow, 'id' | 'title' | 'path' | 'body' | 'fields' | 'type'>[] = await context.db
      .selectFrom('entry')
      .select(['id', 'title', 'path', 'body', 'fields', 'type'])
      .where('status', '!=', 'trash')
      .where('id', '>', after)
      .where(anyOf(has))
      .orderBy('id')
      .limit(pageRows)
      .execute()
    for (const row of rows) {
      const links = await linksOf(context, row)
      const isLinking = links.some((one) => one.entries.includes(to) || one.paths.some((path) => paths.includes(path)))
      if (isLinking) found.push({ kind: 'entry', id: row.id, title: row.title, path: row.path })
    }
    if (rows.length < pageRows) break
    after = rows.at(-1)?.id ?? ''
  }
  return found.slice(0, most)
}

/** Menus with an item for the entry, or with an address that leads to one of the paths. */
async function findMenus({ db, origin }: LinkContext, { id, paths }: LinkedTo, most: number): Promise<readonly LinkSource[]> {
  const has = writtenForms(paths).map((path) => containsText(db, sql.ref('menu.items'), path))
  const menus = await db
    .selectFrom('menu')
    .select(['id', 'name', 'items'])
    .where((eb) =>
      eb.or([
        eb('id', 'in', eb.selectFrom('menu_reference').select('menu_id').where('target_id', '=', id).where('kind', '=', 'entry')),
        ...has,
      ]),
    )
    .orderBy('id')
    .limit(most)
    .execute()
  const leadsThere = (url: string) =>
    linkedPaths(`<a href="${url.replaceAll('&', '&amp;').replaceAll('"', '%22')}">`, origin).some((path) => paths.includes(path))
  return menus
    .filter((menu) =>
      [...eachItem(itemsOf(menu))].some(({ entry, url }) => entry === id || (url !== undefined && leadsThere(url))),
    )
    .map((menu) => ({ kind: 'menu', id: menu.id, title: menu.name, path: null }))
}

async function findRedirects({ db }: LinkContext, { paths }: LinkedTo, most: number): Promise<readonly LinkSource[]> {
  if (paths.length === 0) return []
  const rows = await db
    .selectFrom('redirect')
    .select(['id', 'source', 'target'])
    .where('target', 'in', paths)
    .orderBy('id')
    .limit(most)
    .execute()
  return rows.map(({ id, source, target }) => ({ kind: 'redirect', id, title: `${source} to ${target ?? ''}`, path: source }))
}

async function findTerms(context: LinkContext, { paths }: LinkedTo, most: number): Promise<readonly LinkSource[]> {
  const has = writtenForms(paths).map((path) => containsText(context.db, sql.ref('term.text'), path))
  if (has.length === 0) return []
  const rows = await context.db
    .selectFrom('term')
    .select(['id', 'name', 'ref', 'text'])
    .where(anyOf(has))
    .orderBy('id')
    .limit(most)
    .execute()
  const found: LinkSource[] = []
  for (const { id, name, ref, text } of rows) {
    const links = await linksIn(context, text)
    if (links.paths.some((path) => paths.includes(path))) found.push({ kind: 'term', id, title: name, path: pathOfTerm({ ref }) })
  }
  return found
}
