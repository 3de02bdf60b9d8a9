// Updates the caches before a request is handled, if another process has changed something or the last contact with the database
// is older than a second. While the database does not answer, only public pages are shown, for some minutes, and everything else
// is unavailable.

import type { Services } from '../actions/call/services.ts'
import type { Standing } from '../cache/lease.ts'
import { unavailable } from '../store/core/errors.ts'
import type { Request } from '../http/request.ts'
import type { Handler } from '../http/route.ts'
import type { Match, Router } from '../http/router.ts'

/** Wraps a router so that the caches are fresh for each of its handlers. */
export function freshFirst({ freshness }: Pick<Services, 'freshness'>, router: Router): Router {
  return {
    match(request) {
      const match = router.match(request)
      const late = freshness.catchUp()
      return late === undefined ? match : { ...match, handler: whenFresh(late, match) }
    },
  }
}

const whenFresh =
  (late: Promise<Standing>, { handler, door }: Match): Handler =>
  async (request, params) => {
    if (!mayAnswer(await late, door, request)) throw unavailable('The database does not answer; try again shortly.', 5)
    return handler(request, params)
  }

/** True if a request may be answered in this state of the caches. */
function mayAnswer(standing: Standing, door: string | undefined, { method, path }: Request): boolean {
  if (standing === 'fresh' || alwaysAnswered.has(path)) return true
  const isPage =
    door === 'site' && (method === 'GET' || method === 'HEAD') && !guardedPaths.some((start) => path.startsWith(start))
  return standing === 'pages' && isPage
}

/** The paths that themselves report the state of the service. */
const alwaysAnswered: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

/** Paths of the public site that need a right, or run a plugin. They are not served from caches that may be stale. */
const guardedPaths = ['/ext/', '/user-content/']
