// Owners of the names at the top of the site, such as `de` in `/de/about`: a further language, a taxonomy with its archives, or a
// type with its entries. Two owners of one name would share addresses.

import type { Db } from '../../store/core/database.ts'
import { languageAt, readLanguages } from '../languages/languages.ts'
import { readBasePaths } from './path.ts'
import { findTaxonomy } from '../terms/taxonomies.ts'

export type TopKind = 'language' | 'taxonomy' | 'type'

const finders: Readonly<Record<TopKind, (db: Db, name: string) => Promise<string | undefined>>> = {
  language: async (db, name) => languageAt(await readLanguages(db), `/${name}`),
  taxonomy: async (db, name) => (await findTaxonomy(db, name))?.slug,
  type: async (db, name) => [...(await readBasePaths(db))].find(([, base]) => base.split('/')[1] === name)?.[0],
}

/** Finds another owner of a name at the top. @param except the kind of the new owner, which checks its own kind itself */
export async function findTopOwner(db: Db, name: string, except: TopKind): Promise<string | undefined> {
  for (const [kind, find] of Object.entries(finders)) {
    if (kind === except) continue
    const found = await find(db, name)
    if (found !== undefined) return `the ${kind} ${found}`
  }
  return undefined
}
