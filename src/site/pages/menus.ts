// The menus of public pages. The menu of a location is cached until its inputs change.

import { readingCaches } from '../kept/reading-cache.ts'
import { urlOf } from '../../content/entries/entry.ts'
import { languagesOf } from '../../content/languages/languages.ts'
import { menuAt, type MenuNode } from '../../content/menus/menus.ts'
import type { ThemeMenuItem } from '../../themes/contract.ts'
import { siteWord } from '../../themes/site-words.ts'
import type { Frame } from './frame.ts'
import { addressIn, siteFacts } from './page-data/site-facts.ts'

const cacheOf = readingCaches<readonly MenuNode[]>({
  maxBytes: 2 * 1024 ** 2,
  sizeOf: (nodes) => 2 * JSON.stringify(nodes).length,
})

/**
 * The menu at a location, as a page at a path shows it. A heading without a page has an empty `url`.
 * @param current the path of the page; null for a page without one
 * @param branch the further language of the page, which decides the pages of a default menu
 */
export async function menuOf(
  frame: Frame,
  location: string,
  current: string | null,
  branch: string | null = null,
): Promise<readonly ThemeMenuItem[]> {
  const { site, origin } = frame
  const languages = languagesOf(site.settings.values)
  const language = branch ?? languages.main
  const words = { more: siteWord(language, 'more'), allPages: siteWord(language, 'all_pages') }
  const nodes = await cacheOf(site).load(site, `${location} ${branch ?? ''}`, ({ store, clock, terms }) =>
    menuAt(store.read, location, clock.now(), terms.of, words, { languages, branch }),
  )
  const facts = await siteFacts(frame)
  const base = new URL(origin).pathname.replace(/\/$/, '')
  const toItem = ({ label, path, url, newTab, items }: MenuNode): ThemeMenuItem => {
    const below = items.map(toItem)
    const address = path === null ? null : addressIn(facts, path)
    const isCurrent = address !== null && address === current
    return {
      label,
      url: address === null ? (url?.startsWith('/') ? base + url : (url ?? '')) : urlOf(origin, address),
      current: isCurrent,
      inside: isCurrent || (path !== null && current?.startsWith(`${path}/`) === true) || below.some(({ inside }) => inside),
      new_tab: newTab,
      items: below,
    }
  }
  return nodes.map(toItem)
}
