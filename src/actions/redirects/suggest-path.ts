// Suggests a public page for a path that was not found.

import { publicOnly } from '../../content/entries/entry.ts'
import { slugify } from '../../content/entries/slug.ts'
import type { Db } from '../../store/core/database.ts'
import { nearest } from '../../base/nearest.ts'

/** The most entries with a similar beginning that are compared. */
const maxCompared = 50

/** Returns the path of the nearest public entry: one with the same last part, else one whose last part is spelled similarly. */
export async function suggestPath(db: Db, path: string, now: number): Promise<string | null> {
  return (await suggestPaths(db, [path], now)).get(path) ?? null
}

/** The same for several paths. A path without a suggestion is left out. */
export async function suggestPaths(db: Db, paths: readonly string[], now: number): Promise<ReadonlyMap<string, string>> {
  const wanted = new Map(paths.map((path) => [path, slugOf(path)]))
  const slugs = [...new Set(wanted.values())].filter((slug) => slug !== '')
  if (slugs.length === 0) return new Map()
  const same = await publicBySlug(db, now).where('slug', 'in', slugs).execute()
  const found = new Map<string, string | null>()
  for (const { slug, path } of same) if (!found.has(slug)) found.set(slug, path)
  const left = slugs.filter((slug) => !found.has(slug))
  for (const prefix of new Set(left.map(beginningOf))) {
    const similar = await publicBySlug(db, now)
      .where('slug', '>=', prefix)
      .where('slug', '<', `${prefix}\u{10ffff}`)
      .limit(maxCompared)
      .execute()
    const names = similar.map((row) => row.slug)
    for (const slug of left.filter((one) => beginningOf(one) === prefix)) {
      const [near] = nearest(slug, names)
      found.set(slug, similar.find((row) => row.slug === near)?.path ?? null)
    }
  }
  return new Map([...wanted].flatMap(([path, slug]) => (found.get(slug) ? [[path, found.get(slug) as string]] : [])))
}

const slugOf = (path: string): string => {
  const last = path.split('/').findLast((part) => part !== '') ?? ''
  return slugify(last.replace(/\.(?:html?|php|aspx?|md)$/i, ''))
}

const publicBySlug = (db: Db, now: number) =>
  db
    .selectFrom('entry')
    .select(['path', 'slug'])
    .where((eb) => publicOnly(eb, now))
    .orderBy('slug')
    .orderBy('id')

/** Returns the first two characters, which all similar slugs share. */
const beginningOf = (slug: string): string => [...slug].slice(0, 2).join('')
