// Paths that the service needs for itself. A route would hide an entry at such a path, or the entry would hide the route.

/** First segments of the service's own routes, in lower case. They are compared after NFKC, in any letter case (attack 99). */
const routes = (
  'admin api mcp oauth .well-known authorize token register login user-content assets ext media healthz readyz metrics ' +
  'theme-preview confirm-comment webmention'
).split(' ')

/** Names at the top of the public site: feeds, files for robots, and the folders of archives. */
export const publicNames: readonly string[] =
  'feed search author posts pages sitemap.xml robots.txt llms.txt favicon.ico feed.xml feed.json atom.xml comments.xml site.webmanifest'.split(
    ' ',
  )

const reserved: ReadonlySet<string> = new Set([...routes, ...publicNames])

/** True if the service needs this name at the top of the site. A path with a reserved segment or a dot segment counts too. */
export function isReservedSlug(slug: string): boolean {
  return hasSegment(slug, reserved)
}

/** True if a route of the service begins with this segment. */
export function isServiceSlug(slug: string): boolean {
  return hasSegment(slug, new Set(routes))
}

function hasSegment(slug: string, names: ReadonlySet<string>): boolean {
  const folded = slug.normalize('NFKC').toLowerCase()
  const parts = folded.split(/[\\/]/)
  if (parts.some((part) => part === '.' || part === '..')) return true
  return parts.some((part) => names.has(part.replace(/\s+/g, '')))
}

/** The archive of a month, such as `/2026/11`. */
const month = /^\/\d{4}\/(?:0[1-9]|1[0-2])$/

/** True if a path is an archive by date. Archives of terms depend on the taxonomies of the site. */
export const isArchivePath = (path: string): boolean => month.test(path)
