// The last look at a rendered page: no attribute may have an address that runs a script, wherever the address came from (attack 94). The site's
// content security policy refuses to run such an address, too.

/** `javascript:` and the like at the start of an attribute's value, with the characters that browsers ignore there. */
const scriptAddress =
  // oxlint-disable-next-line no-control-regex
  /(=\s*["']?)[\u0000-\u0020]*(?:j[\t\r\n]*a[\t\r\n]*v[\t\r\n]*a|v[\t\r\n]*b)[\t\r\n]*s[\t\r\n]*c[\t\r\n]*r[\t\r\n]*i[\t\r\n]*p[\t\r\n]*t[\t\r\n]*:/gi

/** The page with `#` in place of each such address. Text between tags stays as it is. */
export function withoutScriptAddresses(html: string): string {
  scriptAddress.lastIndex = 0
  if (!scriptAddress.test(html)) return html
  return html.replace(/<[a-z][^<>]*/gi, (tag) => tag.replace(scriptAddress, '$1#'))
}
