// SVC_Content.delete and restore: put entries into the trash and restore them. purge.ts destroys them.

import { Type } from 'typebox'
import { findEntry, findFormer, getEntry, noEntry } from '../../../content/entry.ts'
import { slugAdjusted, type Warning } from '../../../content/markup.ts'
import { listChildren } from '../../../content/path.ts'
import { inUse, trashEntry, untrashEntry } from '../../../content/write-entry.ts'
import type { Db } from '../../../store/database.ts'
import type { EntryRow } from '../../../store/schema.ts'
import { action, type Context } from '../../action.ts'
import { doneOutput } from '../../write-answer.ts'
import { idsProperty, named } from './named.ts'
import { writingOf } from './writing.ts'
import { closed } from '../../../schema.ts'

const withChildren = (description: string) => Type.Optional(Type.Boolean({ description }))

export const remove = action('SVC_Content.delete', {
  title: 'Put [{title}|an entry] into the trash',
  summary: 'Puts entries into the trash; restore brings them back.',
  did: 'put [{title}|an entry] into the trash',
  object: { kind: 'entry', page: 'editEntry' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found', 'in_use'],
  touches: 'entries',
  input: closed({
    ids: idsProperty,
    with_children: withChildren('Also delete the pages below. Without it, a page with pages below can not be deleted.'),
  }),
  output: doneOutput,
  examples: [{ title: 'One post', input: { ids: ['/hello'] } }],
  async run(context, { ids, with_children: whole }) {
    const asked = await each(ids, (id) => getEntry(context.db, named(context, id)))
    const present = asked.filter(({ status }) => status !== 'trash')
    const all = await withAllBelow(context.db, present, whole === true)
    for (const row of all) await trashEntry(writingOf(context), row)
    return answer(
      all,
      asked.filter(({ status }) => status === 'trash'),
      [],
    )
  },
})

export const restore = action('SVC_Content.restore', {
  title: 'Take [{title}|an entry] out of the trash',
  summary: 'Takes entries out of the trash, as drafts.',
  did: 'took [{title}|an entry] out of the trash',
  object: { kind: 'entry', page: 'editEntry' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found', 'exists'],
  touches: 'entries',
  input: closed({
    ids: idsProperty,
    with_children: withChildren('Also restore the pages that were below them and are in the trash.'),
  }),
  output: doneOutput,
  examples: [{ title: 'Restore a page by its former path', input: { ids: ['/about'] } }],
  async run(context, { ids, with_children: whole }) {
    const asked = await each(ids, (id) => getTrashed(context, id))
    const trashed = asked.filter(({ status }) => status === 'trash')
    const all = whole === true ? await withTrashedBelow(context.db, trashed) : trashed
    const warnings: Warning[] = []
    for (const row of parentsFirst(all)) {
      const written = await untrashEntry(writingOf(context), row)
      warnings.push(...slugAdjusted(written.adjustedFrom, written.row.slug))
    }
    return answer(
      all,
      asked.filter(({ status }) => status !== 'trash'),
      warnings,
    )
  },
})

function answer(done: readonly EntryRow[], unchanged: readonly EntryRow[], warnings: readonly Warning[]) {
  const idsOf = (rows: readonly EntryRow[]) => rows.map(({ id }) => id)
  return { done: idsOf(done), unchanged: idsOf(unchanged), warnings: [...warnings] as never, activity_id: null }
}

/** Returns each entry once, even if it was named several times, by id and by path. */
async function each(ids: readonly string[], get: (id: string) => Promise<EntryRow>): Promise<readonly EntryRow[]> {
  const found = new Map<string, EntryRow>()
  for (const id of ids) {
    const row = await get(id)
    found.set(row.id, row)
  }
  return [...found.values()]
}

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
