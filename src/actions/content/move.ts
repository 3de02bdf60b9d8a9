// SVC_Content.move: gives an entry another parent, slug, or place among its siblings. Old addresses redirect.

import { Type } from 'typebox'
import { findEntry } from '../../content/entries/entry.ts'
import { listSiblings, reorder } from '../../content/languages/siblings.ts'
import { changeEntry } from '../../content/entries/write-entry.ts'
import { invalid } from '../../base/failure.ts'
import type { RowChange } from '../../store/change/change.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { fitting } from '../../activity/diff.ts'
import { action, type WriteContext } from '../call/action.ts'
import { fullProperty, sampleOf } from '../call/write-answer.ts'
import { columnsFrom, fieldProperties } from './fields.ts'
import { writeOutput, wrote } from './item.ts'
import { idProperty, named } from './named.ts'
import { getWritable, writingOf, entryWrite } from './writing.ts'
import { closed } from '../../base/schema.ts'

const maxShownBytes = 32 * 1024

const sibling = (where: string) =>
  Type.Optional({
    ...idProperty,
    description: `Id or path of the page that this one is placed ${where}. It decides the parent too.`,
  })

export const move = action('SVC_Content.move', {
  title: 'Move [{title}|a page]',
  summary: 'Moves a page below another, changes the last part of an address, or orders siblings. Old addresses redirect.',
  did: 'moved [{title}|a page]',
  ...entryWrite,
  effect: 'write',
  failures: ['not_found', 'exists', 'in_use'],
  revisioned: true,
  input: closed({
    id: idProperty,
    parent: fieldProperties.parent,
    slug: fieldProperties.slug,
    before: sibling('before'),
    after: sibling('after'),
    full: fullProperty,
  }),
  output: writeOutput({
    redirects: Type.Array(Type.Object({ from: Type.String(), to: Type.String() }), {
      description: 'Old addresses with the new ones that they lead to: the first ten, with `full` all that fit.',
    }),
    redirects_total: Type.Integer(),
  }),
  examples: [
    { title: 'Another address', input: { id: '/hello', slug: 'welcome' } },
    { title: 'To the top', input: { id: '/about', parent: null } },
  ],
  async run(context, { id, parent, slug, before, after, full }) {
    const entry = await getWritable(context, id)
    const next = await siblingOf(context, entry, before, after)
    const known = context.change.records.length
    const place = await columnsFrom(context, { parent, slug }, entry)
    const parentId = next ? next.parent_id : place.parent_id
    if (next && parent !== undefined && place.parent_id !== next.parent_id)
      throw invalid('parent', `The page at ${next.path} is not below that parent.`, 'left out, or the parent of that page')
    const written = await changeEntry(writingOf(context), entry, {
      ...(parentId === undefined ? {} : { parent_id: parentId }),
      ...(place.slug === undefined ? {} : { slug: place.slug }),
    })
    const placed = next && (await putBeside(context, written.row, next, before === undefined))
    const redirects = redirectsOf(context.change.records.slice(known))
    const changed = [...written.changed, ...(placed && placed.position !== entry.position ? ['position'] : [])]
    return {
      ...wrote(context, placed ?? written.row, changed, []),
      redirects: fitting(sampleOf(redirects, full), maxShownBytes),
      redirects_total: redirects.length,
    }
  },
})

async function siblingOf(
  context: WriteContext,
  entry: EntryRow,
  before: string | undefined,
  after: string | undefined,
): Promise<EntryRow | undefined> {
  const field = before === undefined ? 'after' : 'before'
  const ref = before ?? after
  if (ref === undefined) return undefined
  if (before !== undefined && after !== undefined)
    throw invalid('after', 'An entry is placed before one page or after one: give `before` or `after`.', 'left out')
  const found = await findEntry(context.db, named(context, ref))
  const isPage = (row: EntryRow) => context.site.types.current.of(row.type).hierarchical
  if (found && found.id !== entry.id && found.path !== null && isPage(found) && isPage(entry)) return found
  throw invalid(field, 'Only pages have an order, and this is no other page.', 'id or path of another page')
}

/** Renumbers the siblings as far as necessary, and returns the entry. */
async function putBeside(context: WriteContext, entry: EntryRow, next: EntryRow, behind: boolean): Promise<EntryRow> {
  const siblings = await listSiblings(context.db, entry.parent_id)
  let placed = entry
  for (const { row, position } of reorder(siblings, entry.id, next.id, behind)) {
    const { row: moved } = await changeEntry(writingOf(context), row.id === entry.id ? entry : row, { position })
    if (row.id === entry.id) placed = moved
  }
  return placed
}

function redirectsOf(records: readonly RowChange[]): { from: string; to: string }[] {
  return records.flatMap(({ kind, before, after }) => {
    const [from, to] = [before?.['path'], after?.['path']]
    return kind === 'entry' && typeof from === 'string' && typeof to === 'string' ? [{ from, to }] : []
  })
}
