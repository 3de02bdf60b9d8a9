import { doneAnswer } from '../shared/several.ts'
import { closed, flag } from '../../base/schema.ts'
import { Failure } from '../../base/failure.ts'
import { findUses } from '../../media/media-rows.ts'
import type { Db } from '../../store/core/database.ts'
import type { MediaRow } from '../../store/core/schema.ts'
import { action } from '../call/action.ts'
import { doneOutput } from '../call/write-answer.ts'
import { getEach, idsProperty } from './named.ts'
import { setDeletedAt } from './writing.ts'

export const remove = action('SVC_Media.delete', {
  title: 'Put [{title}|a file] into the trash',
  summary: 'Puts media files into the trash. Their addresses answer 404 until they are restored.',
  did: 'put [{title}|a file] into the trash',
  object: { kind: 'media', page: 'mediaFile' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found', 'in_use'],
  touches: 'site',
  input: closed({ ids: idsProperty, force: flag('Also where entries use them.') }),
  output: doneOutput,
  examples: [{ title: 'One by its path', input: { ids: ['/media/logo.svg'] } }],
  async run(context, { ids, force }) {
    const rows = await getEach(context.db, ids)
    const present = rows.filter(({ deleted_at: deleted }) => deleted === null)
    if (force !== true) await checkUnused(context.db, present)
    for (const row of present) await setDeletedAt(context, row, context.now)
    const unchanged = rows.filter(({ deleted_at: deleted }) => deleted !== null)
    return doneAnswer(present, unchanged)
  },
})

/** @throws Failure `in_use` with the entries */
async function checkUnused(db: Db, rows: readonly MediaRow[]): Promise<void> {
  for (const row of rows) {
    const by = (await findUses(db, row)).slice(0, 20).map(({ id, title, path }) => ({ id, title, path }))
    if (by.length === 0) continue
    const names = by.slice(0, 5).map(({ title, path, id }) => `${title} (${path ?? id})`)
    throw new Failure('in_use', `${row.path} is used by ${names.join(', ')}${by.length > 5 ? ' and others' : ''}.`, {
      field: 'force',
      by,
      hint: 'Take it out there, or give `force: true`.',
    })
  }
}
