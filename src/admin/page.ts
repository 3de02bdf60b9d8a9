// From a request to a page's function: who may open it, and what it may call. A page has no powers of its own: it dispatches actions as
// whoever is signed in.

import { dispatch } from '../actions/dispatch.ts'
import type { CallOptions } from '../actions/options.ts'
import type { Services } from '../actions/services.ts'
import { bearerOf } from '../doors/credential.ts'
import { baseOf } from '../doors/paths.ts'
import type { Failure } from '../failure.ts'
import { HttpFailure } from '../http/failure.ts'
import type { Reply } from '../http/reply.ts'
import type { Handler } from '../http/route.ts'
import { adminPaths } from './paths.ts'
import { goTo } from './reply.ts'
import { openVisit, type SignedIn, type Visit } from './visit.ts'

type Page<V extends Visit> = (visit: V) => Reply | Promise<Reply>

/** A page for anyone. */
export function forAnyone(site: Services, page: Page<Visit>): Handler {
  return async (request) => page(await openVisit(site, request))
}

/** A page for those who are signed in: others are led to the sign-in and back. A token leads nowhere (attack 127). */
export function forSignedIn(site: Services, page: Page<SignedIn>): Handler {
  return async (request) => {
    const visit = await openVisit(site, request)
    const { session } = visit
    if (session) return page({ ...visit, session })
    if (bearerOf(request.header('authorization')) !== undefined) {
      throw new HttpFailure('forbidden', 'The admin takes no tokens: sign in here, or use the token at /api/ or /mcp/.')
    }
    if (request.method === 'POST') {
      throw new HttpFailure('forbidden', 'You are not signed in, or no longer: sign in and do it again. Nothing was done.')
    }
    return goTo(visit, `${adminPaths.signIn}?next=${encodeURIComponent(request.path)}`)
  }
}

export type Result<T> = { readonly data: T; readonly failure?: never } | { readonly failure: Failure; readonly data?: never }

/** Runs an action as the visitor. `T` is what its output schema says. */
export async function run<T>(
  { site, caller, request }: Visit,
  name: string,
  input: Readonly<Record<string, unknown>> = {},
  options: CallOptions = {},
): Promise<Result<T>> {
  const outcome = await dispatch(site, caller, { name, input, options }, { origin: baseOf(request), signal: request.signal })
  return outcome.ok ? { data: outcome.data.parse() as T } : { failure: outcome.failure }
}

/** Runs an action that must succeed for there to be a page. @throws HttpFailure */
export async function get<T>(visit: Visit, name: string, input: Readonly<Record<string, unknown>> = {}): Promise<T> {
  const { data, failure } = await run<T>(visit, name, input)
  if (failure === undefined) return data
  if (failure.code === 'unknown_action') throw new HttpFailure('forbidden', 'Your account may not see this page.')
  throw failure
}
