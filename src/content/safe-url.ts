// Which addresses a text, a menu or a field may point to. A pure predicate; what is done about the others is the caller's.

/** Why an address was refused, in the words a writer is told: `javascript: link`. */
export interface UrlVerdict {
  readonly safe: boolean
  /** What is wrong with it; empty when safe. */
  readonly fault: string
}

/** Schemes that a reader may be sent to. */
export const linkSchemes: readonly string[] = ['http', 'https', 'mailto', 'tel']

/** Schemes that a picture, a sound or a film may come from. */
export const mediaSchemes: readonly string[] = ['http', 'https']

const safe: UrlVerdict = { safe: true, fault: '' }
const schemeAtStart = /^([a-z][a-z0-9+.-]{0,30}):/i
// What browsers skip before they look for a scheme, and what they take out from within: the ways to hide one (ATTACKS 94).
// oxlint-disable-next-line no-control-regex
const hidden = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/g

/**
 * Whether an address is relative, or absolute with one of the schemes. Protocol-relative ones (`//host`, `/\host`) are not: they
 * leave the site without looking like it.
 */
export function checkUrl(address: string, schemes: readonly string[]): UrlVerdict {
  const bare = address.replace(hidden, '')
  if (/^[\\/]{2}/.test(bare)) return { safe: false, fault: 'protocol-relative link' }
  const scheme = schemeAtStart.exec(bare)?.[1]?.toLowerCase()
  if (scheme !== undefined) return schemes.includes(scheme) ? safe : { safe: false, fault: `${scheme}: link` }
  // `&#106;avascript:` and the like: a colon before any slash that isn't a plain scheme has no good reason.
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
