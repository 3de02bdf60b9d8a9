// Every write of a term goes through this file: its place in the taxonomy, its name, and the effects on entries and old addresses.

import { Failure, invalid } from '../../base/failure.ts'
import { jsonTexts } from '../../store/core/json-rows.ts'
import { newId } from '../../store/core/ids.ts'
import type { EntryRow, TermRow } from '../../store/core/schema.ts'
import type { Db } from '../../store/core/database.ts'
import { leaveOldAddresses } from '../redirects/old-addresses.ts'
import { addMovedRedirect } from '../redirects/redirects.ts'
import { checkSlug, numbered, slugify } from '../entries/slug.ts'
import { findTaxonomy } from './taxonomies.ts'
import { pathOfTerm, type TermChanges, withTerms } from './terms.ts'
import { changeEntry, type EntryWriting } from '../entries/write-entry.ts'

const maxLevels = 10
/** The most entries that one call changes because a term is deleted or merged. */
const maxEntriesAtOnce = 5000

/** The columns of a term that a caller sets. */
export interface TermPatch {
  readonly name?: string | undefined
  /** Absent in a new term whose slug is made from its name. */
  readonly slug?: string | undefined
  readonly parent_id?: string | null | undefined
  readonly text?: string | undefined
  readonly seo?: string | undefined
}

/**
 * Adds a term. If the caller gives no slug, it is made from the name, with a number if that slug is taken.
 * @throws Failure `invalid` for an impossible slug or parent, `exists` for a slug that is taken
 */
export async function insertTerm(
  { change }: EntryWriting,
  taxonomy: string,
  given: TermPatch & { readonly name: string },
): Promise<TermRow> {
  const id = newId(change.now)
  const parentId = given.parent_id ?? null
  await checkParent(change.db, { id, taxonomy }, parentId)
  const slug = given.slug ?? (await freeSlug(change.db, taxonomy, slugify(given.name) || 'term'))
  const ref = await placeTerm(change.db, { id, taxonomy }, slug)
  const { name, text = '', seo = '{}' } = given
  return change.insert('term', { id, taxonomy, slug, ref, name, parent_id: parentId, text, seo })
}

/** Changes a term. A new slug leaves a redirect from the old archive. @throws Failure as `insertTerm` */
export async function changeTerm(
  { change }: EntryWriting,
  before: TermRow,
  given: TermPatch,
): Promise<{ row: TermRow; changed: readonly string[] }> {
  if (given.parent_id !== undefined) await checkParent(change.db, before, given.parent_id)
  const patch = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<TermRow>
  if (patch.slug !== undefined && patch.slug !== before.slug) patch.ref = await placeTerm(change.db, before, patch.slug)
  const { row, changed } = await change.update('term', before, patch)
  if (row.ref !== before.ref) await addMovedRedirect(change, pathOfTerm(before), pathOfTerm(row))
  return { row, changed: changed.filter((column) => column !== 'ref') }
}

/**
 * Deletes a term. Its entries lose the term, and the terms below it move up.
 * @throws Failure `refused` for more entries than one call may change, or by a limit of the token
 */
export async function deleteTerm(writing: EntryWriting, term: TermRow): Promise<void> {
  const { change } = writing
  for (const child of await listTermsBelow(change.db, term.id)) await change.update('term', child, { parent_id: term.parent_id })
  await changeTermsOfEntries(writing, term, { remove: [term.id] })
  await leaveOldAddresses(change, 'term', term.id)
  await change.remove('term', term)
}

/**
 * Merges a term into another of its taxonomy: its entries and the terms below it move to the other term, and its archive
 * redirects.
 * @throws Failure as `deleteTerm`
 */
export async function mergeTerm(writing: EntryWriting, term: TermRow, into: TermRow): Promise<void> {
  const { change } = writing
  const target = (await isBelow(change.db, into, term.id))
    ? (await change.update('term', into, { parent_id: term.parent_id })).row
    : into
  for (const child of await listTermsBelow(change.db, term.id))
    if (child.id !== target.id) await change.update('term', child, { parent_id: target.id })
  await changeTermsOfEntries(writing, term, { remove: [term.id], add: [target.id] })
  await leaveOldAddresses(change, 'term', term.id, target.id)
  await change.remove('term', term)
  await addMovedRedirect(change, pathOfTerm(term), pathOfTerm(target))
}

const listTermsBelow = (db: Db, id: string): Promise<TermRow[]> =>
  db.selectFrom('term').selectAll().where('parent_id', '=', id).orderBy('id').execute()

/** Changes the terms of all entries that have a term, including entries in the trash. */
async function changeTermsOfEntries(writing: EntryWriting, term: TermRow, terms: TermChanges): Promise<void> {
  const { db } = writing.change
  const found = await db
    .selectFrom('entry_term')
    .select('entry_id')
    .where('term_id', '=', term.id)
    .where('own', '=', 1)
    .limit(maxEntriesAtOnce + 1)
    .execute()
  if (found.length > maxEntriesAtOnce)
    throw new Failure('refused', `More than ${maxEntriesAtOnce.toLocaleString('en')} entries have the term ${term.ref}.`, {
      rule: 'entries that one call changes',
      hint: 'Take the term from some of the entries first.',
    })
  for (let from = 0; from < found.length; from += 100) {
    const ids = found.slice(from, from + 100).map(({ entry_id: id }) => id)
    for (const row of await listEntries(db, ids)) await changeEntry(writing, row, { terms: withTerms(row.terms, terms) })
  }
}

const listEntries = (db: Db, ids: readonly string[]): Promise<EntryRow[]> =>
  db
    .selectFrom('entry')
    .selectAll()
    .where('id', 'in', jsonTexts(db as never, ids))
    .orderBy('id')
    .execute()

/** The name of a term with this slug. @throws Failure `invalid` for no slug, `exists` if another term has it */
async function placeTerm(db: Db, { id, taxonomy }: Pick<TermRow, 'id' | 'taxonomy'>, slug: string): Promise<string> {
  checkSlug(slug, { top: false, guarded: true })
  const ref = `${taxonomy}/${slug}`
  const taken = await db.selectFrom('term').select(['id', 'ref', 'name']).where('ref', '=', ref).executeTakeFirst()
  if (!taken || taken.id === id) return ref
  const free = await freeSlug(db, taxonomy, slug)
  throw new Failure('exists', `There already is a term ${ref}.`, { field: 'slug', by: taken, free })
}

/** The slug itself, or the first of `slug-2`, `slug-3`, … that no term of the taxonomy has. */
async function freeSlug(db: Db, taxonomy: string, slug: string): Promise<string> {
  for (let from = 1; ; from += 50) {
    const slugs = Array.from({ length: 50 }, (_, at) => (from + at === 1 ? slug : numbered(slug, from + at)))
    const refs = slugs.map((one) => `${taxonomy}/${one}`)
    const rows = await db.selectFrom('term').select('ref').where('ref', 'in', refs).execute()
    const taken = new Set(rows.map(({ ref }) => ref))
    const free = slugs.find((one) => !taken.has(`${taxonomy}/${one}`))
    if (free !== undefined) return free
  }
}

/** @throws Failure `invalid` for a parent elsewhere, `refused` for a term below itself or too many levels */
async function checkParent(db: Db, term: Pick<TermRow, 'id' | 'taxonomy'>, parentId: string | null): Promise<void> {
  if (parentId === null) return
  const parent = await db.selectFrom('term').selectAll().where('id', '=', parentId).executeTakeFirst()
  const isTree = (await findTaxonomy(db, term.taxonomy))?.tree === true
  if (!isTree || parent?.taxonomy !== term.taxonomy)
    throw invalid(
      'parent',
      isTree ? 'The parent must be a term of the same taxonomy.' : 'Only terms of a tree have parents.',
      isTree ? `a term of ${term.taxonomy}, or null` : 'null, or a taxonomy with `tree: true`',
    )
  if (parent.id === term.id || (await isBelow(db, parent, term.id)))
    throw new Failure('refused', 'A term cannot stand below itself.', { field: 'parent', rule: 'no term below itself' })
  if ((await levelOf(db, parent)) + (await heightOf(db, term.id)) >= maxLevels)
    throw new Failure('refused', `Terms can be ${maxLevels} levels deep at most.`, { field: 'parent', rule: 'levels of terms' })
}

async function isBelow(db: Db, term: Pick<TermRow, 'parent_id'>, id: string): Promise<boolean> {
  let above = term.parent_id
  for (let level = 0; above !== null && level <= maxLevels; level++) {
    if (above === id) return true
    above = await parentOf(db, above)
  }
  return false
}

async function levelOf(db: Db, term: Pick<TermRow, 'parent_id'>): Promise<number> {
  let level = 1
  for (let above = term.parent_id; above !== null && level <= maxLevels; level++) above = await parentOf(db, above)
  return level
}

async function parentOf(db: Db, id: string): Promise<string | null> {
  return (await db.selectFrom('term').select('parent_id').where('id', '=', id).executeTakeFirst())?.parent_id ?? null
}

/** The number of levels below a term. */
async function heightOf(db: Db, id: string): Promise<number> {
  let height = 0
  for (let level: readonly string[] = [id]; height <= maxLevels; height++) {
    const rows = await db.selectFrom('term').select('id').where('parent_id', 'in', level).execute()
    if (rows.length === 0) break
    level = rows.map((row) => row.id)
  }
  return height
}
