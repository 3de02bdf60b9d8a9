// SVC_Content.delete: puts entries into the trash. purge.ts destroys them.

import { doneAnswer, eachOnce } from '../shared/several.ts'
import { inUse, trashEntry } from '../../content/entries/write-entry.ts'
import { closed, flag } from '../../base/schema.ts'
import { listChildren } from '../../content/entries/path.ts'
import type { Db } from '../../store/core/database.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { action } from '../call/action.ts'
import { doneOutput } from '../call/write-answer.ts'
import { idsProperty, getNamed } from './named.ts'
import { writingOf, entryWrite } from './writing.ts'

export const remove = action('SVC_Content.delete', {
  title: 'Put [{title}|an entry] into the trash',
  summary: 'Puts entries into the trash; restore takes them out.',
  did: 'put [{title}|an entry] into the trash',
  ...entryWrite,
  effect: 'write',
  failures: ['not_found', 'in_use'],
  input: closed({
    ids: idsProperty,
    with_children: flag('Also delete the pages below. Without it, a page with pages below can not be deleted.'),
  }),
  output: doneOutput,
  examples: [{ title: 'One post', input: { ids: ['/hello'] } }],
  async run(context, { ids, with_children: whole }) {
    const asked = await eachOnce(ids, (id) => getNamed(context, id))
    const present = asked.filter(({ status }) => status !== 'trash')
    const all = await withAllBelow(context.db, present, whole === true)
    for (const row of all) await trashEntry(writingOf(context), row)
    const unchanged = asked.filter(({ status }) => status === 'trash')
    return doneAnswer(all, unchanged)
  },
})

/**
 * Returns the entries and all entries below them. @throws Failure `in_use` for pages below that were not named, unless `included`
 * is true
 */
async function withAllBelow(db: Db, rows: readonly EntryRow[], included: boolean): Promise<readonly EntryRow[]> {
  const all = new Map(rows.map((row) => [row.id, row]))
  for (let level = [...all.keys()]; level.length > 0;) {
    const children = (await listChildren(db, level)).filter(({ id }) => !all.has(id))
    if (children.length > 0 && !included) throw inUse(children, 'Move them, delete them too, or give `with_children: true`.')
    for (const child of children) all.set(child.id, child)
    level = children.map(({ id }) => id)
  }
  return [...all.values()]
}
