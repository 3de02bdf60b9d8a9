import { Type } from 'typebox'
import { listChildren } from '../../content/entries/path.ts'
import { slugAdjusted } from '../../content/markdown/markup.ts'
import { insertEntry, type NewEntry, type WrittenEntry } from '../../content/entries/write-entry.ts'
import { Failure } from '../../base/failure.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { action, type WriteContext } from '../call/action.ts'
import { columnsFrom, fieldProperties } from './fields.ts'
import { writeOutput, wrote } from './item.ts'
import { idProperty } from './named.ts'
import { getWritable, writingOf, entryWrite } from './writing.ts'
import { closed, flag } from '../../base/schema.ts'

const maxCopies = 500

export const duplicate = action('SVC_Content.duplicate', {
  title: 'Duplicate [{title}|an entry]',
  summary: 'Copies an entry as a draft, as the public side of it is now. `with_children` also copies the pages below it.',
  did: 'duplicated [{title}|an entry]',
  ...entryWrite,
  effect: 'write',
  failures: ['not_found', 'exists'],
  input: closed({
    id: idProperty,
    title: fieldProperties.title,
    slug: fieldProperties.slug,
    with_children: flag(`Also copy the pages below, at most ${maxCopies}.`),
  }),
  output: writeOutput({ copies: Type.Integer({ description: 'How many entries were made.' }) }),
  examples: [
    { title: 'A copy to work on', input: { id: '/about', title: 'About us, next year' } },
    { title: 'A page with all below it', input: { id: '/about', with_children: true } },
  ],
  async run(context, { id, title, slug, with_children: whole }) {
    const source = await getWritable(context, id)
    const { title: newTitle, slug: newSlug } = await columnsFrom(context, { title, slug }, source)
    const copy = await copyOf(context, source, {
      ...(newTitle === undefined ? {} : { title: newTitle }),
      ...(newSlug === undefined ? {} : { slug: newSlug }),
    })
    const copies = 1 + (whole === true ? await copyBelow(context, source, copy.row) : 0)
    return { ...wrote(context, copy.row, [], slugAdjusted(copy.adjustedFrom, copy.row.slug)), copies }
  },
})

/** Copies all entries below an entry, level by level. The copies themselves are not copied, even if they are below their source. */
async function copyBelow(context: WriteContext, source: EntryRow, copy: EntryRow): Promise<number> {
  const made = new Map([[source.id, copy.id]])
  const own = new Set([copy.id])
  let level = [source.id]
  while (level.length > 0) {
    const children = (await listChildren(context.db, level)).filter(({ id }) => !own.has(id))
    if (own.size + children.length > maxCopies)
      throw new Failure('refused', `More than ${maxCopies} pages would be copied.`, {
        field: 'with_children',
        rule: 'one call makes a bounded number of entries',
      })
    for (const child of children) {
      const { row } = await copyOf(context, child, { slug: child.slug, parent_id: made.get(child.parent_id ?? '') ?? null })
      made.set(child.id, row.id)
      own.add(row.id)
    }
    level = children.map(({ id }) => id)
  }
  return own.size - 1
}

function copyOf(context: WriteContext, source: EntryRow, other: Partial<NewEntry>): Promise<WrittenEntry> {
  const {
    id: _id,
    slug: _slug,
    path: _path,
    created_at: _created,
    updated_at: _updated,
    revision: _revision,
    live_revision: _live,
    ...columns
  } = source
  const draft = { status: 'draft', published_at: null, unpublish_at: null, staged: 0 }
  const author = { author_id: context.caller.account?.id ?? source.author_id }
  return insertEntry(writingOf(context), { ...columns, ...draft, ...author, ...other })
}
