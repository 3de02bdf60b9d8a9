// A walk over the admin, from its table of routes and along its links.

import type { Services } from '../../src/actions/call/services.ts'
import { adminRoutes } from '../../src/admin/routes.ts'
import type { Page, Visitor } from './visitor.ts'

/** The routes of the admin. Their handlers are not called here. */
export const routes = adminRoutes({} as Services).filter(({ path }) => /^\/(?:admin|oauth)\/[^*:]*$/.test(path))

/** What is linked from all pages is walked once; a list may have many things, of which the first of each kind is enough. */
export const kindOf = (address: string): string =>
  address.replace(/([?&][\w-]+)=[^&]*/g, '$1').replace(/^(\/admin\/console\?action).*/, '$1')

/** The pages by their addresses. */
export async function walkAdmin(visitor: Visitor): Promise<ReadonlyMap<string, Page>> {
  const pages = new Map<string, Page>()
  const waiting = routes.filter(({ methods, kind }) => methods.GET && kind === 'window').map(({ path }) => path)
  const known = new Set(waiting.map(kindOf))
  const paths = new Set(routes.map(({ path }) => path))
  for (const address of waiting) {
    const page = await visitor.open(address)
    pages.set(address, page)
    for (const [, link = ''] of page.text.matchAll(/<a [^>]*?href="([^"#]+)/g)) {
      const to = link.replaceAll('&amp;', '&')
      if (!paths.has(to.split('?')[0] ?? '') || known.has(kindOf(to))) continue
      known.add(kindOf(to))
      waiting.push(to)
    }
  }
  return pages
}
