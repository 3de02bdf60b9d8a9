// Finds the caller of a request: by the site's own bearer tokens, and by an active bridge plugin, which identifies the owner of
// an `X-API-Key`. Without an active bridge, only the tokens count.

import type { ExtensionServices, IdentityServices, ProgramServices } from '../../actions/call/services.ts'
import { Failure } from '../../base/failure.ts'
import { HttpFailure } from '../../http/failure.ts'
import type { Headers, Reply } from '../../http/reply.ts'
import type { Taken } from '../../http/rate-limit.ts'
import type { Request } from '../../http/request.ts'
import { type Caller, type Scope, scopes } from '../../identity/caller.ts'
import { isObject, type JsonObject } from '../../base/json.ts'
import { plainLine } from '../../plugins/plain-line.ts'
import { tooManyCalls } from './call-rate.ts'
import { openHeaders } from './cors.ts'
import { type Credential, credentialOf } from './credential.ts'
import { isForBridge } from './profiles/bridge-order.ts'

/** The credential of a request, or the bridge's reply to the request. */
export type BridgeAnswer =
  | { readonly credential: Credential; readonly reply?: never }
  | { readonly reply: Reply; readonly credential?: never }

/**
 * Finds the credential of a request. If no bridge is active and the token is cached, the result is not a promise.
 * @throws HttpFailure `failed` or `unavailable` if the bridge broke, because it then admits nobody; `rate_limited` at `/mcp/`
 * after too many wrong keys
 */
export function findCredential(
  site: ExtensionServices & IdentityServices & ProgramServices,
  request: Request,
  door: 'mcp' | 'api',
): BridgeAnswer | Promise<BridgeAnswer> {
  const own = credentialOf(site, request, door)
  if (site.plugins.active.bridge === undefined) return own instanceof Promise ? own.then(toAnswer) : toAnswer(own)
  return askBridge(site, request, door, own)
}

const toAnswer = (credential: Credential): BridgeAnswer => ({ credential })

async function askBridge(
  site: ExtensionServices & IdentityServices & ProgramServices,
  request: Request,
  door: 'mcp' | 'api',
  own: Credential | Promise<Credential>,
): Promise<BridgeAnswer> {
  const credential = await own
  const key = request.header('x-api-key') ?? null
  if (!isForBridge(site.release, key !== null, credential.caller !== undefined)) return { credential }
  const nobody = { credential: { caller: undefined, presented: credential.presented || key !== null } }
  if (key !== null) {
    // A limit prevents guessing: a key may be short, and the plugin's process answers only a few requests at a time.
    const guess = site.rate.takeGuess(request.client)
    if (!guess.allowed && door === 'mcp') throw tooManyGuesses(guess)
    if (!guess.allowed) return nobody
  }
  const answer = await answerOf(site, { door, path: request.path, key })
  const caller = isObject(answer) ? bridgedCaller(answer, door, request.client) : undefined
  if (caller) {
    if (key !== null) site.rate.giveBackGuess(request.client)
    return { credential: { caller, presented: true } }
  }
  const reply = isObject(answer) ? bridgeReply(answer) : undefined
  // `/api/` refuses no request because of its credential: a caller with an unusable one is anonymous.
  if (reply && door === 'mcp') return { reply }
  return nobody
}

function tooManyGuesses(guess: Taken): HttpFailure {
  const failure = tooManyCalls(guess)
  return new HttpFailure('rate_limited', failure.message, undefined, { retryAfterSeconds: failure.detail.retry_after })
}

async function answerOf(
  { plugins }: ExtensionServices,
  question: { readonly door: 'mcp' | 'api'; readonly path: string; readonly key: string | null },
): Promise<unknown> {
  try {
    return await plugins.active.bridge?.run([question])
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const status = error.code === 'unavailable' ? 'unavailable' : 'failed'
    throw new HttpFailure(status, error.message, undefined, { retryAfterSeconds: 1, cause: error })
  }
}

function bridgedCaller(answer: JsonObject, door: 'mcp' | 'api', address: string): Caller | undefined {
  const scope = scopes.find((one): one is Scope => one === answer['scope'])
  const name = answer['name']
  if (scope === undefined || typeof name !== 'string') return undefined
  const shown = plainLine(name, 200)
  const token = { kind: 'bridge', id: `bridge:${shown}`, name: shown, scope, expiresAt: null, limits: {} } as const
  return { tier: scope, account: null, token, door, address }
}

/** Headers that a bridge may set. They can lead to a sign-in. None is about cookies or framing. */
const bridgeHeaders = ['content-type', 'www-authenticate', 'access-control-allow-headers', 'retry-after', 'cache-control']
const maxBodyChars = 64 * 1024

function bridgeReply({ status, headers, body = '' }: JsonObject): Reply | undefined {
  const isSound =
    Number.isInteger(status) &&
    Number(status) >= 400 &&
    Number(status) <= 599 &&
    typeof body === 'string' &&
    body.length <= maxBodyChars
  if (!isSound) return undefined
  const given = isObject(headers) ? Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const) : []
  const allowed = given.filter(
    (one): one is readonly [string, string] =>
      bridgeHeaders.includes(one[0]) && typeof one[1] === 'string' && !/[^\x20-\x7e]/.test(one[1]),
  )
  const all: Headers = { ...openHeaders, 'content-type': 'text/plain; charset=utf-8', ...Object.fromEntries(allowed) }
  return { status: Number(status), headers: all, body: { text: body }, drain: true }
}
