// Every action that creates or changes an entry uses these functions. They set the path, check the token's limits and remember
// former paths. The action decides the values of the other columns.

import { Failure } from '../../base/failure.ts'
import type { Caller } from '../../identity/caller.ts'
import type { Release } from '../../base/release.ts'
import type { Change } from '../../store/change/change.ts'
import { newId } from '../../store/core/ids.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { checkEntryLimits } from './allowed.ts'
import { checkRequired, withDefaults } from '../types/custom-values.ts'
import type { EntryTypes } from '../types/entry-types.ts'
import { blankColumns } from '../types/field-lists.ts'
import { isSameBranch, keepFormerPath, listChildren, moveBelow, placeEntry } from './path.ts'
import { slugify } from './slug.ts'
import { checkOneTranslation, findSame, settleGroup } from '../languages/translations.ts'

/** The parts of a call that writing an entry needs. */
export interface EntryWriting {
  readonly change: Change
  readonly caller: Caller
  readonly release: Release
  readonly types: EntryTypes
}

/** The columns that a caller may set; `slug` only if it was given. */
export type EntryPatch = Partial<Omit<EntryRow, 'id' | 'path' | 'created_at' | 'updated_at' | 'revision' | 'live_revision'>>

export type NewEntry = EntryPatch & Pick<EntryRow, 'type' | 'title'>

export interface WrittenEntry {
  readonly row: EntryRow
  /** The changed columns; empty for a new entry. */
  readonly changed: readonly string[]
  /** The requested slug, if it was taken or reserved and the entry got `row.slug` instead. */
  readonly adjustedFrom?: string
}

/**
 * Adds an entry. If the caller gives no slug, it is made from the title, with a number if that slug is taken. Without a locale, a
 * page gets that of its parent.
 * @throws Failure as `placeEntry`, `checkOneTranslation` and `checkEntryLimits` do
 */
export async function insertEntry(writing: EntryWriting, given: NewEntry): Promise<WrittenEntry> {
  const { change, caller, types } = writing
  await checkTypeExists(writing, given.type)
  const id = newId(change.now)
  const wanted = given.slug ?? (slugify(given.title) || given.type)
  const place = await placeEntry(
    change.db,
    writing,
    { id, type: given.type, slug: wanted, parent_id: given.parent_id ?? null, locale: given.locale },
    { number: given.slug === undefined },
  )
  const fields = withDefaults(given.fields ?? blankColumns.fields, types.of(given.type))
  const row = await change.insert('entry', { ...blankColumns, ...defined(given), ...place, id, fields })
  if (isShown(row)) checkRequired(row.fields, types.of(row.type))
  checkEntryLimits(caller, null, row)
  if (row.translation_of !== null) await checkOneTranslation(change.db, { entry: row, caller })
  return { row, changed: [], ...(place.slug === wanted ? {} : { adjustedFrom: wanted }) }
}

/**
 * Changes an entry that is not in the trash. If slug, parent, type or language change, so does its path. Pages below a moved page
 * move with it, even to another language.
 * @throws Failure as `placeEntry`, `checkEntryLimits`, `checkOneTranslation` and `Change.update` do; `in_use` when an entry with
 * others below it gets a type that has no hierarchy
 */
export async function changeEntry(writing: EntryWriting, before: EntryRow, given: EntryPatch): Promise<WrittenEntry> {
  const { change, caller } = writing
  checkEntryLimits(caller, before, { ...before, ...defined(given) })
  const patch = await placedPatch(writing, before, given)
  if (patch.translation_of !== undefined)
    patch.translation_of = await settleGroup(change.db, before, patch.translation_of, change.now)
  const { row, changed } = await change.update('entry', before, patch)
  if (row.locale !== before.locale || row.translation_of !== before.translation_of)
    await checkOneTranslation(change.db, { entry: row, caller })
  if (row.path !== before.path && before.path !== null) {
    await keepFormerPath(change, before)
    const translates = !(await isSameBranch(change.db, row.locale, before.locale))
    const check = async (child: EntryRow) => {
      checkEntryLimits(caller, child, child)
      if (translates) await checkOneTranslation(change.db, { entry: { ...child, locale: row.locale }, caller })
    }
    await moveBelow(change, row, check, translates ? row.locale : undefined)
  }
  return { row, changed }
}

/**
 * The columns to write, with the path if slug, parent, type or language change.
 * @throws Failure as `placeEntry` does; `in_use` as `changeEntry` does; `invalid` if a required field has no value
 */
export async function placedPatch(
  writing: EntryWriting,
  before: EntryRow,
  given: EntryPatch,
): Promise<EntryPatch & { path?: string }> {
  const { change, types } = writing
  const patch: EntryPatch & { path?: string } = defined(given)
  if (patch.type !== undefined && isHierarchical(writing, before) && !isHierarchical(writing, { type: patch.type }))
    await leaveHierarchy(writing, before, patch)
  if (patch.type !== undefined && patch.type !== before.type) {
    await checkTypeExists(writing, patch.type)
    patch.fields = withDefaults(patch.fields ?? before.fields, types.of(patch.type))
  }
  const after = { ...before, ...patch }
  if (isShown(after) && needsCheck(before, after)) checkRequired(after.fields, types.of(after.type))
  const moves =
    after.slug !== before.slug ||
    after.parent_id !== before.parent_id ||
    after.type !== before.type ||
    !(await isSameBranch(change.db, after.locale, before.locale))
  return moves ? { ...patch, ...(await placeEntry(change.db, writing, after, { number: false })) } : patch
}

const isHierarchical = ({ types }: Pick<EntryWriting, 'types'>, { type }: Pick<EntryRow, 'type'>): boolean =>
  types.of(type).hierarchical

/** True if an entry is public or scheduled. It then needs a value for each required field. */
const isShown = ({ status }: Pick<EntryRow, 'status'>): boolean => status === 'published' || status === 'scheduled'

/** True if the required fields could lack a value that they had. An entry that was already public keeps its values. */
const needsCheck = (before: EntryRow, after: EntryRow): boolean =>
  !isShown(before) || after.fields !== before.fields || after.type !== before.type

/**
 * Checks in the transaction that a custom type exists, since another process may have deleted it since the call was checked.
 * @throws Failure `conflict`
 */
async function checkTypeExists({ change, types }: EntryWriting, slug: string): Promise<void> {
  if (types.of(slug).builtIn) return
  const row = await change.db.selectFrom('entry_type').select('slug').where('slug', '=', slug).executeTakeFirst()
  if (!row) throw new Failure('conflict', `The type ${slug} was deleted at this moment.`, { field: 'type' })
}

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

/**
 * Takes an entry out of the trash, as a draft. The entry keeps its parent if the parent still exists and has the same language;
 * otherwise it moves to the top. It leaves its group of translations if another member has its language by now.
 */
export async function untrashEntry(writing: EntryWriting, before: EntryRow): Promise<WrittenEntry> {
  const { change, caller } = writing
  const parent =
    before.parent_id === null
      ? undefined
      : await change.db
          .selectFrom('entry')
          .select(['path', 'type', 'locale'])
          .where('id', '=', before.parent_id)
          .executeTakeFirst()
  const isParent =
    parent &&
    isHierarchical(writing, parent) &&
    parent.path !== null &&
    (await isSameBranch(change.db, parent.locale, before.locale))
  const parentId = isParent ? before.parent_id : null
  const place = await placeEntry(change.db, writing, { ...before, parent_id: parentId }, { number: true })
  const replaced = (await findSame(change.db, { entry: before, caller })) !== undefined
  const group = replaced ? { translation_of: await settleGroup(change.db, before, null, change.now) } : {}
  const patch = { ...place, ...group, parent_id: parentId, status: 'draft', unpublish_at: null }
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
