// The line that mends a web server's configuration, for the one that answered, with the file where it goes.

/** The line that mends it, by the web server in front; `nginx` where nobody knows which it is. After three spaces comes what else to know. */
export interface FrontFix {
  readonly nginx: string
  /** The file of nginx's line, below `/etc/nginx`, as `postern nginx` writes it; the other two have one file each. */
  readonly file: string
  readonly apache: string
  readonly caddy: string
  /** The remedy at an edge such as Cloudflare, if it answered and is the cause. */
  readonly edge?: string
}

export type Fix = string | FrontFix

type Server = 'nginx' | 'apache' | 'caddy'

/** As `postern nginx` writes and Debian has them. */
const files: Readonly<Record<Server, (file: string) => string>> = {
  nginx: (file) => `/etc/nginx/${file}`,
  apache: () => '/etc/apache2/sites-available/postern.conf',
  caddy: () => '/etc/caddy/Caddyfile',
}

const isEdge = (named: string): boolean => /cloudflare|akamai|cloudfront|fastly|sucuri/i.test(named)
const serverOf = (named: string): Server => (/apache/i.test(named) ? 'apache' : /caddy/i.test(named) ? 'caddy' : 'nginx')

/** @param named by the header `Server` of its answers */
export function lineOf(fix: Fix, named = ''): string {
  if (typeof fix === 'string') return fix
  if (fix.edge !== undefined && isEdge(named)) return fix.edge
  const server = serverOf(named)
  const [line, ...more] = fix[server].split('   ')
  return [line, `in ${files[server](fix.file)}`, ...more].join('   ')
}
