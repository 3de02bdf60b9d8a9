import { getToken } from '../../identity/find-token.ts'
import { action } from '../call/action.ts'
import { doneOutput } from '../call/write-answer.ts'
import { revokeInput, revokeNamed } from '../shared/credentials.ts'
import { idProperty } from '../shared/token-item.ts'

export const revoke = action('SVC_Tokens.revoke', {
  title: 'Revoke [the token {title}|a token]',
  summary: 'Revokes tokens at once. They cannot be restored.',
  did: 'revoked [the token {title}|a token]',
  tier: 'admin',
  effect: 'destroy',
  failures: ['not_found', 'conflict'],
  touches: 'endings',
  input: revokeInput(idProperty, 'tokens', 'Ids or names of tokens.'),
  output: doneOutput,
  examples: [{ title: 'Revoke one token', input: { ids: ['Nightly export'], expect: 1 } }],
  run: (context, named) => revokeNamed(context, 'token', named, (id) => getToken(context.db, id)),
})
