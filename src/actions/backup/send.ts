import { Type } from 'typebox'
import type { SendResult } from '../../backup/elsewhere/elsewhere.ts'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { itemOutput, nullable } from '../call/write-answer.ts'

const files = (description: string) => Type.Array(Type.String(), { description })

export const send = action('SVC_Backup.send', {
  title: 'Send backups elsewhere',
  summary: 'Sends the sealed backups that are missing elsewhere, prunes those there, and verifies the newest if that is due.',
  did: 'sent backups elsewhere',
  tier: 'admin',
  effect: 'act',
  touches: 'access',
  failures: ['unreachable', 'not_found', 'unprocessable'],
  job: true,
  input: closed({}),
  output: itemOutput(
    nullable(
      Type.Object({
        sent: files('Sent now.'),
        pruned: files('Removed there.'),
        checked: nullable(Type.String(), 'Downloaded and verified.'),
      }),
      'Null in a dry run.',
    ),
  ),
  examples: [{ title: 'Send now', input: {} }],
  prepare: async ({ site, dryRun, signal, progress }) => (dryRun ? null : site.elsewhere.send(signal, progress)),
  async run(_context, _input, result: SendResult | null) {
    const item = result && { sent: [...result.sent], pruned: [...result.pruned], checked: result.checked }
    return { item, changed: [], warnings: [], activity_id: null }
  },
})
