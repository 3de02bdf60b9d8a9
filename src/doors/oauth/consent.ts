// Turns the owner's answer to an app's request into a redirect with a code or an error. The admin asks the question and
// authenticates the owner.

import type { Services } from '../../actions/call/services.ts'
import { lowerScope, type AccountRole, type Scope, scopeOfRole, type TokenLimits } from '../../identity/caller.ts'
import { hashSecret } from '../../identity/token-store.ts'
import type { AccountRow } from '../../store/core/schema.ts'
import type { AuthorizeRequest, RedirectError } from './authorize-request.ts'
import { issueCode as storeCode } from './code-store.ts'
import { redirectWith } from './redirect-uri.ts'

/** The consent of the owner: the account, and the scope and limits that they chose. */
export interface Consent {
  readonly request: AuthorizeRequest
  readonly account: Pick<AccountRow, 'id' | 'role' | 'epoch'>
  readonly scope: Scope
  readonly limits?: TokenLimits
}

/** Issues a code and returns the `Location` that carries it to the client. The scope never exceeds the account (attack 48). */
export async function issueCode(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  { request, account, scope, limits = {} }: Consent,
): Promise<string> {
  const facts = {
    account_id: account.id,
    client_hash: hashSecret(request.clientId),
    redirect_uri: request.redirectUri,
    code_challenge: request.codeChallenge,
    scope: lowerScope(scope, scopeOfRole(account.role as AccountRole)),
    limits: JSON.stringify(limits),
    epoch: account.epoch,
  }
  const code = await store.transaction((db) => storeCode(db, facts, clock.now()))
  return redirectWith(request.redirectUri, { code, state: request.state, iss: request.issuer })
}

/** The `Location` after the owner refused. */
export function denyLocation({ redirectUri, state, issuer }: AuthorizeRequest): string {
  return redirectWith(redirectUri, { error: 'access_denied', error_description: 'The owner said no.', state, iss: issuer })
}

/** The `Location` for a faulty request of the client. @see RFC 6749 §4.1.2.1, RFC 9207 §2 */
export function errorLocation({ error, description, redirectUri, state, issuer }: RedirectError): string {
  return redirectWith(redirectUri, { error, error_description: description, state, iss: issuer })
}
