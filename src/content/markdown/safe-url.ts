// Checks the addresses in texts, menus and fields. A pure check; the caller decides what happens to unsafe addresses.

/** The verdict on an address: safe, or the reason against it in words for its writer: `javascript: link`. */
export interface UrlVerdict {
  readonly safe: boolean
  /** The reason; empty for a safe address. */
  readonly fault: string
}

/** Schemes that links may have. */
export const linkSchemes: readonly string[] = ['http', 'https', 'mailto', 'tel']

/** Schemes that images, sound and video may have. */
export const mediaSchemes: readonly string[] = ['http', 'https']

const safe: UrlVerdict = { safe: true, fault: '' }
const schemeAtStart = /^([a-z][a-z0-9+.-]{0,30}):/i
// Characters that browsers skip before a scheme, or remove from within it: they could hide a scheme (attack 94).
// oxlint-disable-next-line no-control-regex
const hidden = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/g

/** Checks that an address is relative or has one of the schemes. `//host` and `/\host` are unsafe: they only look internal. */
export function checkUrl(address: string, schemes: readonly string[]): UrlVerdict {
  const bare = address.replace(hidden, '')
  if (/^[\\/]{2}/.test(bare)) return { safe: false, fault: 'protocol-relative link' }
  const scheme = schemeAtStart.exec(bare)?.[1]?.toLowerCase()
  if (scheme !== undefined) return schemes.includes(scheme) ? safe : { safe: false, fault: `${scheme}: link` }
  // `&#106;avascript:` and the like: no honest address has a colon before the first slash without a plain scheme.
  if (/^[^/?#]*:/.test(bare)) return { safe: false, fault: 'unreadable link' }
  return staysHere(bare) ? safe : { safe: false, fault: 'unreadable link' }
}

function staysHere(address: string): boolean {
  const here = 'https://postern.invalid'
  try {
    return new URL(address, `${here}/a/b`).origin === here
  } catch {
    return false
  }
}
