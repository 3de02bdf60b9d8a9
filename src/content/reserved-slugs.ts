// The first parts of public paths that the service answers itself. An entry there would never be seen, or would hide a route.

/** In lower case; compared after NFKC and in any letter case (ATTACKS 99). */
const reserved: ReadonlySet<string> = new Set(
  (
    'admin api mcp oauth .well-known authorize token register login user-content assets ext feed search healthz readyz metrics ' +
    'sitemap.xml robots.txt llms.txt favicon.ico feed.xml feed.json'
  ).split(' '),
)

/** Whether the service needs this name at the top of the site, or a path with such a part or a dot segment in it hides there. */
export function isReservedSlug(slug: string): boolean {
  const folded = slug.normalize('NFKC').toLowerCase()
  const parts = folded.split(/[\\/]/)
  if (parts.some((part) => part === '.' || part === '..')) return true
  return parts.some((part) => reserved.has(part.replace(/\s+/g, '')))
}
