// Exchanges a code for tokens. Every attempt uses up the code. A second use ends the grant that the first one made.
// @see RFC 6749 §4.1.3, RFC 7636 §4.6

import { hash } from 'node:crypto'
import { type Commit, commit, recordChange } from '../../actions/call/commit.ts'
import type { IdentityServices, ProgramServices, Services } from '../../actions/call/services.ts'
import { codeExpired } from '../shared/profiles/code-expiry.ts'
import { callerOfAccount } from '../../identity/account-store.ts'
import { system, type TokenLimits } from '../../identity/caller.ts'
import { standsBehind } from '../../identity/find-grant.ts'
import { hashSecret } from '../../identity/token-store.ts'
import { sameSecret } from '../../base/same-secret.ts'
import type { AccountRow, AuthCodeRow } from '../../store/core/schema.ts'
import { findSpentCode, noteExchange, takeCode } from './code-store.ts'
import { endGrant } from './end-grant.ts'
import { findGrant, type IssuedTokens, issueTokens, makeGrant, randomSecrets, sweepTokens } from './grant-store.ts'
import { redirectHost } from './redirect-uri.ts'
import { Refusal } from './refusal.ts'
import type { TokenRequest } from './token-request.ts'

/** Exchanges a code in one transaction. A refused code is also used up. */
export async function exchangeCode(site: Services, request: TokenRequest): Promise<IssuedTokens | Refusal> {
  const code = request.parameters.find('code')
  if (code === undefined) return new Refusal('invalid_request', 'The parameter code is missing.')
  return commit(site, 'SVC_Apps.connect', (open) => exchange(site, open, request, hashSecret(code)))
}

async function exchange(site: Services, open: Commit, request: TokenRequest, codeHash: string): Promise<IssuedTokens | Refusal> {
  const { db } = open
  const row = await takeCode(db, codeHash, site.clock.now())
  if (!row) return unknownOrUsed(site, open, request, codeHash)
  const account = await db.selectFrom('account').selectAll().where('id', '=', row.account_id).executeTakeFirst()
  const failed = checks.find(({ holds }) => !holds({ site, row, account, request }))
  if (!account || failed) return failed?.refusal ?? unknown
  const { client } = request
  const host = redirectHost(row.redirect_uri)
  const { client_hash, scope, limits } = row
  const facts = { client_hash, client: client.name === '' ? host : client.name, host, scope, limits }
  const now = site.tokens.now()
  const recording = {
    caller: callerOfAccount(account, 'oauth', request.address),
    call: 'SVC_Apps.connect',
    effect: 'act',
    summary: 'Connects an app.',
    input: { client: facts.client, host, scope, limits: JSON.parse(limits) as TokenLimits },
    now,
  } as const
  const grant = await recordChange(open, recording, (change) => makeGrant(change, account, facts))
  await noteExchange(db, codeHash, grant.id)
  await sweepTokens(db, now)
  const secrets = randomSecrets(client.refreshes)
  return issueTokens(db, grant, { secrets, scope: grant.scope, now })
}

const unknown = new Refusal('invalid_grant', 'Unknown or used code')

async function unknownOrUsed(
  site: IdentityServices & ProgramServices,
  open: Commit,
  request: TokenRequest,
  codeHash: string,
): Promise<Refusal> {
  const grantId = await findSpentCode(open.db, codeHash)
  const found = grantId === undefined ? undefined : await findGrant(open.db, grantId)
  if (!found) return unknown
  const { id: grant, client } = found.grant
  site.log.warn('authorization code used twice', { door: 'oauth', grant, client, address: request.address })
  const caller = { ...system, address: request.address }
  const summary = 'Ends a connection whose code was used twice.'
  await endGrant(open, found.grant, { caller, summary, now: site.tokens.now() })
  return unknown
}

interface Facts {
  readonly site: Services
  readonly row: AuthCodeRow
  readonly account: AccountRow | undefined
  readonly request: TokenRequest
}

/** Conditions of a code. The first condition that fails decides the refusal. */
const checks: readonly { readonly holds: (facts: Facts) => boolean; readonly refusal: Refusal }[] = [
  { holds: ({ site, row }) => !codeExpired(site.release, row.expires_at, site.clock.now()), refusal: unknown },
  { holds: ({ row, account }) => account !== undefined && standsBehind(account, row), refusal: unknown },
  {
    holds: ({ row, request }) => row.client_hash === hashSecret(request.clientId),
    refusal: new Refusal('invalid_grant', 'The code was issued to another client.'),
  },
  {
    holds: ({ row, request }) => row.redirect_uri === request.parameters.find('redirect_uri'),
    refusal: new Refusal('invalid_grant', 'redirect_uri is not the one of the authorization request.'),
  },
  {
    holds: ({ row, request }) => verifies(request.parameters.find('code_verifier'), row.code_challenge),
    refusal: new Refusal('invalid_grant', 'code_verifier does not match the code_challenge.'),
  },
  { holds: ({ request }) => !request.foreignResource, refusal: new Refusal('invalid_target', 'resource is not this server.') },
]

const verifierForm = /^[A-Za-z0-9\-._~]{43,128}$/

/** True if a verifier belongs to an S256 challenge. @see RFC 7636 §4.1, §4.6 */
function verifies(verifier: string | undefined, challenge: string): boolean {
  if (verifier === undefined || !verifierForm.test(verifier)) return false
  return sameSecret(hash('sha256', verifier, 'base64url'), challenge)
}
