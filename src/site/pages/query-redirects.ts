// Redirects that the query of a request decides: rules from `/index.php?page=about`, and numbers such as that of `/?p=123`. The
// cache of pages knows no queries, so these come before it. A request without a query costs nothing here.

import type { Services } from '../../actions/call/services.ts'
import { hopOfNumber, hopOfRule, mayNameThing, type QueryRules, readQueryRules } from '../../content/redirects/query-rules.ts'
import type { Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import { createReadingCache } from '../kept/reading-cache.ts'
import { findHomeLanguage } from './alternates.ts'
import { prepareErrorPage } from './error-pages.ts'
import { frameOf } from './frame.ts'
import { missingPage } from './make-page.ts'
import { queryRedirectReply } from './redirects.ts'

export interface QueryRedirects {
  /**
   * Undefined if the query of a request can decide nothing; otherwise the redirect, or undefined if there is none.
   * @throws HttpFailure `not_found` for the number of a thing that is not public
   */
  find(request: Request): Promise<Reply | undefined> | undefined
}

const maxBytes = 16 * 1024 ** 2

export function createQueryRedirects(site: Services): QueryRedirects {
  const kept = createReadingCache<{ readonly rules: QueryRules }>(site, {
    maxBytes,
    sizeOf: ({ rules }) => 1000 * (rules.size + 1),
  })
  const load = () => kept.load(site, '', async (view) => ({ rules: await readQueryRules(view.store.read) }))

  const search = async (request: Request, path: string): Promise<Reply | undefined> => {
    const { rules } = await load()
    const hop = hopOfRule(rules, path, request.query) ?? (await findNumber(site, request, path))
    if (hop === undefined) return undefined
    const frame = frameOf(site, request)
    if (hop !== 'unknown') return queryRedirectReply(frame, hop, path)
    await prepareErrorPage(frame, 404, request.path, request)
    throw missingPage()
  }
  return {
    find(request) {
      if (!request.target.includes('?') || site.maintenance.now()) return undefined
      const path = request.path.replace(/(.)\/$/, '$1')
      const rules = kept.find(site, '')?.rules
      return rules && !rules.has(path) && !mayNameThing(request.query) ? undefined : search(request, path)
    },
  }
}

/** Finds what WordPress would show for the number in a query. It answers numbers at the home page of each language. */
function findNumber(site: Services, { query }: Request, path: string) {
  const isHome = path === '/' || path === '/index.php' || findHomeLanguage(site, path) !== undefined
  return mayNameThing(query) ? hopOfNumber(site.store.read, path, query, site.clock.now(), isHome) : undefined
}
