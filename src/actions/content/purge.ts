// SVC_Content.purge: destroys entries in the trash, with all their revisions and former paths. This can't be undone.

import { checkChosen, whereProperty } from './chosen.ts'
import { eachOnce, notInTrash } from '../shared/several.ts'
import { Type } from 'typebox'
import { forgetObject } from '../../activity/forget.ts'
import { checkEntryLimits } from '../../content/entries/allowed.ts'
import { getEntry } from '../../content/entries/entry.ts'
import { leaveOldAddresses } from '../../content/redirects/old-addresses.ts'
import { findPending } from '../../content/entries/pending.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { action, type WriteContext } from '../call/action.ts'
import { expectProperty, checkExpected } from '../shared/expect.ts'
import { compileWhere } from '../lists/where.ts'
import { fullProperty, manyAnswer, manyOutput } from '../call/write-answer.ts'
import { listFor } from './list.ts'
import { idsProperty } from './named.ts'
import { closed } from '../../base/schema.ts'

export const purge = action('SVC_Content.purge', {
  title: 'Delete [{title}|an entry] for good',
  summary: 'Destroys entries that are in the trash, with all their revisions.',
  did: 'deleted [{title}|an entry] for good',
  object: { kind: 'entry', page: 'editEntry' },
  tier: 'admin',
  effect: 'destroy',
  failures: ['not_found', 'conflict'],
  touches: 'entries',
  input: closed({
    ids: Type.Optional(idsProperty),
    where: whereProperty('Conditions as in `list`; `{}` means everything in the trash.'),
    expect: expectProperty('entries'),
    full: fullProperty,
  }),
  output: manyOutput,
  examples: [
    { title: 'What has been in the trash since last year', input: { where: { updated_at: { lt: '2000-01-01' } }, expect: 0 } },
  ],
  async run(context, { ids, where, expect, full }) {
    checkChosen({ ids, where })
    const rows = ids ? await trashedByIds(context, ids) : await trashedWhere(context, where ?? {})
    checkExpected(rows.length, expect, 'entries')
    for (const row of rows) await destroy(context, row)
    return manyAnswer(
      rows.map(({ id }) => id),
      [],
      full,
    )
  },
})

async function trashedByIds({ db }: WriteContext, ids: readonly string[]): Promise<readonly EntryRow[]> {
  const rows = await eachOnce(ids, (id) => getEntry(db, id))
  const other = rows.find(({ status }) => status !== 'trash')
  if (other) throw notInTrash(other.path ?? other.id, 'SVC_Content.delete')
  return rows
}

async function trashedWhere(context: WriteContext, where: Readonly<Record<string, unknown>>): Promise<readonly EntryRow[]> {
  const parts = await compileWhere(context, 'entry', listFor(context).fields, where)
  const trashed = context.db.selectFrom('entry').selectAll().where('status', '=', 'trash')
  return parts.reduce((query, { plain }) => query.where(plain), trashed).execute()
}

async function destroy({ change, caller }: WriteContext, row: EntryRow): Promise<void> {
  checkEntryLimits(caller, row, null)
  const former = await change.db.selectFrom('former_path').selectAll().where('entry_id', '=', row.id).execute()
  await leaveOldAddresses(change, 'entry', row.id)
  const pending = await findPending(change.db, row.id)
  if (pending) await change.remove('entry_pending', pending)
  // Its comments go with it, by their reference.
  const comments = await change.db.selectFrom('comment').select('id').where('entry_id', '=', row.id).execute()
  await change.remove('entry', row)
  for (const path of former) await change.remove('former_path', path)
  await change.db.deleteFrom('entry_revision').where('entry_id', '=', row.id).execute()
  await forgetObject(change.db, 'entry', row.id)
  await forgetObject(change.db, 'entry_pending', row.id)
  for (const { id } of comments) await forgetObject(change.db, 'comment', id)
}
