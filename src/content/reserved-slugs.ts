// First segments of public paths that the service needs for its own routes. An entry at such a path would be hidden by a route, or hide one.

/** Reserved names in lower case. They are compared after NFKC, in any letter case (ATTACKS 99). */
const reserved: ReadonlySet<string> = new Set(
  (
    'admin api mcp oauth .well-known authorize token register login user-content assets ext feed search healthz readyz metrics theme-preview ' +
    'sitemap.xml robots.txt llms.txt favicon.ico feed.xml feed.json'
  ).split(' '),
)

/** Whether the service needs this name at the top of the site. A path with a reserved segment or a dot segment counts too. */
export function isReservedSlug(slug: string): boolean {
  const folded = slug.normalize('NFKC').toLowerCase()
  const parts = folded.split(/[\\/]/)
  if (parts.some((part) => part === '.' || part === '..')) return true
  return parts.some((part) => reserved.has(part.replace(/\s+/g, '')))
}
