// The surroundings of an entry: neighbours in the list of its type, entries with the same terms, and children; only published ones
// (attack 89).
// Neighbours and children with a password show their titles only. Related entries never have a password.

import { publishedByIndex, urlOf } from '../../../content/entries/entry.ts'
import { branchOf, inBranch, languagesOf } from '../../../content/languages/languages.ts'
import { termIdsOf } from '../../../store/change/entry-terms.ts'
import type { EntryRow } from '../../../store/core/schema.ts'
import type { ThemeEntry, ThemeLink, ThemeSummary } from '../../../themes/contract.ts'
import type { Frame } from '../frame.ts'
import { idsBeside, listOfType } from '../../lists/ordered-entries.ts'
import { type NewestEntry, newestOfTerm } from '../../lists/newest-of-term.ts'
import { idsOf, listedById } from '../../lists/public-entries.ts'
import type { EntryType } from '../../../content/types/entry-types.ts'
import { linksOf } from './fields.ts'
import { summariesOf } from './summaries.ts'

export type EntryAround = Pick<ThemeEntry, 'previous' | 'next' | 'related' | 'children'>

export const nothingAround: EntryAround = { previous: null, next: null, related: [], children: [] }

const maxRelated = 3
const maxChildren = 200
/** The most terms of an entry that are compared. */
const maxTerms = 6

export async function aroundOf(frame: Frame, row: EntryRow, language: string): Promise<EntryAround> {
  const type = frame.site.types.current.of(row.type)
  const [{ previous, next }, related, children] = await Promise.all([
    type.dated ? neighboursOf(frame, row, type) : nothingAround,
    type.dated ? relatedTo(frame, row, language) : [],
    type.hierarchical ? childrenOf(frame, row) : [],
  ])
  return { previous, next, related, children }
}

const linkOf = ({ origin }: Frame, { title, path }: { title: string; path: string | null }): ThemeLink => ({
  title,
  url: urlOf(origin, path ?? '/'),
})

/** The entries before and after an entry in the list of its type. */
async function neighboursOf(frame: Frame, row: EntryRow, type: EntryType): Promise<Pick<EntryAround, 'previous' | 'next'>> {
  const languages = languagesOf(frame.site.settings.values)
  const ids = await idsBeside(frame.site, listOfType(type, branchOf(languages, row.locale)), row.id)
  if (ids) {
    const links = await linksOf(
      frame,
      [ids.previous, ids.next].filter((id) => id !== undefined),
    )
    return { previous: links.get(ids.previous ?? '') ?? null, next: links.get(ids.next ?? '') ?? null }
  }
  const [previous, next] = await Promise.all([findNeighbour(frame, row, 'desc'), findNeighbour(frame, row, 'asc')])
  return { previous, next }
}

/** @param order `desc` for the entry before it, `asc` for the one after it */
async function findNeighbour(frame: Frame, row: EntryRow, order: 'asc' | 'desc'): Promise<ThemeLink | null> {
  const { site } = frame
  const at = row.published_at
  if (at === null) return null
  const languages = languagesOf(site.settings.values)
  const beyond = order === 'desc' ? '<' : '>'
  const found = await site.store.read
    .selectFrom('entry')
    .select(['title', 'path'])
    .where('type', '=', row.type)
    .where((eb) => publishedByIndex(eb, site.clock.now()))
    .where((eb) => inBranch(eb, languages, branchOf(languages, row.locale)))
    .where('published_at', order === 'desc' ? '<=' : '>=', at)
    .where((eb) => eb.or([eb('published_at', beyond, at), eb('id', beyond, row.id)]))
    .orderBy('published_at', order)
    .orderBy('id', order)
    .limit(1)
    .executeTakeFirst()
  return found ? linkOf(frame, found) : null
}

/** Entries with the most terms in common, the newest first. */
async function relatedTo(frame: Frame, row: EntryRow, language: string): Promise<readonly ThemeSummary[]> {
  const { site } = frame
  const terms = termIdsOf(row.terms).slice(0, maxTerms)
  const lists = await Promise.all(terms.map((term) => newestOfTerm(site, term)))
  const languages = languagesOf(site.settings.values)
  const branch = branchOf(languages, row.locale)
  const found = lists.flat().filter(({ id, locale }) => id !== row.id && branchOf(languages, locale) === branch)
  const counts = new Map<string, number>()
  for (const { id } of found) counts.set(id, (counts.get(id) ?? 0) + 1)
  const countOf = ({ id }: NewestEntry): number => counts.get(id) ?? 0
  const best = [...new Map(found.map((one) => [one.id, one])).values()].toSorted(
    (one, other) =>
      countOf(other) - countOf(one) ||
      (other.published_at ?? 0) - (one.published_at ?? 0) ||
      // Entries of one moment stand as in lists. A database may return them in any order.
      (other.id > one.id ? 1 : -1),
  )
  return (await summariesOf(frame, await listedById(site, 'open', idsOf(best.slice(0, maxRelated))), language)).entries
}

async function childrenOf(frame: Frame, { id }: EntryRow): Promise<readonly ThemeLink[]> {
  const rows = await frame.site.store.read
    .selectFrom('entry')
    .select(['title', 'path'])
    .where('parent_id', '=', id)
    .where((eb) => publishedByIndex(eb, frame.site.clock.now()))
    .orderBy('position')
    .orderBy('title')
    .limit(maxChildren)
    .execute()
  return rows.map((row) => linkOf(frame, row))
}
