// Addresses as people type them. `example.org/shop` in a form means the web, not a path of the site.

const host = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}(?=[/?#:]|$)/i
const mail = /^[^\s/@:]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z]{2,24}$/i
/** Endings of files, which a relative path may have. */
const file = /^[^/?#]*\.(?:html?|md|pdf|txt|png|jpe?g|webp|svg|zip)$/i

/** Returns an address with the scheme that was left out: `https://` before a host, `mailto:` before an e-mail address. */
export function completeAddress(typed: string): string {
  const text = typed.trim()
  if (mail.test(text)) return `mailto:${text}`
  return host.test(text) && !file.test(text) ? `https://${text}` : text
}

/** A path, a part of the page, or an address with a scheme that pages may link to. */
const whole = /^(?:\/|\.\.?\/|[#?]\S*$|https?:\/\/|(?:mailto|tel):\S)/i

/** True for a text that is an address as it stands, whatever entries are called. */
export const isWholeAddress = (typed: string): boolean => whole.test(typed.trim())

/** Returns the completed address; undefined for a text that is none, such as a part of a title. */
export function addressIn(typed: string): string | undefined {
  const address = completeAddress(typed)
  return isWholeAddress(address) ? address : undefined
}
