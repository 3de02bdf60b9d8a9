// Finds the public page that somebody may have meant who asked for a path at which there is nothing.

import { publicInOrder } from '../content/entry.ts'
import { slugify } from '../content/slug.ts'
import type { Db } from '../store/database.ts'
import { nearest } from './nearest.ts'

/** How many entries with a similar beginning are compared. */
const maxCompared = 50

/** The path of the nearest public entry: one with the same last part, else one whose last part is spelled much the same. */
export async function suggestPath(db: Db, path: string, now: number): Promise<string | null> {
  const last = path.split('/').findLast((part) => part !== '') ?? ''
  const wanted = slugify(last.replace(/\.(?:html?|php|aspx?|md)$/i, ''))
  if (wanted === '') return null
  const entries = db
    .selectFrom('entry')
    .select(['path', 'slug'])
    .where((eb) => publicInOrder(eb, now))
  const same = await entries.where('slug', '=', wanted).orderBy('id').limit(1).executeTakeFirst()
  if (same) return same.path
  const { prefix, end } = beginningOf(wanted)
  const similar = await entries
    .where('slug', '>=', prefix)
    .where('slug', '<', end)
    .orderBy('slug')
    .orderBy('id')
    .limit(maxCompared)
    .execute()
  const [slug] = nearest(
    wanted,
    similar.map((row) => row.slug),
  )
  return similar.find((row) => row.slug === slug)?.path ?? null
}

/** A range of slugs that begin like one: from `prefix` up to `end`. */
function beginningOf(slug: string): { prefix: string; end: string } {
  const prefix = [...slug].slice(0, 2).join('')
  return { prefix, end: `${prefix}\u{10ffff}` }
}
