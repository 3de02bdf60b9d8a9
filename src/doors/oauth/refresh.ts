// Refresh tokens: each is used once and replaced by another. A request that is repeated within 30 seconds gets the first answer
// again, byte for byte. Any later reuse means that someone has a copy, and ends the grant. @see RFC 9700 §4.14.2, RFC 6749 §6

import { type Commit, commit } from '../../actions/call/commit.ts'
import type { IdentityServices, ProgramServices, Services } from '../../actions/call/services.ts'
import { lowerScope, type Scope, system } from '../../identity/caller.ts'
import { grantState } from '../../identity/find-grant.ts'
import { hashSecret } from '../../identity/token-store.ts'
import type { AppGrantRow } from '../../store/core/schema.ts'
import { highestScope } from './authorize-request.ts'
import { endGrant } from './end-grant.ts'
import {
  findGrant,
  findIssued,
  findRefresh,
  type IssuedTokens,
  issueTokens,
  retryMs,
  successorsOf,
  takeRefresh,
} from './grant-store.ts'
import { Refusal } from './refusal.ts'
import type { TokenRequest } from './token-request.ts'

const unknown = new Refusal('invalid_grant', 'The refresh token is unknown, used or has ended.')

/** Exchanges a refresh token for the tokens that replace it, in one transaction. */
export async function refresh(site: Services, request: TokenRequest): Promise<IssuedTokens | Refusal> {
  const token = request.parameters.find('refresh_token')
  if (token === undefined) return new Refusal('invalid_request', 'The parameter refresh_token is missing.')
  if (request.foreignResource) return new Refusal('invalid_target', 'resource is not this server.')
  return commit(site, 'SVC_Apps.refresh', (open) => rotate(site, open, request, token))
}

async function rotate(
  site: IdentityServices & ProgramServices,
  open: Commit,
  request: TokenRequest,
  token: string,
): Promise<IssuedTokens | Refusal> {
  const { db } = open
  const now = site.tokens.now()
  const tokenHash = hashSecret(token)
  const row = await findRefresh(db, tokenHash)
  const found = row && (await findGrant(db, row.grant_id))
  // An attempt of another client does not use up the token, so its own client can continue.
  if (!row || !found || found.grant.client_hash !== hashSecret(request.clientId)) return unknown
  if (grantState(found.grant, found.account, now) !== 'active') return unknown
  const { grant } = found
  const scope = narrowed(grant, request.parameters.find('scope'))
  if (scope === undefined) return new Refusal('invalid_scope', `scope must not exceed ${grant.scope}.`)
  const secrets = successorsOf(site.key, token)
  if (await takeRefresh(db, tokenHash, now)) return issueTokens(db, grant, { secrets, scope, now })
  const usedAt = row.used_at ?? now
  const first = now - usedAt <= retryMs ? await findIssued(db, secrets, usedAt) : undefined
  return first ?? reused(site, open, grant, request)
}

/** The scope of the new access token: the one that the client names, within the grant; undefined if it names a higher one. */
function narrowed(grant: AppGrantRow, asked: string | undefined): Scope | undefined {
  const granted = grant.scope as Scope
  const scope = highestScope(asked) ?? granted
  return lowerScope(scope, granted) === scope ? scope : undefined
}

async function reused(
  site: IdentityServices & ProgramServices,
  open: Commit,
  grant: AppGrantRow,
  { address }: TokenRequest,
): Promise<Refusal> {
  site.log.warn('refresh token used twice', { door: 'oauth', grant: grant.id, client: grant.client, address })
  const summary = 'Ends a connection whose refresh token was used twice.'
  const caller = { ...system, address }
  await endGrant(open, grant, { caller, summary, now: site.tokens.now() })
  return unknown
}
