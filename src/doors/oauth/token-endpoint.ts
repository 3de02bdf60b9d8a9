// `POST /oauth/token`: checks form, client and grant type, in this order. The grant types are in exchange-code.ts and refresh.ts.
// @see RFC 6749 §3.2, §5

import type { Services } from '../../actions/call/services.ts'
import { openHeaders } from '../shared/cors.ts'
import { json } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import type { Handler } from '../../http/route.ts'
import type { AddressRate } from './address-rate.ts'
import { exchangeCode } from './exchange-code.ts'
import type { IssuedTokens } from './grant-store.ts'
import { readForm } from './read-form.ts'
import { refresh } from './refresh.ts'
import { Refusal, refusalReply } from './refusal.ts'
import { isOwnResource } from './resource.ts'
import { knownClient, type TokenRequest } from './token-request.ts'

type GrantType = (site: Services, request: TokenRequest) => Promise<IssuedTokens | Refusal>

const grantTypes: ReadonlyMap<string, GrantType> = new Map([
  ['authorization_code', exchangeCode],
  ['refresh_token', refresh],
])

export function createToken(site: Services, rate: AddressRate): Handler {
  return async (request) => {
    rate.check(request.client)
    const issued = await issue(site, request)
    return issued instanceof Refusal ? refusalReply(issued) : json(200, issued, openHeaders)
  }
}

async function issue(site: Services, request: Request): Promise<IssuedTokens | Refusal> {
  const parameters = await readForm(request)
  if (parameters instanceof Refusal) return parameters
  const type = parameters.find('grant_type')
  if (type === undefined) return new Refusal('invalid_request', 'The parameter grant_type is missing.')
  const run = grantTypes.get(type)
  if (!run) return new Refusal('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.')
  const known = knownClient(site, parameters)
  if (known instanceof Refusal) return known
  const foreignResource = parameters.all('resource').some((resource) => !isOwnResource(site, request, resource))
  return run(site, { ...known, parameters, foreignResource, address: request.client })
}
