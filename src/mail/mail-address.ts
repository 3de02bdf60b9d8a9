// Addresses and one-line texts of mails. Nothing that is typed can add a header, a receiver or a command of SMTP (attack 166).

import { domainToASCII } from 'node:url'
import { invalid } from '../base/failure.ts'

/** The longest address. @see RFC 5321, section 4.5.3.1.3 */
export const maxAddressChars = 254

/** The unquoted local part. Quoted ones are legal, but nobody has them. @see RFC 5322, section 3.2.3 */
const localPart = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/**
 * Reads one mail address, such as `anna@example.org`. The domain is in lower case and in ASCII, because few relays take others.
 * @returns undefined for everything else, such as lists and display names
 */
export function readAddress(given: string): string | undefined {
  const text = given.trim()
  const at = text.lastIndexOf('@')
  if (at < 1 || text.length > maxAddressChars) return undefined
  const local = text.slice(0, at)
  const domain = domainToASCII(text.slice(at + 1))
  const labels = domain.split('.')
  const isGood = local.length <= 64 && localPart.test(local) && labels.length > 1 && labels.every((one) => label.test(one))
  return isGood && domain.length <= 253 ? `${local}@${domain}` : undefined
}

/** Reads an address in an input. @throws Failure `invalid` */
export function checkAddress(field: string, given: string): string {
  const address = readAddress(given)
  if (address !== undefined) return address
  const expected = 'one mail address with letters, digits and signs of ASCII before the @, such as anna@example.org'
  throw invalid(field, `"${field}" must be ${expected}.`, expected)
}

/** A text for a header: one line of at most 200 characters, without characters that can't be seen. */
export const headerText = (text: string): string => {
  const line = text.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
  return [...line.trim()].slice(0, 200).join('')
}
