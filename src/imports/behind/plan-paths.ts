// Plans the path of every entry before any is written, so that texts and their links are written in one pass.

import { PackedMap, type ReadonlyPackedMap } from '../../base/packed-map.ts'
import { isArchivePath, isReservedSlug } from '../../content/entries/reserved-slugs.ts'
import { isSlug, numbered, slugify } from '../../content/entries/slug.ts'
import { languageAt, type Languages, prefixOf } from '../../content/languages/languages.ts'
import { basePathOf, type EntryTypes } from '../../content/types/entry-types.ts'
import type { Db } from '../../store/core/database.ts'
import { jsonTexts } from '../../store/core/json-rows.ts'
import { decodeSlug } from '../readers/decode-slug.ts'
import type { Items } from './items.ts'
import type { Report } from './report.ts'
import { type EntryFacts, type EntryOrigin, parentOf, type Scan } from './scan.ts'
import { nextTurn } from './turns.ts'

export type OnClash = 'skip' | 'update' | 'copy'

/** The place of an entry. */
export interface PlannedPlace {
  readonly type: string
  readonly path: string
  /** Undefined for the main language. */
  readonly locale?: string | undefined
  /** By default, the entry is written. `skip` leaves it out, and `adopt` overwrites another entry of this site. */
  readonly does?: 'skip' | 'adopt'
  /** The id of the entry of this site that has the path, for `skip` and `adopt`: entries below go below that. */
  readonly adopts?: string
}

// A member that is missing here fails the type check.
const placeMembers = Object.keys({
  type: 0,
  path: 0,
  locale: 0,
  does: 0,
  adopts: 0,
} satisfies Record<keyof PlannedPlace, 0>) as (keyof PlannedPlace)[]

/** The slug of an entry at a path. */
export const slugIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

export interface PlanParts {
  readonly db: Db
  readonly scanned: Scan
  readonly items: Items
  readonly types: EntryTypes
  readonly languages: Languages
  /** The slugs of the site's taxonomies, whose archives are at the top. */
  readonly taxonomies: readonly string[]
  readonly onClash: OnClash
  readonly report: Report
  /** The type here for a type of the old site. */
  typeOf(type: string): string
}

type EntryToPlan = EntryFacts & EntryOrigin

interface Taken {
  readonly id: string
  readonly title: string
}

/** Returns the place of each entry by its old id. */
export async function planPaths(parts: PlanParts): Promise<PackedMap<PlannedPlace>> {
  const { db, scanned } = parts
  const places = new PackedMap<PlannedPlace>(placeMembers)
  const used = createUsedPaths()
  // An entry of an earlier import keeps its path, so no new one gets it, in whatever order they come.
  const present = await findPresent(parts)
  for (const path of present.values()) used.add(path)
  for (let depth = 0; depth <= scanned.depth; depth++)
    for (const entries of partsOf(scanned, depth)) {
      const wanted = entries.flatMap((entry) => {
        const place = wantedPlace(parts, entry, places)
        const path = present.get(entry.id)
        if (path === undefined) return [{ entry, place }]
        places.set(entry.id, { ...place, path })
        return []
      })
      const paths = wanted.map(({ place }) => place.path)
      const taken = await findTaken(db, paths)
      for (const { entry, place } of wanted) {
        const free = await freePlace(parts, entry, place, { taken, used })
        places.set(entry.id, free)
        used.add(free.path)
      }
      await nextTurn()
    }
  return places
}

/** The paths on this site of entries of earlier imports, by the old ids. */
async function findPresent({ db, scanned, items }: PlanParts): Promise<ReadonlyPackedMap<string>> {
  const present = new PackedMap<string>()
  const known = [...items.idsOf('entry')].filter((id) => scanned.entries.has(id))
  const idHere = (id: string): string => items.find('entry', id)?.object_id ?? ''
  for (let from = 0; from < known.length; from += entriesPerPart) {
    const part = known.slice(from, from + entriesPerPart)
    const paths = await pathsOf(db, part.map(idHere))
    for (const id of part) {
      const path = paths.get(idHere(id))
      if (path !== undefined) present.set(id, path)
    }
    await nextTurn()
  }
  return present
}

/** The most entries that are planned at once, which limits memory. */
const entriesPerPart = 500

/** Yields the entries of a depth in parts. */
function* partsOf({ entries, origins }: Scan, depth: number): Generator<readonly EntryToPlan[]> {
  let part: EntryToPlan[] = []
  for (const entry of entries.values()) {
    if (entry.depth !== depth) continue
    const origin = origins.get(entry.id)
    if (origin) part.push({ ...entry, ...origin })
    if (part.length < entriesPerPart) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}

/** The paths that entries of the import have. */
interface UsedPaths {
  has(path: string): boolean
  add(path: string): void
  /** The first number to try for a path that is taken. Smaller ones were tried before. */
  firstNumber(path: string): number
  tried(path: string, number: number): void
}

function createUsedPaths(): UsedPaths {
  const used = new PackedMap<1>()
  const numbers = new Map<string, number>()
  return {
    has: (path) => used.has(path),
    add: (path) => void used.set(path, 1),
    firstNumber: (path) => numbers.get(path) ?? 2,
    tried: (path, number) => void numbers.set(path, number + 1),
  }
}

async function pathsOf(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('entry').select(['id', 'path']).where('id', 'in', jsonTexts(db, ids)).execute()
  return new Map(rows.flatMap(({ id, path }) => (path === null ? [] : [[id, path] as const])))
}

function wantedPlace(
  { scanned, types, languages, typeOf }: PlanParts,
  entry: EntryToPlan,
  places: ReadonlyPackedMap<PlannedPlace>,
): PlannedPlace {
  const type = typeOf(entry.type)
  const slug = slugOf(entry)
  const locale = localeOf(languages, entry.language)
  const parent = entry.depth > 0 ? parentOf(scanned.entries, entry) : undefined
  const above = parent && places.get(parent.id)
  const base = above ? above.path : prefixOf(languages, locale) + basePathOf(types.of(type))
  return { type, path: `${base}/${slug}`, locale: above ? above.locale : (locale ?? undefined) }
}

/** The language of the site for a tag of the old site; null for the main language, and for one that the site lacks. */
function localeOf({ main, further }: Languages, language: string | undefined): string | null {
  const tag = (language ?? main).replaceAll('_', '-').toLowerCase()
  const isExact = (one: string) => one.toLowerCase() === tag
  const isSame = (one: string) => one.toLowerCase().split('-')[0] === tag.split('-')[0]
  if (isExact(main)) return null
  return further.find(isExact) ?? (isSame(main) ? null : (further.find(isSame) ?? null))
}

function slugOf({ slug, path, title, type, id }: EntryToPlan): string {
  const given = decodeSlug(slug ?? path?.split('/').findLast((part) => part !== '') ?? '')
    .toLowerCase()
    .normalize('NFKC')
  if (isSlug(given)) return given
  return slugify(given) || slugify(title) || slugify(`${type}-${id}`) || 'entry'
}

async function freePlace(
  parts: PlanParts,
  entry: EntryToPlan,
  wanted: PlannedPlace,
  { taken, used }: { readonly taken: ReadonlyMap<string, Taken>; readonly used: UsedPaths },
): Promise<PlannedPlace> {
  const { onClash, report } = parts
  const here = taken.get(wanted.path)
  if (here && !used.has(wanted.path)) {
    const clash = (why: string) => report.clash({ kind: 'entry', title: entry.title, path: wanted.path, why })
    if (onClash === 'skip') {
      clash(`${JSON.stringify(here.title)} has this path here, so this one is left out`)
      return { ...wanted, does: 'skip', adopts: here.id }
    }
    if (onClash === 'update') {
      clash(`${JSON.stringify(here.title)} has this path here, and is overwritten`)
      return { ...wanted, does: 'adopt', adopts: here.id }
    }
    const free = await numberedFree(parts, wanted, used)
    clash(`${JSON.stringify(here.title)} has this path here; the entry is at ${free.path}`)
    return free
  }
  if (!here && !used.has(wanted.path) && !isReserved(parts, wanted)) return wanted
  const free = await numberedFree(parts, wanted, used)
  const why = used.has(wanted.path)
    ? `another entry of the import has this path; the entry is at ${free.path}`
    : `the path is reserved here; the entry is at ${free.path}`
  report.renumber({ kind: 'entry', title: entry.title, path: wanted.path, why })
  return free
}

async function numberedFree({ db }: PlanParts, wanted: PlannedPlace, used: UsedPaths): Promise<PlannedPlace> {
  const number = await freeNumber(db, wanted, used)
  used.tried(wanted.path, number)
  return numberedPlace(wanted, number)
}

/** Returns the first number that makes a path which neither the import nor the site has. */
async function freeNumber(db: Db, wanted: PlannedPlace, used: UsedPaths): Promise<number> {
  const atOnce = 10
  for (let first = used.firstNumber(wanted.path); ; first += atOnce) {
    const paths = Array.from({ length: atOnce }, (_, index) => numberedPlace(wanted, first + index).path)
    const taken = await findTaken(db, paths)
    const index = paths.findIndex((path) => !used.has(path) && !taken.has(path))
    if (index >= 0) return first + index
  }
}

function numberedPlace(place: PlannedPlace, number: number): PlannedPlace {
  const slug = slugIn(place.path)
  return { ...place, path: place.path.slice(0, -slug.length) + numbered(slug, number) }
}

/** True for a path that no entry can have, as `placeEntry` decides it: names at the top of each language are reserved. */
function isReserved({ types, languages, taxonomies }: PlanParts, { path, locale }: PlannedPlace): boolean {
  if (isArchivePath(path) || taxonomies.includes(path.split('/')[1] ?? '') || languageAt(languages, path) !== undefined)
    return true
  const below = path.slice(prefixOf(languages, locale ?? null).length)
  return below.lastIndexOf('/') === 0 && (isReservedSlug(slugIn(path)) || types.all.some((type) => basePathOf(type) === below))
}

/** The entries of this site at these paths. */
async function findTaken(db: Db, paths: readonly string[]): Promise<ReadonlyMap<string, Taken>> {
  if (paths.length === 0) return new Map()
  const rows = await db.selectFrom('entry').select(['id', 'title', 'path']).where('path', 'in', jsonTexts(db, paths)).execute()
  return new Map(rows.flatMap(({ id, title, path }) => (path === null ? [] : [[path, { id, title }] as const])))
}
