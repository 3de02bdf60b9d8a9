// The last look at a rendered page: no attribute may have an address that runs a script, wherever the address came from (attack 94). The site's
// content security policy refuses to run such an address, too.

const tag = /<[a-z][^<>]*/gi

/** The attributes in which a browser looks for an address, with their values. */
const address = /\b(href|src|action|formaction|data|poster|cite|background|ping)(\s*=\s*)("[^"]*"|'[^']*'|[^\s"']+)/gi

/** The page with `#` in place of each such address. Text between tags, and other attributes, stay as they are. */
export function withoutScriptAddresses(html: string): string {
  return html.replace(tag, (whole) =>
    whole.includes('=')
      ? whole.replace(address, (found, name: string, equals: string, value: string) =>
          runsScript(value) ? `${name}${equals}"#"` : found,
        )
      : whole,
  )
}

/** Browsers ignore spaces and control characters at the start of an address, and line ends and tabs within it. */
const runsScript = (value: string): boolean =>
  // oxlint-disable-next-line no-control-regex
  /^(?:java|vb)script:/i.test(value.replace(/^["']/, '').replace(/[\u0000-\u0020]/g, ''))
