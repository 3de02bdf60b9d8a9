// What links to an entry, and where the links of an entry lead. Links are read from the rendered text, so that code and escapes are understood as the
// page has them.

import { sql, type SqlBool } from 'kysely'
import type { Db } from '../store/database.ts'
import { containsText } from '../store/contains-text.ts'
import type { EntryRow } from '../store/schema.ts'
import { linkedPaths } from './internal-links.ts'
import type { Renderer } from './render.ts'

export interface LinkContext {
  readonly db: Db
  readonly renderer: Pick<Renderer, 'render'>
  /** Origin and base path of the site, without a slash at the end. */
  readonly origin: string
  readonly signal: AbortSignal
}

/** Something that links to an entry. */
export interface LinkSource {
  readonly kind: string
  readonly id: string
  readonly title: string
  readonly path: string | null
}

/** The paths of the site and the other addresses to which a text links, each once. */
export async function linksIn(
  { renderer, origin }: LinkContext,
  body: string,
): Promise<{ readonly paths: readonly string[]; readonly others: readonly string[] }> {
  // Without one of these there is no link in Markdown or HTML.
  if (!/[[<]|https?:|www\./.test(body)) return { paths: [], others: [] }
  const { html } = await renderer.render(body, { origin })
  const paths = linkedPaths(html, origin)
  const all = [...html.matchAll(/<a [^<>]*? ?href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
  const others = new Set(all.filter((href) => /^[a-z]+:/i.test(href) && !href.startsWith(`${origin}/`)))
  return { paths, others: [...others] }
}

/** How sources are found, one row per kind. Menus and redirects are rows here as soon as a site has them. */
const finders: Readonly<
  Record<string, (context: LinkContext, paths: readonly string[], most: number) => Promise<readonly LinkSource[]>>
> = {
  entry: findEntries,
}

/** What links to one of these paths, at most `most` of each kind. */
export async function findLinkSources(
  context: LinkContext,
  paths: readonly string[],
  most: number,
): Promise<readonly LinkSource[]> {
  const found: LinkSource[] = []
  for (const find of Object.values(finders)) found.push(...(await find(context, paths, most)))
  return found
}

/** How many entries that contain a path are looked at. */
const maxCandidates = 500
const pageRows = 50

/** Entries whose text links to one of the paths. A text that only mentions a path is left out. */
async function findEntries(context: LinkContext, paths: readonly string[], most: number): Promise<readonly LinkSource[]> {
  const written = new Set(paths.flatMap((path) => [path, path.split('/').map(encodeURIComponent).join('/')]))
  const found: LinkSource[] = []
  let after = ''
  for (let looked = 0; looked < maxCandidates && found.length < most; looked += pageRows) {
    context.signal.throwIfAborted()
    const has = [...written].map((path) => containsText(context.db, sql.ref('entry.body'), path))
    const rows: readonly Pick<EntryRow, 'id' | 'title' | 'path' | 'body'>[] = await context.db
      .selectFrom('entry')
      .select(['id', 'title', 'path', 'body'])
      .where('status', '!=', 'trash')
      .where('id', '>', after)
      .where(sql<SqlBool>`(${sql.join(has, sql` or `)})`)
      .orderBy('id')
      .limit(pageRows)
      .execute()
    for (const { id, title, path, body } of rows) {
      const links = await linksIn(context, body)
      if (links.paths.some((link) => paths.includes(link))) found.push({ kind: 'entry', id, title, path })
    }
    if (rows.length < pageRows) break
    after = rows.at(-1)?.id ?? ''
  }
  return found.slice(0, most)
}
