// Plans the paths of all entries before the first is written, so that links between texts are right at once.

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
export async function planPaths(parts: PlanParts): Promise<ReadonlyMap<string, PlannedPlace>> {
  const { scanned, items } = parts
  const places = new Map<string, PlannedPlace>()
  const used = new Set<string>()
  const present = await presentPaths(parts)
  for (let depth = 0; depth <= scanned.depth; depth++) {
    const level = [...scanned.entries.values()].filter((entry) => entry.depth === depth)
    for (let from = 0; from < level.length; from += atOnce) {
      const wanted = level.slice(from, from + atOnce).flatMap((entry) => {
        const place = wantedPlace(parts, entry, places)
        const known = items.find('entry', entry.id)
        const here = known && present.get(known.object_id)
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
  }
  return places
}

const atOnce = 500

async function presentPaths({ db, items }: PlanParts): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('import_item')
    .innerJoin('entry', 'entry.id', 'import_item.object_id')
    .select(['entry.id', 'entry.path'])
    .where('import_item.source', '=', items.source)
    .where('import_item.kind', '=', 'entry')
    .execute()
  return new Map(rows.flatMap(({ id, path }) => (path === null ? [] : [[id, path] as const])))
}

function wantedPlace(
  { scanned, types, languages, typeOf }: PlanParts,
  entry: EntryFacts,
  places: ReadonlyMap<string, PlannedPlace>,
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
  { taken, used }: { readonly taken: ReadonlyMap<string, Taken>; readonly used: ReadonlySet<string> },
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
  for (let number = 2; ; number++) {
    const slug = numbered(wanted.slug, number)
    const path = base + slug
    if (!used.has(path) && !taken.has(path)) {
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
  const rows = await db
    .selectFrom('entry')
    .select(['id', 'title', 'path'])
    .where('path', 'in', jsonTexts(db as never, paths))
    .execute()
  return new Map(rows.flatMap(({ id, title, path }) => (path === null ? [] : [[path, { id, title }] as const])))
}
