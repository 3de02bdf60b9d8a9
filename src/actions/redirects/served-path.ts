// The paths without an entry at which the site has something: the home pages, the archives of terms, and root files.

import { findTerm } from '../../content/terms/terms.ts'
import { languageAt, mayBeLanguage, readLanguages } from '../../content/languages/languages.ts'
import { findRootFile } from '../../content/root-files/root-files.ts'
import type { Db } from '../../store/core/database.ts'

/** True if the site has a page or file without an entry at a path. */
export async function isServedPath(db: Db, path: string): Promise<boolean> {
  if (path === '/') return true
  if ((await findRootFile(db, path)) !== undefined) return true
  if (path.split('/').length === 3) return (await findTerm(db, path)) !== undefined
  return mayBeLanguage(path.slice(1)) && languageAt(await readLanguages(db), path) !== undefined
}
