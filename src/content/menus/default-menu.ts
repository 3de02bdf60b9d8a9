// The menu of a site without a menu: the public pages as a tree, each below its parent. Each item costs time on every rendered
// page, so the menu is limited. If the site has more pages, the menu links to a list of all pages.

import type { ExpressionBuilder } from 'kysely'
import type { Db } from '../../store/core/database.ts'
import type { Schema } from '../../store/core/schema.ts'
import { publishedByIndex } from '../entries/entry.ts'
import { typesThat } from '../types/entry-types.ts'
import { pagesPath } from '../types/list-paths.ts'
import { inBranch, type LanguageBranch, prefixOf } from '../languages/languages.ts'
import type { MenuNode } from './menus.ts'

/** Words of the site, in the language of the menu. */
export interface DefaultMenuWords {
  readonly more: string
  readonly allPages: string
}

const limits = {
  /** Pages at the top level of the menu; the others are below the item "More". */
  sideBySide: 8,
  /** Pages at the top of the site. */
  top: 50,
  /** Pages below one page. */
  below: 50,
  pages: 200,
  /** One level less than a menu can have, because "More" adds a level. */
  levels: 3,
} as const

interface Page {
  readonly id: string
  readonly parent_id: string | null
  readonly title: string
  readonly path: string | null
  /** True if the page has public pages below it. */
  readonly parent: unknown
}

/** Makes the menu with at most one query per level. Pages with the same parent are ordered by position and title. */
export async function defaultMenu(
  db: Db,
  now: number,
  { more, allPages }: DefaultMenuWords,
  part: LanguageBranch,
): Promise<readonly MenuNode[]> {
  const found = await listBelow(db, [null], limits.top + 1, now, part)
  const top = found.slice(0, limits.top)
  const below = await pagesUnder(db, top, now, part)
  const nodeOf = ({ id, title, path }: Page): MenuNode => node(title, path, (below.get(id) ?? []).map(nodeOf))
  const nodes = top.map(nodeOf)
  if (nodes.length <= limits.sideBySide) return nodes
  const rest = nodes.slice(limits.sideBySide - 1)
  if (found.length > top.length) rest.push(node(allPages, prefixOf(part.languages, part.branch) + pagesPath))
  return [...nodes.slice(0, limits.sideBySide - 1), node(more, null, rest)]
}

const node = (label: string, path: string | null, items: readonly MenuNode[] = []): MenuNode => ({
  label,
  path,
  url: null,
  newTab: false,
  items,
})

/** The pages below these pages, by the parent's id. Each level is complete before the next begins. */
async function pagesUnder(
  db: Db,
  top: readonly Page[],
  now: number,
  part: LanguageBranch,
): Promise<ReadonlyMap<string, readonly Page[]>> {
  const below = new Map<string, Page[]>()
  let left = limits.pages - top.length
  let level = top
  for (let depth = 2; depth <= limits.levels && level.length > 0 && left > 0; depth += 1) {
    const parents = level.filter(({ parent }) => Boolean(parent)).map(({ id }) => id)
    const found = await listBelow(db, parents, Math.min(left, limits.below), now, part)
    level = found.slice(0, left)
    left -= level.length
    for (const page of level) below.set(page.parent_id ?? '', [...(below.get(page.parent_id ?? '') ?? []), page])
  }
  return below
}

/** The public pages directly below each of these, by position and title; null is the top. Each part is in the order of an index. */
async function listBelow(
  db: Db,
  parents: readonly (string | null)[],
  limit: number,
  now: number,
  { languages, branch }: LanguageBranch,
): Promise<readonly Page[]> {
  const isShown = (eb: ExpressionBuilder<Schema, 'entry'>) =>
    eb.and([eb('type', 'in', typesThat('hierarchical')), publishedByIndex(eb, now), inBranch(eb, languages, branch)])
  const below = (parent: string | null) =>
    db
      .selectFrom((eb) =>
        eb
          .selectFrom('entry')
          .select(['id', 'parent_id', 'title', 'path'])
          .where(isShown)
          .where('parent_id', parent === null ? 'is' : '=', parent)
          // PostgreSQL takes the order from the index only if the order names this column, too.
          .orderBy('parent_id')
          .orderBy('position')
          .orderBy('title')
          .orderBy('id')
          .limit(limit)
          .as('below'),
      )
      .select(['id', 'parent_id', 'title', 'path'])
      // Most pages have no pages below them. A part for each of them would take longer than the rest of the page.
      .select((eb) =>
        eb
          .exists(eb.selectFrom('entry').select('entry.id').where(isShown).whereRef('entry.parent_id', '=', 'below.id'))
          .as('parent'),
      )
  const [first, ...others] = parents.map(below)
  if (first === undefined) return []
  return others.reduce((all, one) => all.unionAll(one), first).execute()
}
