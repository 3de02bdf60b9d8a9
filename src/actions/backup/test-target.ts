import { Type } from 'typebox'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { itemOutput, nullable } from '../call/write-answer.ts'

export const testTarget = action('SVC_Backup.test-target', {
  title: 'Try the place where backups are sent',
  summary: 'Writes, reads and removes a small file there. Where that fails, the answer is the sentence of the server.',
  did: 'tried the place where backups are sent',
  tier: 'admin',
  effect: 'act',
  touches: 'access',
  failures: ['unreachable', 'not_found'],
  job: true,
  input: closed({}),
  output: itemOutput(
    nullable(Type.Object({ host: Type.String(), took_ms: Type.Integer() }), 'The server that took the file; null in a dry run.'),
  ),
  examples: [{ title: 'Try it', input: {} }],
  prepare: async ({ site, dryRun, signal }) => (dryRun ? null : site.elsewhere.test(signal)),
  async run(_context, _input, tried: { readonly host: string; readonly tookMs: number } | null) {
    const item = tried && { host: tried.host, took_ms: tried.tookMs }
    return { item, changed: [], warnings: [], activity_id: null }
  },
})
