// Root files: small files of the owner at the top of the site, by which other services recognise it, such as `ads.txt`. They are
// never run as scripts: the site serves them in a sandbox, and the names have the endings of texts and data.

import type { Db } from '../../store/core/database.ts'
import type { SiteFileRow } from '../../store/core/schema.ts'
import { isReservedSlug } from '../entries/reserved-slugs.ts'

/** The largest file, in bytes of UTF-8. */
export const maxRootFileBytes = 64 * 1024
export const maxRootFiles = 50

const types: Readonly<Record<string, string>> = {
  txt: 'text/plain; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  json: 'application/json; charset=utf-8',
  html: 'text/html; charset=utf-8',
}

/** The files below `/.well-known/` that an owner may have. The service answers all other paths there. */
export const wellKnownFiles: Readonly<Record<string, string>> = {
  '/.well-known/security.txt': 'text/plain; charset=utf-8',
  '/.well-known/apple-app-site-association': 'application/json; charset=utf-8',
  '/.well-known/assetlinks.json': 'application/json; charset=utf-8',
}

const form = /^\/(?=[A-Za-z0-9._-]{1,80}$)[^/]*\.(txt|xml|json|html)$/

/** The content type of a root file at a path; undefined if there can be none. */
export const rootFileType = (path: string): string | undefined =>
  Object.hasOwn(wellKnownFiles, path) ? wellKnownFiles[path] : types[form.exec(path)?.[1] ?? '']

/** True if the service answers a path at the top of the site itself, however it is spelled. */
export const isServicePath = (path: string): boolean =>
  !Object.hasOwn(wellKnownFiles, path) && (isReservedSlug(path.slice(1)) || /^\/sitemap(?:-\d+)?\.xml$/i.test(path))

/** True if a site has all the root files that it may have. */
export async function hasAllRootFiles(db: Db): Promise<boolean> {
  const { count } = await db
    .selectFrom('site_file')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count >= maxRootFiles
}

/** The root file at a path. Paths that no file can have are not looked up. */
export async function findRootFile(db: Db, path: string): Promise<SiteFileRow | undefined> {
  if (rootFileType(path) === undefined) return undefined
  return db.selectFrom('site_file').selectAll().where('path', '=', path).executeTakeFirst()
}
