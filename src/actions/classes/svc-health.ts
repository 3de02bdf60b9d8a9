// SVC_Health: checks the site, clears its caches, and gives the doctor a key.

import { Type } from 'typebox'
import { doctorKeyMs, doctorKeyOf } from '../../doctor/doctor-key.ts'
import { findingStates } from '../../doctor/finding.ts'
import { areas } from '../../store/kinds.ts'
import { action } from '../action.ts'
import { checkNames } from '../health/health.ts'
import { doneOutput, nullable, writeProperties } from '../write-answer.ts'

export const healthCheck = action({
  class: 'SVC_Health',
  name: 'check',
  title: 'Check the health of the site',
  summary: 'Checks the site and its server for problems, and says how to fix them.',
  tier: 'admin',
  effect: 'read',
  failures: [],
  touches: 'nothing',
  job: true,
  input: Type.Object(
    {
      only: Type.Optional(
        Type.Array(Type.Enum([...checkNames]), {
          minItems: 1,
          maxItems: checkNames.length,
          uniqueItems: true,
          description: 'Only these checks. The default is all.',
        }),
      ),
      outside: Type.Optional(
        Type.Boolean({
          description: 'Whether to test the public address as well, which takes some seconds. The default is true.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
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

export const clearCaches = action({
  class: 'SVC_Health',
  name: 'clear-caches',
  title: 'Clear the caches',
  summary: 'Clears the caches of all processes of the site. Nothing is lost; answers are slower for a moment.',
  did: 'cleared the caches',
  tier: 'admin',
  effect: 'act',
  failures: [],
  touches: 'site',
  input: Type.Object({}, { additionalProperties: false }),
  output: doneOutput,
  examples: [{ title: 'Clear all caches', input: {} }],
  async run({ site, makeStale, afterCommit }) {
    makeStale(areas)
    afterCommit(() => site.freshness.forgetAll())
    return { done: [...areas], unchanged: [], warnings: [], activity_id: null }
  },
})

export const doctorKey = action({
  class: 'SVC_Health',
  name: 'doctor-key',
  title: 'Make a key for the doctor',
  summary: 'Creates a key for `postern doctor` on another machine. For ten minutes, the site shows it how its requests arrive.',
  did: 'made a key for the doctor',
  tier: 'admin',
  effect: 'act',
  failures: [],
  touches: 'access',
  batchable: false,
  secrets: ['key'],
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({
    key: Type.Optional(Type.String({ description: 'The key. It is shown once, and only the doctor can use it.' })),
    expires_at: Type.String(),
    ...writeProperties,
  }),
  examples: [{ title: 'A key for the next ten minutes', input: {} }],
  async run({ site, now }) {
    const expiresAt = now + doctorKeyMs
    const key = doctorKeyOf(site.key, expiresAt).text
    return { key, expires_at: new Date(expiresAt).toISOString(), warnings: [], activity_id: null }
  },
})
