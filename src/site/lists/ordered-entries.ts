// Public entries in the order of a field, without those that are over. A list that is newest first comes from an index; any other
// order is made in memory, by the rules of the language, and kept until one of its entries changes or the day ends.

import type { Services } from '../../actions/call/services.ts'
import { languageOf, languagesOf } from '../../content/languages/languages.ts'
import type { EntryType, EntryTypes } from '../../content/types/entry-types.ts'
import type { FieldDefinition } from '../../content/types/field-definition.ts'
import { isDay, type SortedBy, sortedBy, usualSort } from '../../content/types/list-rules.ts'
import { dayAround, dayIn, formatDate } from '../../settings/time-zone.ts'
import { publishedWith } from '../../store/change/page-areas.ts'
import { readingCaches } from '../kept/reading-cache.ts'
import { type ListedEntries, type ListedPost, listedById, listNewest, publicEntries } from './public-entries.ts'

/** The entries of a list, and their order. */
export interface OrderedList {
  readonly which: ListedEntries
  /** At least one. */
  readonly types: readonly string[]
  readonly branch: string | null
  /** The id of a term. */
  readonly term?: string
  readonly sort: string
  /** The field with a date: entries whose date lies before today are left out. */
  readonly past: string | null
  /** True to leave out entries without that date, too. */
  readonly onlyDated?: boolean
}

/** The most entries of a list that is not newest first; the newest of them. */
const maxOrdered = 10_000

const cacheOf = readingCaches<readonly string[]>({
  maxBytes: 4 * 1024 ** 2,
  sizeOf: (ids, key) => 2 * key.length + 100 + 48 * ids.length,
})

/** The list of a type by its own rules, with the titles of entries that have a password. */
export const listOfType = ({ slug, list }: EntryType, branch: string | null): OrderedList => ({
  which: 'titled',
  types: [slug],
  branch,
  sort: list.sort ?? usualSort,
  past: list.hide_past ?? null,
})

const isNewestFirst = ({ sort, past }: OrderedList): boolean => sort === usualSort && past === null

/** Returns a page of a list. If there are further entries, the result has one more than `limit`. */
export async function listOrdered(
  site: Services,
  list: OrderedList,
  limit: number,
  offset: number,
): Promise<readonly ListedPost[]> {
  if (isNewestFirst(list)) return listNewest(site, list, { which: list.which, limit, offset })
  const ids = (await orderedIds(site, list)).slice(offset, offset + limit + 1)
  return listedById(site, list.which, ids)
}

/**
 * Returns the ids before and after an entry of a list, each undefined at the end of it; undefined for a list that is newest first.
 * The earlier entry comes before if the order is one of time, otherwise the one above.
 */
export async function idsBeside(
  site: Services,
  list: OrderedList,
  id: string,
): Promise<{ readonly previous: string | undefined; readonly next: string | undefined } | undefined> {
  if (isNewestFirst(list)) return undefined
  const ids = await orderedIds(site, list)
  const at = ids.indexOf(id)
  const [above, below] = at < 0 ? [] : [ids[at - 1], ids[at + 1]]
  const { name, isOwn, descending } = sortedBy(list.sort)
  const field = fieldOf(site.types.current, list, name)
  const isTime = isOwn ? field !== undefined && isDay(field) : name === 'published_at'
  return isTime && descending ? { previous: below, next: above } : { previous: above, next: below }
}

const fieldOf = (types: EntryTypes, list: OrderedList, name: string): FieldDefinition | undefined =>
  list.types.flatMap((slug) => types.of(slug).fields).find((field) => field.name === name)

/** Returns the ids of all entries of a list in its order. */
const orderedIds = (site: Services, list: OrderedList): Promise<readonly string[]> =>
  cacheOf(site).load(site, JSON.stringify(list), (view) => orderIds(view, list))

interface Sortable {
  readonly id: string
  readonly value: string | number | null
}

async function orderIds(view: Services, list: OrderedList): Promise<readonly string[]> {
  const by = sortedBy(list.sort)
  const rows = await publicEntries(view, list).select(['id', 'title', 'published_at']).limit(maxOrdered).execute()
  const own = by.isOwn ? await valuesOf(view, list, by.name) : undefined
  const left = rows.filter(await stillToCome(view, list))
  const valued = left.map((row): Sortable => ({
    id: row.id,
    value: own ? (own.get(row.id) ?? null) : by.name === 'title' ? row.title : row.published_at,
  }))
  return valued.toSorted(comparison(view, list, by)).map(({ id }) => id)
}

/** Returns the short values of a field by the ids of their entries. */
async function valuesOf({ view, store }: Services, { types }: OrderedList, name: string) {
  // The view would record all entries, because the table does not say which values belong to the entries of a type.
  for (const type of types) for (const area of publishedWith('entry', 'type', type)) view?.notes.add(area)
  const rows = await (view?.site.store ?? store).read
    .selectFrom('entry_value')
    .innerJoin('entry', 'entry.id', 'entry_value.entry_id')
    .select(['entry_id', 'text_value', 'number_value'])
    .where('name', '=', name)
    .where('entry.type', 'in', types)
    .execute()
  return new Map(rows.map((row) => [row.entry_id, row.text_value ?? row.number_value]))
}

/** Returns the condition that an entry's date is not before today. */
async function stillToCome(view: Services, list: OrderedList): Promise<(row: { readonly id: string }) => boolean> {
  const { past, onlyDated = false } = list
  if (past === null) return () => true
  const { time_zone: zone } = view.settings.values
  const now = view.clock.now()
  const [day, moment] = [dayIn(now, zone), formatDate(dayAround(now, zone).start)]
  const dates = await valuesOf(view, list, past)
  return ({ id }) => {
    const date = dates.get(id)
    if (typeof date !== 'string') return !onlyDated
    // A day is compared with a day, and a moment in UTC with the moment at which today began.
    return date >= (date.length === day.length ? day : moment)
  }
}

/** Returns the comparison of an order. Entries without a value come last; those with the same value stay newest first. */
function comparison(
  view: Services,
  list: OrderedList,
  { name, isOwn, descending }: SortedBy,
): (a: Sortable, b: Sortable) => number {
  const turn = descending ? -1 : 1
  const { options } = (isOwn && fieldOf(view.types.current, list, name)) || {}
  const place = (value: string | number) => (options && typeof value === 'string' ? options.indexOf(value) : value)
  const collator = new Intl.Collator(languageOf(languagesOf(view.settings.values), list.branch) || 'en', { numeric: true })
  return (a, b) => {
    if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null)
    const [one, other] = [place(a.value), place(b.value)]
    if (typeof one === 'number' && typeof other === 'number') return turn * (one - other)
    return turn * collator.compare(String(one), String(other))
  }
}
