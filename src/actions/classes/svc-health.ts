// SVC_Health: what is wrong with the site and what mends it, and forgetting what is kept in memory.

import { Type } from 'typebox'
import { doctorKeyMs, doctorKeyOf } from '../../doctor/doctor-key.ts'
import { areas } from '../../store/kinds.ts'
import { bump } from '../../store/versions.ts'
import { type Action, action } from '../action.ts'
import { healthStates } from '../health/check.ts'
import { checkNames } from '../health/health.ts'
import { doneOutput, nullable, writeProperties } from '../write-answer.ts'

export const healthCheck = action({
  class: 'SVC_Health',
  name: 'check',
  summary: 'Looks for what is wrong with the site and its surroundings, and says what mends it.',
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
          description: 'Only these checks; all unless told.',
        }),
      ),
      outside: Type.Optional(
        Type.Boolean({
          description: 'Whether to ask through the public address too, which takes some seconds; true unless told.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    items: Type.Array(
      Type.Object({
        check: Type.String(),
        state: Type.Enum([...healthStates], { description: '`unknown`: it could not be found out.' }),
        message: Type.String(),
        fix: nullable(Type.String(), 'A command, a line of configuration or a call.'),
      }),
    ),
  }),
  examples: [
    { title: 'Everything', input: {} },
    { title: 'Whether the protected folders can be read', input: { only: ['protected-folders'] } },
  ],
  run: async ({ site, signal }, which) => ({ items: [...(await site.health.check(site, which, signal))] }),
})

const clearCaches = action({
  class: 'SVC_Health',
  name: 'clear-caches',
  summary: 'Makes every process of the site forget what it keeps in memory; nothing is lost, and it is slower for a moment.',
  tier: 'admin',
  effect: 'act',
  failures: [],
  touches: 'site',
  input: Type.Object({}, { additionalProperties: false }),
  output: doneOutput,
  examples: [{ title: 'Forget everything kept', input: {} }],
  async run({ db, site, afterCommit }) {
    // Other processes see the counters within a second.
    await bump(db, areas)
    afterCommit(() => site.freshness.forgetAll())
    return { done: [...areas], unchanged: [], warnings: [], activity_id: null }
  },
})

const doctorKey = action({
  class: 'SVC_Health',
  name: 'doctor-key',
  summary:
    'Gives `postern doctor` on another machine a key by which the site tells it what of its requests arrives, for ten minutes.',
  tier: 'admin',
  effect: 'act',
  failures: [],
  touches: 'site',
  batchable: false,
  secrets: ['key'],
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({
    key: Type.Optional(Type.String({ description: 'Shown this once; it opens nothing else.' })),
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

export const healthActions: readonly Action[] = [healthCheck, clearCaches, doctorKey]
