// Brings the caches up to date before a request is handled, if another process has changed something or the database has not been heard from for
// a second. While the database does not answer, only public pages are shown, for some minutes, and everything else is unavailable.

import type { Services } from './actions/services.ts'
import type { Standing } from './actions/lease.ts'
import { unavailable } from './store/errors.ts'
import type { Request } from './http/request.ts'
import type { Handler } from './http/route.ts'
import type { Match, Router } from './http/router.ts'

/** The router, with fresh caches for each of its handlers. */
export function freshFirst({ freshness }: Pick<Services, 'freshness'>, router: Router): Router {
  return {
    match(request) {
      const match = router.match(request)
      const late = freshness.catchUp()
      return late === undefined ? match : { ...match, handler: after(late, match) }
    },
  }
}

const after =
  (late: Promise<Standing>, { handler, door }: Match): Handler =>
  async (request, params) => {
    if (!mayAnswer(await late, door, request)) throw unavailable('The database does not answer; try again shortly.', 5)
    return handler(request, params)
  }

/** True if a request may be answered while the caches have this standing. */
function mayAnswer(standing: Standing, door: string | undefined, { method, path }: Request): boolean {
  if (standing === 'fresh' || alwaysAnswered.has(path)) return true
  const isPage =
    door === 'site' && (method === 'GET' || method === 'HEAD') && !grantedPaths.some((start) => path.startsWith(start))
  return standing === 'pages' && isPage
}

/** These say themselves how the service is. */
const alwaysAnswered: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

/** Paths of the public site that are open to some people only, or lead to a plugin. */
const grantedPaths = ['/ext/', '/user-content/']
