import { doneAnswer } from '../shared/several.ts'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { doneOutput } from '../call/write-answer.ts'
import { getEach, idsProperty } from './named.ts'
import { setDeletedAt } from './writing.ts'

export const restore = action('SVC_Media.restore', {
  title: 'Take [{title}|a file] out of the trash',
  summary: 'Takes media files out of the trash, to the addresses that they had.',
  did: 'took [{title}|a file] out of the trash',
  object: { kind: 'media', page: 'mediaFile' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found'],
  touches: 'site',
  input: closed({ ids: idsProperty }),
  output: doneOutput,
  examples: [{ title: 'One by its path', input: { ids: ['/media/old-logo.svg'] } }],
  async run(context, { ids }) {
    const rows = await getEach(context.db, ids)
    const trashed = rows.filter(({ deleted_at: deleted }) => deleted !== null)
    for (const row of trashed) await setDeletedAt(context, row, null)
    const unchanged = rows.filter(({ deleted_at: deleted }) => deleted === null)
    return doneAnswer(trashed, unchanged)
  },
})
