// `POST /oauth/revoke`: a client ends its grant. Any of its tokens ends the whole grant. An unknown token counts as revoked. @see
// RFC 7009 §2

import { type Commit, commit } from '../../actions/call/commit.ts'
import type { IdentityServices, Services } from '../../actions/call/services.ts'
import { openHeaders } from '../shared/cors.ts'
import { empty } from '../../http/reply.ts'
import type { Handler } from '../../http/route.ts'
import { callerOfAccount } from '../../identity/account-store.ts'
import { hashSecret } from '../../identity/token-store.ts'
import type { AddressRate } from './address-rate.ts'
import { endGrant } from './end-grant.ts'
import { findGrant, findGrantId } from './grant-store.ts'
import { readForm } from './read-form.ts'
import { Refusal, refusalReply } from './refusal.ts'
import { knownClient } from './token-request.ts'

export function createRevoke(site: Services, rate: AddressRate): Handler {
  return async (request) => {
    rate.check(request.client)
    const parameters = await readForm(request)
    if (parameters instanceof Refusal) return refusalReply(parameters)
    const known = knownClient(site, parameters)
    if (known instanceof Refusal) return refusalReply(known)
    const token = parameters.find('token')
    if (token === undefined) return refusalReply(new Refusal('invalid_request', 'The parameter token is missing.'))
    const giveUp = { token, clientId: known.clientId, address: request.client }
    const refusal = await commit(site, 'SVC_Apps.revoke', (open) => revoke(site, open, giveUp))
    return refusal ? refusalReply(refusal) : empty(200, openHeaders)
  }
}

/** Ends the grant of a token. Returns a refusal if the token is another client's. */
async function revoke(
  site: IdentityServices,
  open: Commit,
  { token, clientId, address }: { readonly token: string; readonly clientId: string; readonly address: string },
): Promise<Refusal | undefined> {
  const grantId = await findGrantId(open.db, hashSecret(token))
  const found = grantId === undefined ? undefined : await findGrant(open.db, grantId)
  if (!found) return undefined
  if (found.grant.client_hash !== hashSecret(clientId)) {
    return new Refusal('invalid_grant', 'The token was issued to another client.')
  }
  const caller = callerOfAccount(found.account, 'oauth', address)
  await endGrant(open, found.grant, { caller, summary: 'The app ends its connection.', now: site.tokens.now() })
  return undefined
}
