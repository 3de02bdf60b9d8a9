import { Type } from 'typebox'
import { doctorKeyMs, doctorKeyOf } from '../../doctor/doctor-key.ts'
import { action } from '../call/action.ts'
import { writeProperties } from '../call/write-answer.ts'
import { closed } from '../../base/schema.ts'

export const doctorKey = action('SVC_Health.doctor-key', {
  title: 'Make a key for the doctor',
  summary: 'Creates a key for `postern doctor` on another machine. For ten minutes, the site shows it how its requests arrive.',
  did: 'made a key for the doctor',
  tier: 'admin',
  effect: 'act',
  touches: 'access',
  batchable: false,
  secrets: ['key'],
  input: closed({}),
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
