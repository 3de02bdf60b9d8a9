// `/metrics`: the counters of the service, for a Bearer token of scope `admin` that may use SVC_Health. Behind a proxy every
// request comes from loopback, so the address of a client proves nothing (attack 22). Cookies don't count here.

import { isClassAllowed } from '../actions/call/registry.ts'
import type { IdentityServices, ProgramServices } from '../actions/call/services.ts'
import { credentialOf } from '../doors/shared/credential.ts'
import { type Headers, type Reply, text } from '../http/reply.ts'
import type { Request } from '../http/request.ts'
import type { Route } from '../http/route.ts'
import { includesTier } from '../identity/caller.ts'

const noStore: Headers = { 'cache-control': 'no-store' }

/** The class that the metrics belong to: a token that is limited to other classes can't read them (attack 140). */
const metricsClass = 'SVC_Health'

export function metricsRoute(site: IdentityServices & ProgramServices): Route {
  const methods = { GET: (request: Request) => metrics(site, request) }
  return { path: '/metrics', slash: 'exact', letterCase: 'exact', methods, door: 'metrics' }
}

async function metrics(site: IdentityServices & ProgramServices, request: Request): Promise<Reply> {
  const { caller, presented } = await credentialOf(site, request, 'api')
  if (!caller) return refuse(401, presented ? 'Bearer error="invalid_token"' : 'Bearer')
  if (!includesTier(caller.tier, 'admin') || !isClassAllowed(caller, metricsClass))
    return refuse(403, 'Bearer error="insufficient_scope", scope="admin"')
  const rate = site.rate.takeCall(caller)
  if (!rate.allowed) return text(429, 'Too many calls.\n', { ...noStore, 'retry-after': String(rate.resetSeconds) })
  return text(200, await site.numbers.text(), { ...noStore, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
}

/** @see RFC 6750 §3 */
const refuse = (status: number, challenge: string): Reply =>
  text(
    status,
    `Send a token of scope admin as Authorization: Bearer. If it has limits.classes, they must include ${metricsClass}.\n`,
    {
      ...noStore,
      'www-authenticate': challenge,
    },
  )
