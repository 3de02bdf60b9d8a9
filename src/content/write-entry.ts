// Every action that creates or changes an entry uses these functions. They set the path, check the token's limits and remember former paths.
// The action decides the values of the other columns.

import { Failure } from '../failure.ts'
import type { Caller } from '../identity/caller.ts'
import type { Release } from '../release.ts'
import type { Change } from '../store/change.ts'
import { newId } from '../store/ids.ts'
import type { EntryRow } from '../store/schema.ts'
import { checkEntryLimits } from './allowed.ts'
import { entryTypeOf } from './entry-types.ts'
import { blankColumns } from './field-lists.ts'
import { keepFormerPath, listChildren, moveBelow, placeEntry } from './path.ts'
import { slugify } from './slug.ts'

/** The parts of a call that writing an entry needs. */
export interface EntryWriting {
  readonly change: Change
  readonly caller: Caller
  readonly release: Release
}

/** Columns that a caller may set; `slug` only when it was given. */
export type EntryPatch = Partial<Omit<EntryRow, 'id' | 'path' | 'created_at' | 'updated_at' | 'revision' | 'live_revision'>>

/** Columns of a new entry. */
export type NewEntry = EntryPatch & Pick<EntryRow, 'type' | 'title'>

export interface WrittenEntry {
  readonly row: EntryRow
  /** Columns that changed; empty for a new entry. */
  readonly changed: readonly string[]
  /** The slug that was taken or reserved, so that the entry got `row.slug`. */
  readonly adjustedFrom?: string
}

/**
 * Adds an entry. If the caller gives no slug, it is made from the title, with a number if that slug is taken.
 * @throws Failure as `placeEntry` and `checkEntryLimits` do
 */
export async function insertEntry({ change, caller, release }: EntryWriting, given: NewEntry): Promise<WrittenEntry> {
  const id = newId(change.now)
  const wanted = given.slug ?? (slugify(given.title) || given.type)
  const place = await placeEntry(
    change.db,
    release,
    { id, type: given.type, slug: wanted, parent_id: given.parent_id ?? null },
    { number: given.slug === undefined },
  )
  const row = await change.insert('entry', { ...blankColumns, ...defined(given), ...place, id })
  checkEntryLimits(caller, null, row)
  return { row, changed: [], ...(place.slug === wanted ? {} : { adjustedFrom: wanted }) }
}

/**
 * Changes an entry that is not in the trash. If slug, parent or type change, so does its path. Pages below a moved page move with it.
 * @throws Failure as `placeEntry`, `checkEntryLimits` and `Change.update` do; `in_use` when an entry with others below it
 * gets a type that has no hierarchy
 */
export async function changeEntry(writing: EntryWriting, before: EntryRow, given: EntryPatch): Promise<WrittenEntry> {
  const { change, caller } = writing
  checkEntryLimits(caller, before, { ...before, ...defined(given) })
  const patch = await placedPatch(writing, before, given)
  const { row, changed } = await change.update('entry', before, patch)
  if (row.path !== before.path && before.path !== null) {
    await keepFormerPath(change, before)
    await moveBelow(change, row, (child) => checkEntryLimits(caller, child, child))
  }
  return { row, changed }
}

/**
 * The columns to write, with the path if slug, parent or type change.
 * @throws Failure as `placeEntry` does; `in_use` as `changeEntry` does
 */
export async function placedPatch(
  writing: EntryWriting,
  before: EntryRow,
  given: EntryPatch,
): Promise<EntryPatch & { path?: string }> {
  const { change, release } = writing
  const patch: EntryPatch & { path?: string } = defined(given)
  if (patch.type !== undefined && isHierarchical(before) && !isHierarchical({ type: patch.type }))
    await leaveHierarchy(writing, before, patch)
  const after = { ...before, ...patch }
  const moves = after.slug !== before.slug || after.parent_id !== before.parent_id || after.type !== before.type
  return moves ? { ...patch, ...(await placeEntry(change.db, release, after, { number: false })) } : patch
}

const isHierarchical = ({ type }: Pick<EntryRow, 'type'>): boolean => entryTypeOf(type).hierarchical

/** An entry whose new type has no hierarchy loses its parent, and must not have entries below it. */
async function leaveHierarchy({ change }: EntryWriting, before: EntryRow, patch: EntryPatch): Promise<void> {
  const children = await listChildren(change.db, [before.id])
  if (children.length > 0) throw inUse(children, 'Move them elsewhere first.')
  patch.parent_id ??= null
}

/** Puts an entry into the trash. Other entries can then take its path; until one does, the path still names this entry. */
export async function trashEntry({ change, caller }: EntryWriting, before: EntryRow): Promise<void> {
  checkEntryLimits(caller, before, { ...before, status: 'trash' })
  await change.update('entry', before, { status: 'trash', path: null, unpublish_at: null })
  await keepFormerPath(change, before)
}

/** Takes an entry out of the trash, as a draft. It returns below its parent if the parent is still there, else to the top. */
export async function untrashEntry({ change, caller, release }: EntryWriting, before: EntryRow): Promise<WrittenEntry> {
  const parent =
    before.parent_id === null
      ? undefined
      : await change.db.selectFrom('entry').select(['path', 'type']).where('id', '=', before.parent_id).executeTakeFirst()
  const parentId = parent && isHierarchical(parent) && parent.path !== null ? before.parent_id : null
  const place = await placeEntry(change.db, release, { ...before, parent_id: parentId }, { number: true })
  const patch = { ...place, parent_id: parentId, status: 'draft', unpublish_at: null }
  checkEntryLimits(caller, before, { ...before, ...patch })
  const { row, changed } = await change.update('entry', before, patch)
  return { row, changed, ...(place.slug === before.slug ? {} : { adjustedFrom: before.slug }) }
}

/** The failure `in_use` for a page with other pages below it. */
export function inUse(children: readonly Pick<EntryRow, 'id' | 'title' | 'path'>[], hint: string): Failure {
  const by = children.slice(0, 20).map(({ id, title, path }) => ({ id, title, path }))
  return new Failure('in_use', `${children.length === 1 ? 'A page stands' : `${children.length} pages stand`} below this one.`, {
    by,
    hint,
  })
}

function defined<T extends object>(given: T): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T
}
