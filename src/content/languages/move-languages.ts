// A change of the site's languages moves entries: those of an added language below its path, those of a removed one to the root.

import { Failure, invalid } from '../../base/failure.ts'
import type { Db } from '../../store/core/database.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { checkEntryLimits } from '../entries/allowed.ts'
import { branchOf, languagePath, type Languages, prefixOf } from './languages.ts'
import { isSameBranch, keepFormerPath, moveBelow, placeEntry, readBasePaths } from '../entries/path.ts'
import { isReservedSlug } from '../entries/reserved-slugs.ts'
import { findTopOwner } from '../entries/top-names.ts'
import type { EntryWriting } from '../entries/write-entry.ts'

/**
 * Checks that the languages can have their paths.
 * @throws Failure `invalid` for the site's own language among the further ones; `refused` for a path that an entry, a type, a
 * taxonomy or the service has
 */
async function checkLanguages(db: Db, { main, further }: Languages): Promise<void> {
  const field = 'set.languages'
  if (further.includes(main))
    throw invalid(
      field,
      `${JSON.stringify(main)} is the language of the site, which has no path of its own.`,
      'languages other than the setting `language`',
    )
  const reserved = further.find((language) => isReservedSlug(languagePath(language).slice(1)))
  if (reserved !== undefined)
    throw new Failure('refused', `The service itself needs the path ${languagePath(reserved)}.`, { field, rule: 'reserved slug' })
  for (const language of further) {
    const owner = await findTopOwner(db, languagePath(language).slice(1), 'language')
    if (owner !== undefined)
      throw new Failure('refused', `${owner.replace('t', 'T')} has the path ${languagePath(language)}.`, {
        field,
        rule: 'a language needs its path',
      })
  }
  if (further.length === 0) return
  const taken = await db
    .selectFrom('entry')
    .select(['id', 'title', 'path'])
    .where('path', 'in', further.map(languagePath))
    .executeTakeFirst()
  if (taken)
    throw new Failure('refused', `The entry ${JSON.stringify(taken.title)} has the path ${taken.path}.`, {
      field,
      by: taken,
      rule: 'a language needs its path',
      hint: 'Give that entry another slug first.',
    })
}

/**
 * Moves the entries whose place depends on the changed languages. Their former paths still lead to them.
 * @throws Failure as `checkLanguages` and `placeEntry` do; `refused` for a page whose parent would be of another language
 */
export async function moveLanguages(writing: EntryWriting, before: Languages, after: Languages): Promise<void> {
  const { change, caller } = writing
  const { db } = change
  await checkLanguages(db, after)
  const moving = [...new Set([...before.further, ...after.further])].filter(
    (language) => prefixOf(before, language) !== prefixOf(after, language),
  )
  for (const language of moving) {
    const entries = await db
      .selectFrom('entry')
      .selectAll()
      .where('locale', '=', language)
      .where('path', 'is not', null)
      .orderBy('id')
      .execute()
    for (const entry of entries) if (entry.parent_id !== null) await checkParent(db, entry, entry.parent_id)
    for (const entry of entries) {
      if (entry.parent_id !== null) continue
      checkEntryLimits(caller, entry, entry)
      const { path } = await placeEntry(db, writing, entry, { number: false })
      const { row } = await change.update('entry', entry, { path })
      await keepFormerPath(change, entry)
      await moveBelow(change, row, (child) => checkEntryLimits(caller, child, child))
    }
    await checkChildren(db, language, after)
  }
}

async function checkParent(db: Db, { path, locale }: EntryRow, parentId: string): Promise<void> {
  const parent = await db.selectFrom('entry').select(['path', 'locale']).where('id', '=', parentId).executeTakeFirst()
  if (!parent || (await isSameBranch(db, parent.locale, locale))) return
  throw apart(path, parent.path)
}

/** Checks that no entry of another language is below the pages of a moved language. */
async function checkChildren(db: Db, language: string, languages: Languages): Promise<void> {
  const children = await db
    .selectFrom('entry as parent')
    .innerJoin('entry as child', 'child.parent_id', 'parent.id')
    .select(['child.path', 'child.locale', 'parent.path as above'])
    .where('parent.locale', '=', language)
    .where('child.path', 'is not', null)
    .execute()
  const other = children.find(({ locale }) => branchOf(languages, locale) !== branchOf(languages, language))
  if (other) throw apart(other.path, other.above)
}

const apart = (path: string | null, parent: string | null): Failure =>
  new Failure('refused', `${path} stands below ${parent}, which is of another language.`, {
    field: 'set.languages',
    rule: 'a page and its parent are of one language',
    hint: 'Give the page a parent of its own language first, or none.',
  })

/**
 * Checks after an undo that the languages have their paths, and that each entry is where its language requires.
 * @throws Failure `conflict`
 */
export async function checkLanguagePlaces(db: Db, languages: Languages): Promise<void> {
  try {
    await checkLanguages(db, languages)
  } catch (error) {
    if (error instanceof Failure) throw new Failure('conflict', error.message, { by: error.detail.by }, { cause: error })
    throw error
  }
  const entries = await db
    .selectFrom('entry')
    .select(['id', 'type', 'title', 'slug', 'path', 'parent_id', 'locale'])
    .where('locale', 'is not', null)
    .where('parent_id', 'is', null)
    .where('path', 'is not', null)
    .execute()
  const bases = await readBasePaths(db)
  for (const entry of entries) {
    if (entry.path === `${prefixOf(languages, entry.locale)}${bases.get(entry.type) ?? ''}/${entry.slug}`) continue
    throw new Failure('conflict', `${entry.path} was written in a language that this would take away: move or delete it first.`, {
      id: entry.id,
      by: { id: entry.id, title: entry.title, path: entry.path },
    })
  }
}
