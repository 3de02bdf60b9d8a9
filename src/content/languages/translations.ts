// Translations: entries with the same content in different languages form a group, with at most one entry per language. The column
// `translation_of` has the id of the group, and null means the group with the entry's own id. So the first entry of a group needs
// no write, and the group survives the destruction of that entry.

import { Failure } from '../../base/failure.ts'
import type { Caller } from '../../identity/caller.ts'
import type { Db } from '../../store/core/database.ts'
import { newId } from '../../store/core/ids.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { writesDraftsOnly } from '../entries/allowed.ts'
import { isPublished } from '../entries/entry.ts'
import { languageOf, type Languages, readLanguages } from './languages.ts'

type Grouped = Pick<EntryRow, 'id' | 'translation_of'>

const groupOf = ({ id, translation_of: group }: Grouped): string => group ?? id

const memberColumns = ['id', 'title', 'path', 'status', 'unpublish_at', 'password_hash', 'locale', 'translation_of'] as const

/** A member of a group, without its text. */
export type Translation = Pick<EntryRow, (typeof memberColumns)[number]>

/** All members of an entry's group that are not in the trash, the entry included, in the order of the site's languages. */
export async function listGroup(db: Db, entry: Grouped, languages: Languages): Promise<readonly Translation[]> {
  const rows = await listMembers(db, groupOf(entry))
  const order = [languages.main, ...languages.further]
  const rank = ({ locale }: Translation) => {
    const at = order.indexOf(languageOf(languages, locale))
    return at < 0 ? order.length : at
  }
  return rows.filter(({ path }) => path !== null).toSorted((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1))
}

/** The members of the group that have a public page, perhaps with a password. */
export async function listPublishedGroup(
  db: Db,
  entry: Grouped,
  languages: Languages,
  now: number,
): Promise<readonly Translation[]> {
  return (await listGroup(db, entry, languages)).filter((member) => isPublished(member, now))
}

/** Lists the members by two queries, because each uses its own index. */
async function listMembers(db: Db, group: string): Promise<readonly Translation[]> {
  const [first, others] = await Promise.all([
    db.selectFrom('entry').select(memberColumns).where('id', '=', group).where('translation_of', 'is', null).execute(),
    db.selectFrom('entry').select(memberColumns).where('translation_of', '=', group).execute(),
  ])
  return [...first, ...others]
}

/**
 * Returns the new value of the column `translation_of`. An entry that leaves a group which has the entry's id gets a new group
 * id, because other members keep the old one.
 * @param given the id of a group, or null to leave
 */
export async function settleGroup(db: Db, entry: Grouped, given: string | null, now: number): Promise<string | null> {
  if (given !== null) return given === entry.id ? null : given
  const hasOthers = async (group: string) => (await listMembers(db, group)).some(({ id }) => id !== entry.id)
  if (entry.translation_of !== null && !(await hasOthers(entry.translation_of))) return entry.translation_of
  return (await hasOthers(entry.id)) ? newId(now) : null
}

/** The checked entry, and the caller who changes it. */
interface Joining {
  readonly entry: Grouped & Pick<EntryRow, 'locale'>
  readonly caller: Caller
}

/**
 * Checks that no other member of an entry's group is in the same language. Members in the trash don't count, but see `findSame`.
 * @throws Failure `exists`
 */
export async function checkOneTranslation(db: Db, joining: Joining): Promise<void> {
  const other = await findSame(db, joining)
  if (!other) return
  const { id, title, path, language } = other
  throw new Failure('exists', `${path ?? 'An entry in the trash'} is the translation into ${JSON.stringify(language)} already.`, {
    field: 'translation_of',
    by: { id, title, path },
  })
}

/**
 * Finds the other member of the group with the language of this entry. A member in the trash gives up its place, except to a
 * caller who writes only drafts: otherwise another author's entry would be outside its group after its restoration.
 */
export async function findSame(
  db: Db,
  { entry, caller }: Joining,
): Promise<(Translation & { readonly language: string }) | undefined> {
  const others = (await listMembers(db, groupOf(entry))).filter(({ id }) => id !== entry.id)
  if (others.length === 0) return undefined
  const languages = await readLanguages(db)
  const language = languageOf(languages, entry.locale)
  const same = others.filter(({ locale }) => languageOf(languages, locale) === language)
  const member = same.find(({ status }) => status !== 'trash') ?? (await findHeld(db, caller, same))
  return member && { ...member, language }
}

/** For a caller who writes only drafts, finds the first of these entries by another author. */
async function findHeld(db: Db, caller: Caller, members: readonly Translation[]): Promise<Translation | undefined> {
  if (members.length === 0 || !writesDraftsOnly(caller)) return undefined
  const ids = members.map(({ id }) => id)
  const rows = await db.selectFrom('entry').select(['id', 'author_id']).where('id', 'in', ids).execute()
  const held = rows.find(({ author_id: author }) => author !== caller.account?.id)
  return members.find(({ id }) => id === held?.id)
}
