import { doneAnswer, eachOnce } from '../shared/several.ts'
import { slugAdjusted, type Warning } from '../../content/markdown/markup.ts'
import { untrashEntry } from '../../content/entries/write-entry.ts'
import { closed, flag } from '../../base/schema.ts'
import { findEntry, findFormer, noEntry } from '../../content/entries/entry.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import type { Db } from '../../store/core/database.ts'
import { action, type Context } from '../call/action.ts'
import { doneOutput } from '../call/write-answer.ts'
import { idsProperty, named } from './named.ts'
import { writingOf, entryWrite } from './writing.ts'

export const restore = action('SVC_Content.restore', {
  title: 'Take [{title}|an entry] out of the trash',
  summary: 'Takes entries out of the trash, as drafts.',
  did: 'took [{title}|an entry] out of the trash',
  ...entryWrite,
  effect: 'write',
  failures: ['not_found', 'exists'],
  input: closed({
    ids: idsProperty,
    with_children: flag('Also restore the pages that were below them and are in the trash.'),
  }),
  output: doneOutput,
  examples: [{ title: 'Restore a page by its former path', input: { ids: ['/about'] } }],
  async run(context, { ids, with_children: whole }) {
    const asked = await eachOnce(ids, (id) => getTrashed(context, id))
    const trashed = asked.filter(({ status }) => status === 'trash')
    const all = whole === true ? await withTrashedBelow(context.db, trashed) : trashed
    const warnings: Warning[] = []
    for (const row of parentsFirst(all)) {
      const written = await untrashEntry(writingOf(context), row)
      warnings.push(...slugAdjusted(written.adjustedFrom, written.row.slug))
    }
    const unchanged = asked.filter(({ status }) => status !== 'trash')
    return { ...doneAnswer(all, unchanged), warnings: warnings as never }
  },
})

/** Returns an entry in the trash, by id, or by its former path while no other entry has that path. */
async function getTrashed(context: Context, id: string): Promise<EntryRow> {
  const ref = named(context, id)
  const row = (await findEntry(context.db, ref)) ?? (await findFormer(context.db, ref))
  if (row) return row
  throw noEntry(id)
}

async function withTrashedBelow(db: Db, rows: readonly EntryRow[]): Promise<readonly EntryRow[]> {
  const all = new Map(rows.map((row) => [row.id, row]))
  for (let level = [...all.keys()]; level.length > 0;) {
    const children = await db
      .selectFrom('entry')
      .selectAll()
      .where('parent_id', 'in', level)
      .where('status', '=', 'trash')
      .execute()
    const more = children.filter(({ id }) => !all.has(id))
    for (const child of more) all.set(child.id, child)
    level = more.map(({ id }) => id)
  }
  return [...all.values()]
}

function parentsFirst(rows: readonly EntryRow[]): readonly EntryRow[] {
  const waiting = new Map(rows.map((row) => [row.id, row]))
  const ordered: EntryRow[] = []
  const take = (row: EntryRow) => {
    if (!waiting.delete(row.id)) return
    const parent = row.parent_id === null ? undefined : waiting.get(row.parent_id)
    if (parent) take(parent)
    ordered.push(row)
  }
  for (const row of rows) take(row)
  return ordered
}
