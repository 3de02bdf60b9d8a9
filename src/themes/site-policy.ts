// The content security policy of public pages.

import { embedOrigins } from '../content/markdown/embeds.ts'

/**
 * Returns the policy. Only the sites in the table of embeds may be framed, and a frame loads nothing before a click
 * (`embeds.ts`).
 * @param sources further origins, which the owner allows
 */
export function sitePolicy(sources: readonly string[]): string {
  const more = sources.map((source) => ` ${source}`).join('')
  return (
    `default-src 'self'${more}; script-src 'self'${more}; style-src 'self' 'unsafe-inline'${more}; img-src 'self' https: data:; ` +
    `frame-src 'self' ${embedOrigins.join(' ')}${more}; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'`
  )
}

/** Returns the sources of a directive; those of `default-src` if the policy has none for it. */
export function sourcesOf(policy: string, directive: string): readonly string[] {
  const rows = new Map(policy.split('; ').map((row) => [row.slice(0, row.indexOf(' ')), row.split(' ').slice(1)] as const))
  return rows.get(directive) ?? rows.get('default-src') ?? []
}

/** True if a policy lets a page load an address, and for an address that can't be read. @param own the origin of the page */
export function allows(policy: string, directive: string, address: string, own: string): boolean {
  const sources = sourcesOf(policy, directive)
  if (/^data:/i.test(address)) return sources.includes('data:')
  const url = URL.canParse(address, `${own}/`) ? new URL(address, `${own}/`) : undefined
  if (!url) return true
  if (url.origin === new URL(own).origin) return sources.includes("'self'")
  return sources.includes(url.protocol) || sources.includes(url.origin)
}
