// The line that fixes the configuration of the web server that answered, with the file that contains it.

/**
 * The line for each web server; `nginx` is used if the web server is unknown. After three spaces, a line may have further advice.
 */
export interface FrontFix {
  readonly nginx: string
  /** The file of nginx's line, below `/etc/nginx`, as `postern nginx` writes it. The other two web servers have one file each. */
  readonly file: string
  readonly apache: string
  readonly caddy: string
  /** The remedy at an edge such as Cloudflare, if it answered and is the cause. */
  readonly edge?: string
}

export type Fix = string | FrontFix

/** The paths of the files that `postern nginx` writes, in Debian's layout. */
const files: Readonly<Record<'nginx' | 'apache' | 'caddy', (file: string) => string>> = {
  nginx: (file) => `/etc/nginx/${file}`,
  apache: () => '/etc/apache2/sites-available/postern.conf',
  caddy: () => '/etc/caddy/Caddyfile',
}

/** @param named the header `Server` of the answers */
export function lineOf(fix: Fix, named = ''): string {
  if (typeof fix === 'string') return fix
  if (fix.edge !== undefined && /cloudflare|akamai|cloudfront|fastly|sucuri/i.test(named)) return fix.edge
  const server = /apache/i.test(named) ? 'apache' : /caddy/i.test(named) ? 'caddy' : 'nginx'
  const [line, ...more] = fix[server].split('   ')
  return [line, `in ${files[server](fix.file)}`, ...more].join('   ')
}
