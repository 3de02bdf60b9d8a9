import { getGrant } from '../../identity/find-grant.ts'
import { action } from '../call/action.ts'
import { revokeInput, revokeNamed } from '../shared/credentials.ts'
import { doneOutput } from '../call/write-answer.ts'
import { idProperty } from './app-item.ts'

export const revoke = action('SVC_Apps.revoke', {
  title: 'Remove [the app {title}|an app]',
  summary: 'Removes connected apps at once, with every token that was issued to them.',
  did: 'removed [the app {title}|an app]',
  tier: 'admin',
  effect: 'destroy',
  failures: ['not_found', 'conflict'],
  touches: 'endings',
  input: revokeInput(idProperty, 'apps', 'Ids or names of connected apps.'),
  output: doneOutput,
  examples: [{ title: 'Remove one', input: { ids: ['Claude'], expect: 1 } }],
  run: (context, named) => revokeNamed(context, 'app', named, (id) => getGrant(context.db, id, context.now)),
})
