// A request to the token endpoint from a known client, in the form for each grant type.

import type { Services } from '../../actions/call/services.ts'
import { type Client, parseClientId } from './client-id.ts'
import type { Parameters } from './read-form.ts'
import { Refusal } from './refusal.ts'

/** A request from a known client. */
export interface TokenRequest {
  readonly parameters: Parameters
  readonly clientId: string
  readonly client: Client
  /** True if it names a resource of another server. A request need not name one. */
  readonly foreignResource: boolean
  /** The network address of the client. */
  readonly address: string
}

/** The client in a form. Clients have no secret; the code verifier or the refresh token proves their identity. */
export function knownClient(
  { key }: Pick<Services, 'key'>,
  { find }: Parameters,
): Pick<TokenRequest, 'client' | 'clientId'> | Refusal {
  const clientId = find('client_id') ?? ''
  const client = parseClientId(key, clientId)
  return client ? { client, clientId } : new Refusal('invalid_client', 'The client_id is missing or invalid: register again.')
}
