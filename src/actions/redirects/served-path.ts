// The pages without an entry: the home pages and the archives of terms.

import { findTerm } from '../../content/terms/terms.ts'
import { languageAt, mayBeLanguage, readLanguages } from '../../content/languages/languages.ts'
import type { Db } from '../../store/core/database.ts'

/** True if the site has a page without an entry at a path: a home page, or the archive of a term. */
export async function isServedPath(db: Db, path: string): Promise<boolean> {
  if (path === '/') return true
  if (path.split('/').length === 3) return (await findTerm(db, path)) !== undefined
  return mayBeLanguage(path.slice(1)) && languageAt(await readLanguages(db), path) !== undefined
}
