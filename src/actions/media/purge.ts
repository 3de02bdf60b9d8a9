import { doneAnswer, notInTrash } from '../shared/several.ts'
import { closed } from '../../base/schema.ts'
import { forgetObject } from '../../activity/forget.ts'
import { leaveOldAddresses } from '../../content/redirects/old-addresses.ts'
import type { EarlierFile } from '../../media/media-rows.ts'
import type { MediaRow } from '../../store/core/schema.ts'
import { action, type WriteContext } from '../call/action.ts'
import { checkExpected, expectProperty } from '../shared/expect.ts'
import { doneOutput } from '../call/write-answer.ts'
import { removeUnused } from './unused-media.ts'
import { getEach, idsProperty } from './named.ts'

export const purge = action('SVC_Media.purge', {
  title: 'Delete [{title}|a file] for good',
  summary: 'Destroys media files that are in the trash, with all their bytes.',
  did: 'deleted [{title}|a file] for good',
  object: { kind: 'media', page: 'mediaFile' },
  tier: 'admin',
  effect: 'destroy',
  failures: ['not_found', 'conflict'],
  touches: 'site',
  input: closed({ ids: idsProperty, expect: expectProperty('files') }),
  output: doneOutput,
  examples: [{ title: 'One from the trash', input: { ids: ['/media/old-logo.svg'], expect: 1 } }],
  async run(context, { ids, expect }) {
    const rows = await getEach(context.db, ids)
    const other = rows.find(({ deleted_at: deleted }) => deleted === null)
    if (other) throw notInTrash(other.path, 'SVC_Media.delete')
    checkExpected(rows.length, expect, 'files')
    for (const row of rows) await destroy(context, row)
    return doneAnswer(rows)
  },
})

async function destroy({ change, site, afterCommit }: WriteContext, row: MediaRow): Promise<void> {
  const { db } = change
  const former = await db.selectFrom('media_former').selectAll().where('media_id', '=', row.id).execute()
  await leaveOldAddresses(change, 'media', row.id)
  await change.remove('media', row)
  for (const path of former) await change.remove('media_path', path)
  await forgetObject(db, 'media', row.id)
  const files = [row, ...(JSON.parse(row.earlier) as EarlierFile[])]
  const named = { files: files.map(({ file }) => file), keys: files.map(({ file_key: key }) => key) }
  afterCommit(async () => void (await removeUnused(site, named)))
}
