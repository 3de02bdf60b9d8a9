// A request to the token endpoint whose client is known: what each grant type gets to see.

import type { Services } from '../actions/services.ts'
import { type Client, parseClientId } from './client-id.ts'
import type { Parameters } from './read-form.ts'
import { Refusal } from './refusal.ts'

/** A request of a known client. */
export interface TokenRequest {
  readonly parameters: Parameters
  readonly clientId: string
  readonly client: Client
  /** It names a resource that isn't this server's; naming none is allowed. */
  readonly foreignResource: boolean
  /** The network address that it came from. */
  readonly address: string
}

/** The client that a form names. It has no secret: that it knows the verifier or the token is what counts. */
export function knownClient(
  { key }: Pick<Services, 'key'>,
  { find }: Parameters,
): Pick<TokenRequest, 'client' | 'clientId'> | Refusal {
  const clientId = find('client_id') ?? ''
  const client = parseClientId(key, clientId)
  return client ? { client, clientId } : new Refusal('invalid_client', 'The client_id is missing or invalid: register again.')
}
