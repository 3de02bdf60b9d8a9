// The paths of entries. The path of a page is its parent's path and its slug; the path of any other entry is the path of its type
// and its slug. Entries of a further language are below the path of that language. Paths are unique. When a page moves, the pages
// below it move too. Former paths are stored, and the public site redirects from them.

import { sql } from 'kysely'
import { Failure, invalid } from '../../base/failure.ts'
import type { Release } from '../../base/release.ts'
import type { Change } from '../../store/change/change.ts'
import { compileOnce, withValues } from '../../store/core/compile-once.ts'
import type { Db } from '../../store/core/database.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { isPublished } from './entry.ts'
import { basePathOf, type EntryType, type EntryTypes, typeOf } from '../types/entry-types.ts'
import { branchOf, languageAt, mayBeLanguage, prefixOf, readLanguages } from '../languages/languages.ts'
import { isArchivePath, isReservedSlug } from './reserved-slugs.ts'
import { checkSlug, numbered } from './slug.ts'
import { builtInTaxonomies } from '../terms/taxonomies.ts'

/** The most levels of pages. */
const maxLevels = 20
/** The longest path, in UTF-16 units and in bytes of UTF-8. PostgreSQL can't index a text of more than 2,704 bytes. */
const maxPath = { chars: 1000, bytes: 2000 }
const isTooLong = (path: string): boolean => path.length > maxPath.chars || Buffer.byteLength(path) > maxPath.bytes
const pathLimit = `${maxPath.chars} characters, or ${maxPath.bytes} bytes`

/** The columns that a path depends on. */
export type Placed = Pick<EntryRow, 'id' | 'type' | 'slug' | 'parent_id'> & {
  /** Undefined for the parent's locale. */
  readonly locale: string | null | undefined
}

/**
 * The slug and path of an entry.
 * @param entry with the requested slug; its own path doesn't count as taken
 * @param options.number true to add a number to a taken or reserved slug, which was made from a title; false to refuse the slug,
 * which a caller chose
 * @throws Failure `invalid` or `refused` for an impossible slug or parent, `exists` for a path that is taken
 */
export async function placeEntry(
  db: Db,
  { release, types }: { readonly release: Release; readonly types: EntryTypes },
  entry: Placed,
  { number }: { readonly number: boolean },
): Promise<{ readonly slug: string; readonly path: string; readonly locale: string | null }> {
  const { slug: wanted, locale: given = null, parent_id: parentId } = entry
  const below = basePathOf(types.of(entry.type))
  const top = parentId === null && below === ''
  const { base, locale } =
    parentId === null
      ? { base: (await findPrefix(db, given)) + below, locale: given }
      : await placeBelow(db, types, entry, parentId)
  const guarded = release.reservedSlugs
  if (!number) checkSlug(wanted, { top, guarded })
  const path = `${base}/${wanted}`
  if (isTooLong(path)) throw new Failure('refused', `A path has at most ${pathLimit}.`, { field: 'slug', rule: 'path length' })
  const isHome = base === '' && (await isLanguageHome(db, wanted))
  if (isHome && !number) throw takenByLanguage(path)
  const owner = guarded && top ? types.all.find((type) => basePathOf(type) === `/${wanted}`) : undefined
  if (owner && !number) throw takenByType(path, owner)
  const { taken, archives } = await findAt(db, path)
  const isNew = taken?.id !== entry.id
  const reserved = guarded && isNew && (archives || (top && isReservedSlug(wanted)))
  const isFree = !reserved && !isHome && owner === undefined
  if (isFree && (!taken || !isNew)) return { slug: wanted, path, locale }
  const slug = await freeSlug(db, base, wanted)
  // At the top, a number avoids a reserved name. Below `/category` it doesn't help: every path there belongs to an archive.
  if (number && !(archives && base !== '')) return { slug, path: `${base}/${slug}`, locale }
  if (reserved)
    throw new Failure('refused', `At ${path} is the archive of a taxonomy, or of a month.`, {
      field: 'slug',
      rule: 'reserved path',
      hint: 'Choose another slug or parent.',
    })
  throw new Failure('exists', `There already is an entry at ${path}.`, { field: 'slug', by: taken, free: slug })
}

/** Returns the prefix of all paths in a locale. Without a locale, the settings need not be read. */
async function findPrefix(db: Db, locale: string | null): Promise<string> {
  return locale === null ? '' : prefixOf(await readLanguages(db), locale)
}

async function isLanguageHome(db: Db, slug: string): Promise<boolean> {
  return mayBeLanguage(slug) && languageAt(await readLanguages(db), `/${slug}`) !== undefined
}

const takenByLanguage = (path: string): Failure =>
  new Failure('refused', `${path} is the home page of a language of this site.`, {
    field: 'slug',
    rule: 'paths of languages',
    hint: 'Choose another slug. The setting `languages` names the languages.',
  })

/** True if an entry's path matches its parent, its language and its slug. */
export async function isInPlace(
  db: Db,
  { type, slug, path, parent_id: parentId, locale }: Pick<EntryRow, 'type' | 'slug' | 'path' | 'parent_id' | 'locale'>,
): Promise<boolean> {
  if (parentId === null) {
    const base = (await findPrefix(db, locale)) + ((await readBasePaths(db)).get(type) ?? '')
    return path === `${base}/${slug}` && !(await isLanguageHome(db, path.slice(1)))
  }
  const parent = await db.selectFrom('entry').select(['path', 'locale']).where('id', '=', parentId).executeTakeFirst()
  return !!parent?.path && path === `${parent.path}/${slug}` && (await isSameBranch(db, parent.locale, locale))
}

/** Returns the base path of each type, by type. It reads the database, because this transaction may have changed the types. */
export async function readBasePaths(db: Db): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('entry_type').select(['slug', 'path']).execute()
  const plain = { fields: [], dropped: [], taxonomies: [], feed: false }
  return new Map(rows.map(({ slug, path }) => [slug, basePathOf(typeOf({ ...plain, slug, name: slug, path }))]))
}

/** True if entries with these locales are below the path of the same language. */
export async function isSameBranch(db: Db, a: string | null, b: string | null): Promise<boolean> {
  if (a === b) return true
  const languages = await readLanguages(db)
  return branchOf(languages, a) === branchOf(languages, b)
}

/** The failure for a type's own path, which no entry can have because the type's entries are below it. */
const takenByType = (path: string, { slug }: Pick<EntryType, 'slug'>): Failure =>
  new Failure('refused', `${path} belongs to the type ${slug}: its entries stand below it.`, {
    field: 'slug',
    rule: 'path of a type',
    hint: 'Choose another slug, or give the type another path.',
  })

interface At {
  readonly taken: Pick<EntryRow, 'id' | 'title' | 'path'> | undefined
  /** True if the site has archives at the path, or below it. */
  readonly archives: boolean
}

/** Finds the entry or archive at a path, by one query. */
async function findAt(db: Db, path: string): Promise<At> {
  const [, top = ''] = path.split('/')
  const query = compileOnce(db, 'at a path', () =>
    db
      .selectFrom('entry')
      .select(['id', 'title', 'path'])
      .where('path', '=', path)
      .unionAll(
        db
          .selectFrom('taxonomy')
          .select(['slug as id', sql<string>`cast(deleted as text)`.as('title'), sql<null>`null`.as('path')])
          .where('slug', '=', top),
      ),
  )
  const { rows } = await db.executeQuery(withValues(query, path, top))
  const taxonomy = rows.find((row) => row.path === null)
  const exists = taxonomy ? taxonomy.title !== '1' : Object.hasOwn(builtInTaxonomies, top)
  return { taken: rows.find((row) => row.path !== null), archives: exists || isArchivePath(path) }
}

async function placeBelow(
  db: Db,
  types: EntryTypes,
  entry: Placed,
  parentId: string,
): Promise<{ base: string; locale: string | null }> {
  const parent = await db
    .selectFrom('entry')
    .select(['id', 'type', 'path', 'parent_id', 'locale'])
    .where('id', '=', parentId)
    .executeTakeFirst()
  if (!types.of(entry.type).hierarchical) throw invalid('parent', 'Only a page can have a parent.', 'null')
  if (!parent || !types.of(parent.type).hierarchical || parent.path === null) {
    throw invalid('parent', 'Its parent must be a page that is not in the trash.', 'id or path of a page, or null')
  }
  const { locale = parent.locale } = entry
  if (!(await isSameBranch(db, locale, parent.locale)))
    throw new Failure('invalid', `Its parent must be a page of the same language, and ${parent.path} is of another.`, {
      field: 'parent',
      expected: 'a page of the same language, or null',
      hint: 'Change `parent` and `locale` in one call.',
    })
  await checkAncestry(db, entry.id, parent)
  return { base: parent.path, locale }
}

/** Checks that an entry is not below itself, and not too many levels deep. */
async function checkAncestry(db: Db, id: string, parent: Pick<EntryRow, 'id' | 'parent_id'>): Promise<void> {
  let above: Pick<EntryRow, 'id' | 'parent_id'> | undefined = parent
  for (let level = 1; above !== undefined; level++) {
    if (above.id === id)
      throw new Failure('refused', 'A page cannot be its own parent or stand below itself.', {
        field: 'parent',
        rule: 'no page below itself',
      })
    if (level >= maxLevels)
      throw new Failure('refused', `Pages can be ${maxLevels} levels deep at most.`, { field: 'parent', rule: 'levels of pages' })
    above =
      above.parent_id === null
        ? undefined
        : await db.selectFrom('entry').select(['id', 'parent_id']).where('id', '=', above.parent_id).executeTakeFirst()
  }
}

/** Finds the first of `slug-2`, `slug-3`, … that is free. */
async function freeSlug(db: Db, base: string, slug: string): Promise<string> {
  for (let from = 2; ; from += 50) {
    const candidates = Array.from({ length: 50 }, (_, i) => numbered(slug, from + i))
    const paths = candidates.map((candidate) => `${base}/${candidate}`)
    const rows = await db.selectFrom('entry').select('path').where('path', 'in', paths).execute()
    const taken = new Set(rows.map(({ path }) => path))
    const free = candidates.find((candidate) => !taken.has(`${base}/${candidate}`))
    if (free !== undefined) return free
  }
}

/**
 * Stores a former path, so that it still leads to the entry. A draft can't take over a former path of an entry that was public
 * (attack 144).
 * @param left the entry as it was at that path
 */
export async function keepFormerPath(
  change: Change,
  left: Pick<EntryRow, 'id' | 'path' | 'status' | 'unpublish_at'>,
): Promise<void> {
  const { id, path } = left
  if (path === null) return
  const known = await change.db.selectFrom('former_path').selectAll().where('path', '=', path).executeTakeFirst()
  if (!known) await change.insert('former_path', { path, entry_id: id, created_at: change.now })
  else if (isPublished(left, change.now) || !(await wasPublic(change.db, known.entry_id)))
    await change.update('former_path', known, { entry_id: id })
}

/** True if an entry is or was public: an unpublished entry keeps its date. */
async function wasPublic(db: Db, id: string): Promise<boolean> {
  const entry = await db.selectFrom('entry').select('published_at').where('id', '=', id).executeTakeFirst()
  return entry?.published_at != null
}

/** The entries directly below these pages, without those in the trash. */
export function listChildren(db: Db, parentIds: readonly string[]): Promise<EntryRow[]> {
  return db
    .selectFrom('entry')
    .selectAll()
    .where('parent_id', 'in', parentIds)
    .where('status', '!=', 'trash')
    .orderBy('position')
    .orderBy('id')
    .execute()
}

/**
 * Gives all entries below a moved page their new paths, level by level.
 * @param check is called with each entry before it changes, and throws to stop the move
 * @param locale a new locale for all of them, if the page moved to another language
 * @throws Failure `refused` if a path would become too long
 */
export async function moveBelow(
  change: Change,
  page: Pick<EntryRow, 'id' | 'path'>,
  check: (entry: EntryRow) => void | Promise<void>,
  locale?: string | null,
): Promise<void> {
  let level = new Map([[page.id, page.path ?? '']])
  while (level.size > 0) {
    const next = new Map<string, string>()
    for (const child of await listChildren(change.db, [...level.keys()])) {
      const path = `${level.get(child.parent_id ?? '') ?? ''}/${child.slug}`
      if (isTooLong(path))
        throw new Failure('refused', `${child.path} would get a path of more than ${pathLimit}.`, {
          rule: 'path length',
        })
      await check(child)
      await change.update('entry', child, { path, ...(locale === undefined ? {} : { locale }) })
      if (child.path !== path) await keepFormerPath(change, child)
      next.set(child.id, path)
    }
    level = next
  }
}
