// The way from the home page to the page above an entry.

import { publishedOnly } from '../../../content/entries/entry.ts'
import type { EntryType } from '../../../content/types/entry-types.ts'
import type { ThemeLink } from '../../../themes/contract.ts'
import { homePathOf } from '../alternates.ts'
import type { Frame } from '../frame.ts'
import { hasList, listPathOf } from '../../../content/types/list-paths.ts'
import { addressIn, siteFacts } from './site-facts.ts'

/**
 * The links to the pages above; empty on the home page. Parents that are not public are left out.
 * @param type of the entry, whose list may be the page above
 */
export async function crumbsOf(
  frame: Frame,
  path: string,
  branch: string | null = null,
  type?: EntryType,
): Promise<readonly ThemeLink[]> {
  const { site, origin } = frame
  const homePath = homePathOf(site, branch)
  if (path === homePath) return []
  const home = { title: site.settings.values.site_title, url: origin + homePath }
  const above = pathsAbove(path)
  const list = type && listAbove(frame, type, path, branch)
  if (above.length === 0) return list ? [home, list] : [home]
  const rows = await site.store.read
    .selectFrom('entry')
    .select(['title', 'path'])
    .where('path', 'in', above)
    .where((eb) => publishedOnly(eb, site.clock.now()))
    .execute()
  const facts = await siteFacts(frame)
  const isHome = (at: string): boolean => addressIn(facts, at) !== at
  const found = rows.flatMap(({ title, path: at }) => (at === null || isHome(at) ? [] : [{ title, path: at }]))
  const sorted = found.sort((a, b) => a.path.length - b.path.length)
  const lists = list && !sorted.some((row) => origin + row.path === list.url) ? [list] : []
  return [home, ...lists, ...sorted.map((row) => ({ title: row.title, url: origin + row.path }))]
}

/** The list of the type's entries. */
function listAbove({ site, origin }: Frame, type: EntryType, path: string, branch: string | null): ThemeLink | undefined {
  const listPath = homePathOf(site, branch).replace(/\/$/, '') + listPathOf(type)
  return hasList(type) && path !== listPath ? { title: type.name, url: origin + listPath } : undefined
}

/** `/a/b/c` is below `/a` and `/a/b`. */
function pathsAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(1, -1)
  return parts.map((_part, at) => `/${parts.slice(0, at + 1).join('/')}`)
}
