import { Type } from 'typebox'
import { findingStates } from '../../doctor/finding.ts'
import { action } from '../call/action.ts'
import { checkNames } from './health.ts'
import { nullable } from '../call/write-answer.ts'
import { closed, flag } from '../../base/schema.ts'

export const check = action('SVC_Health.check', {
  title: 'Check the health of the site',
  summary: 'Checks the site and its server for problems, and says how to fix them.',
  tier: 'admin',
  effect: 'read',
  job: true,
  input: closed({
    only: Type.Optional(
      Type.Array(Type.Enum([...checkNames]), {
        minItems: 1,
        maxItems: checkNames.length,
        uniqueItems: true,
        description: 'Only these checks. The default is all.',
      }),
    ),
    outside: flag('Whether to test the public address as well, which takes some seconds. The default is true.'),
  }),
  output: Type.Object({
    items: Type.Array(
      Type.Object({
        check: Type.String(),
        state: Type.Enum([...findingStates], { description: '`unknown`: the check could not be made.' }),
        message: Type.String(),
        fix: nullable(Type.String(), 'A command, a line of configuration or a call.'),
      }),
    ),
  }),
  examples: [
    { title: 'Everything', input: {} },
    { title: 'Whether the protected folders can be read', input: { only: ['protected-folders'] } },
  ],
  async run({ site, signal }, which) {
    const found = await site.health.check(site, which, signal)
    return { items: found.map(({ id, state, message, fix }) => ({ check: id, state, message, fix })) }
  },
})
