// The headings of pages, and the links to headings that are not there. A page is rendered once per check, however many links lead
// to it.

import type { DeadAnchor } from '../../content/entries/check-entry.ts'
import { type FieldLinks, textsOf } from '../../content/entries/entry-links.ts'
import { idsIn } from '../../content/markdown/internal-links.ts'
import type { LinkEnd } from '../../content/markdown/link-ends.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { nearest } from '../../base/nearest.ts'
import type { Context } from '../call/action.ts'

type Page = Pick<EntryRow, 'id' | 'body' | 'fields' | 'type'>

export interface PageHeadings {
  /** The ids in the texts of a row, without the prefix that all of them have: those of headings and of footnotes. */
  of(page: Page): Promise<readonly string[]>
  /** The same for what visitors see of an entry; undefined without such an entry. */
  ofEntry(id: string): Promise<readonly string[] | undefined>
}

/** The most pages in memory. */
const maxPages = 5000

export function createPageHeadings({ db, site, origin }: Context): PageHeadings {
  const known = new Map<string, readonly string[]>()
  const read = async (key: string, page: Page): Promise<readonly string[]> => {
    const ids: string[] = []
    for (const text of textsOf(site.types.current, page)) ids.push(...idsIn((await site.renderer.render(text, { origin })).html))
    if (known.size >= maxPages) known.clear()
    known.set(key, ids)
    return ids
  }
  return {
    // The row may have staged changes, which other pages don't see.
    of: async (page) => known.get(`own ${page.id}`) ?? (await read(`own ${page.id}`, page)),
    async ofEntry(id) {
      const before = known.get(id)
      if (before) return before
      const page = await db.selectFrom('entry').select(['id', 'body', 'fields', 'type']).where('id', '=', id).executeTakeFirst()
      return page && read(id, page)
    },
  }
}

/** Finds the links of an entry to headings that are not there. A link to a page that is not public is a finding of its own. */
export async function findDeadAnchors(
  headings: PageHeadings,
  entry: EntryRow,
  links: readonly FieldLinks[],
  ends: ReadonlyMap<string, LinkEnd>,
): Promise<readonly DeadAnchor[]> {
  const dead = new Map<string, DeadAnchor>()
  for (const { field, text, anchors } of links)
    for (const { path, id } of anchors) {
      const end = path === '' ? { kind: 'entry', id: entry.id, status: 'published', path: entry.path } : ends.get(path)
      if (end?.kind !== 'entry' || end.status !== 'published' || end.id === undefined) continue
      const known = end.id === entry.id ? await headings.of(entry) : await headings.ofEntry(end.id)
      if (known === undefined || known.includes(id)) continue
      const page = ('moved_to' in end ? end.moved_to : undefined) ?? end.path
      dead.set(`${field} ${path}#${id}`, { field, text, path, id, page, nearest: nearest(id, known)[0] })
    }
  return [...dead.values()]
}
