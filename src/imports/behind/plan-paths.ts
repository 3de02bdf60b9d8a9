// Plans the paths of all entries before the first is written, so that links between texts are right at once.

import { PackedMap, type ReadonlyPackedMap } from '../../base/packed-map.ts'
import { isArchivePath, isReservedSlug } from '../../content/entries/reserved-slugs.ts'
import { isSlug, maxSlugChars, numbered, slugify } from '../../content/entries/slug.ts'
import { type Languages, prefixOf } from '../../content/languages/languages.ts'
import { basePathOf, type EntryTypes } from '../../content/types/entry-types.ts'
import type { Db } from '../../store/core/database.ts'
import { jsonTexts } from '../../store/core/json-rows.ts'
import type { Items } from './items.ts'
import type { Report } from './report.ts'
import { type EntryFacts, parentOf, type Scan } from './scan.ts'
import { nextTurn } from './turns.ts'

export type OnClash = 'skip' | 'update' | 'copy'

/** The place of an entry. */
export interface PlannedPlace {
  readonly type: string
  readonly slug: string
  readonly path: string
  readonly locale: string | null
  /** `skip` leaves the entry out, and with `adopt` the entry here gets its content: that with the id `adopts`. */
  readonly does: 'write' | 'skip' | 'adopt'
  readonly adopts?: string
}

const placeMembers = Object.keys({
  type: 0,
  slug: 0,
  path: 0,
  locale: 0,
  does: 0,
  adopts: 0,
} satisfies Record<keyof PlannedPlace, 0>) as (keyof PlannedPlace)[]

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

interface Taken {
  readonly id: string
  readonly title: string
}

/** Returns the place of each entry by its old id. */
export async function planPaths(parts: PlanParts): Promise<PackedMap<PlannedPlace>> {
  const { scanned, items } = parts
  const places = new PackedMap<PlannedPlace>(placeMembers)
  const used = createUsedPaths()
  for (let depth = 0; depth <= scanned.depth; depth++)
    for (const entries of partsOf(scanned.entries, depth)) {
      const known = entries.flatMap(({ id }) => items.find('entry', id)?.object_id ?? [])
      const present = await presentPaths(parts.db, known)
      const wanted = entries.flatMap((entry) => {
        const place = wantedPlace(parts, entry, places)
        const here = present.get(items.find('entry', entry.id)?.object_id ?? '')
        if (here === undefined) return [{ entry, place }]
        places.set(entry.id, { ...place, path: here, does: 'write' })
        used.add(here)
        return []
      })
      const taken = await findTaken(
        parts.db,
        wanted.map(({ place }) => place.path),
      )
      for (const { entry, place } of wanted) {
        const free = freePlace(parts, entry, place, { taken, used })
        places.set(entry.id, free)
        used.add(free.path)
      }
      await nextTurn()
    }
  return places
}

const atOnce = 500

/** Yields the entries of a depth, some at a time, so that few of them are in memory. */
function* partsOf(entries: ReadonlyPackedMap<EntryFacts>, depth: number): Generator<readonly EntryFacts[]> {
  let part: EntryFacts[] = []
  for (const entry of entries.values()) {
    if (entry.depth !== depth) continue
    part.push(entry)
    if (part.length < atOnce) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}

/** The paths that entries of the import have. */
interface UsedPaths {
  has(path: string): boolean
  add(path: string): void
  /** The first number to try for an entry that can't have a path: all up to it were tried before. */
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

async function presentPaths(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('entry').select(['id', 'path']).where('id', 'in', jsonTexts(db, ids)).execute()
  return new Map(rows.flatMap(({ id, path }) => (path === null ? [] : [[id, path] as const])))
}

function wantedPlace(
  { scanned, types, languages, typeOf }: PlanParts,
  entry: EntryFacts,
  places: ReadonlyPackedMap<PlannedPlace>,
): PlannedPlace {
  const type = typeOf(entry.type)
  const slug = slugOf(entry)
  const locale = localeOf(languages, entry.language)
  const parent = entry.depth > 0 ? parentOf(scanned.entries, entry) : undefined
  const above = parent && places.get(parent.id)
  const base = above ? above.path : (locale === null ? '' : prefixOf(languages, locale)) + basePathOf(types.of(type))
  return { type, slug, path: `${base}/${slug}`, locale: above ? above.locale : locale, does: 'write' }
}

/** The language of the site for a language tag of the old site; null for its main language. */
function localeOf({ main, further }: Languages, language: string | undefined): string | null {
  if (language === undefined) return null
  const tag = language.replace('_', '-').toLowerCase()
  const same = (one: string) => one.toLowerCase() === tag || one.toLowerCase().split('-')[0] === tag.split('-')[0]
  if (same(main)) return null
  return further.find((one) => one.toLowerCase() === tag) ?? further.find(same) ?? null
}

function slugOf({ slug, path, title, type, id }: EntryFacts): string {
  const given = decoded(slug ?? path?.split('/').findLast((part) => part !== '') ?? '')
    .toLowerCase()
    .normalize('NFKC')
  if (isSlug(given)) return given
  return slugify(given).slice(0, maxSlugChars) || slugify(title) || slugify(`${type}-${id}`) || 'entry'
}

function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug)
  } catch {
    return slug
  }
}

function freePlace(
  parts: PlanParts,
  entry: EntryFacts,
  wanted: PlannedPlace,
  { taken, used }: { readonly taken: ReadonlyMap<string, Taken>; readonly used: UsedPaths },
): PlannedPlace {
  const { onClash, report } = parts
  const here = taken.get(wanted.path)
  if (here && !used.has(wanted.path)) {
    const why = `${JSON.stringify(here.title)} is at ${wanted.path}`
    report.clash({ kind: 'entry', title: entry.title, path: wanted.path, why })
    if (onClash === 'skip') return { ...wanted, does: 'skip', adopts: here.id }
    if (onClash === 'update') return { ...wanted, does: 'adopt', adopts: here.id }
  }
  if (!here && !used.has(wanted.path) && !isReserved(parts, wanted)) return wanted
  const base = wanted.path.slice(0, -wanted.slug.length)
  for (let number = used.firstNumber(wanted.path); ; number++) {
    const slug = numbered(wanted.slug, number)
    const path = base + slug
    if (!used.has(path) && !taken.has(path)) {
      used.tried(wanted.path, number)
      report.loss('path', wanted.path, `the path is taken or reserved; the entry is at ${path}`, entry.title)
      return { ...wanted, slug, path }
    }
  }
}

function isReserved({ types, languages, taxonomies }: PlanParts, { slug, path }: PlannedPlace): boolean {
  if (isArchivePath(path) || taxonomies.includes(path.split('/')[1] ?? '')) return true
  const isTop = path.lastIndexOf('/') === 0
  return (
    isTop && (isReservedSlug(slug) || languages.further.includes(slug) || types.all.some((type) => basePathOf(type) === path))
  )
}

/** The entries at these paths and, for numbers, at those that follow from them. */
async function findTaken(db: Db, paths: readonly string[]): Promise<ReadonlyMap<string, Taken>> {
  if (paths.length === 0) return new Map()
  const rows = await db.selectFrom('entry').select(['id', 'title', 'path']).where('path', 'in', jsonTexts(db, paths)).execute()
  return new Map(rows.flatMap(({ id, title, path }) => (path === null ? [] : [[path, { id, title }] as const])))
}
