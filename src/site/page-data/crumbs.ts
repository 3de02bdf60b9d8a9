// The way from the home page to the page above an entry.

import { publicOnly } from '../../content/entry.ts'
import type { ThemeLink } from '../../themes/contract.ts'
import { homePathOf } from '../alternates.ts'
import type { Frame } from '../frame.ts'

/** Empty on the home page. Parents that are not public are left out. */
export async function crumbsOf(
  { site, origin }: Frame,
  path: string,
  branch: string | null = null,
): Promise<readonly ThemeLink[]> {
  const homePath = homePathOf(site, branch)
  if (path === homePath) return []
  const home = { title: site.settings.values.site_title, url: origin + homePath }
  const above = pathsAbove(path)
  if (above.length === 0) return [home]
  const rows = await site.store.read
    .selectFrom('entry')
    .select(['title', 'path'])
    .where('path', 'in', above)
    .where((eb) => publicOnly(eb, site.clock.now()))
    .execute()
  const found = rows.flatMap((row) => (row.path === null ? [] : [{ title: row.title, path: row.path }]))
  const sorted = found.sort((a, b) => a.path.length - b.path.length)
  return [home, ...sorted.map((row) => ({ title: row.title, url: origin + row.path }))]
}

/** `/a/b/c` is below `/a` and `/a/b`. */
function pathsAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(1, -1)
  return parts.map((_part, at) => `/${parts.slice(0, at + 1).join('/')}`)
}
