// The parsers of settings. Each takes a JSON value, and returns it as it is stored, or the form that was expected.

import { isTimeZone } from './time-zone.ts'

/** The value to store, or the expected form, which reads well after "must be". */
export type Parsed<T> = { readonly value: T } | { readonly expected: string }

export const text =
  (maxLength: number, lines: 'one line' | 'lines') =>
  (value: unknown): Parsed<string> => {
    const forbidden = lines === 'lines' ? /[^\P{Cc}\n\r\t]/u : /\p{Cc}/u
    const good = typeof value === 'string' && value.length <= maxLength && value.isWellFormed() && !forbidden.test(value)
    return good ? { value } : { expected: `a text of at most ${maxLength} characters${lines === 'lines' ? '' : ' on one line'}` }
  }

export const wholeNumber =
  (min: number, max: number) =>
  (value: unknown): Parsed<number> =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
      ? { value }
      : { expected: `a whole number from ${min} to ${max}` }

export const yesOrNo = (value: unknown): Parsed<boolean> =>
  typeof value === 'boolean' ? { value } : { expected: 'true or false' }
export const oneOf =
  (...choices: readonly string[]) =>
  (value: unknown): Parsed<string> =>
    typeof value === 'string' && choices.includes(value) ? { value } : { expected: `one of ${choices.join(', ')}` }

export function language(value: unknown): Parsed<string> {
  const expected = 'a language tag such as "en", "de" or "pt-BR" (BCP 47)'
  if (typeof value !== 'string' || !/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,5}$/.test(value)) return { expected }
  try {
    return { value: Intl.getCanonicalLocales(value)[0] ?? value }
  } catch {
    return { expected }
  }
}

const maxLanguages = 50

export function languageList(value: unknown): Parsed<readonly string[]> {
  const expected = `a list of at most ${maxLanguages} different language tags such as ["de", "pt-BR"]`
  if (!Array.isArray(value) || value.length > maxLanguages) return { expected }
  const parsed = value.map(language)
  const tags = parsed.flatMap((one) => ('value' in one ? [one.value] : []))
  return tags.length === value.length && new Set(tags).size === tags.length ? { value: tags } : { expected }
}

export function timeZone(value: unknown): Parsed<string> {
  return typeof value === 'string' && isTimeZone(value) ? { value } : { expected: 'a time zone such as "Europe/Berlin" or "UTC"' }
}

const maxOrigins = 50

export function origins(value: unknown): Parsed<readonly string[]> {
  const good =
    Array.isArray(value) && value.length <= maxOrigins && value.every((item) => typeof item === 'string' && isOrigin(item))
  return good
    ? { value: value as string[] }
    : { expected: `a list of at most ${maxOrigins} origins such as "https://claude.ai", or null for the usual ones` }
}

function isOrigin(text: string): boolean {
  return /^https?:\/\/[^/]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text
}

export function secureOrigins(value: unknown): Parsed<readonly string[]> {
  const parsed = origins(value)
  const good = 'value' in parsed && parsed.value.every((origin) => origin.startsWith('https://'))
  return good ? parsed : { expected: `a list of at most ${maxOrigins} origins such as "https://maps.example.org"` }
}

export const textList =
  (maxItems: number, maxLength: number) =>
  (value: unknown): Parsed<readonly string[]> => {
    const parsed = Array.isArray(value) && value.length <= maxItems ? value.map(text(maxLength, 'one line')) : undefined
    const found = parsed?.flatMap((one) => ('value' in one && one.value !== '' ? [one.value] : []))
    return found && found.length === parsed?.length && new Set(found).size === found.length
      ? { value: found }
      : { expected: `a list of at most ${maxItems} different texts, each of at most ${maxLength} characters on one line` }
  }

const maxAddresses = 20

/** An address without a scheme is completed, because people copy it so. */
export function webAddresses(value: unknown): Parsed<readonly string[]> {
  const expected = `a list of at most ${maxAddresses} different addresses such as "https://mastodon.social/@anna"`
  if (!Array.isArray(value) || value.length > maxAddresses) return { expected }
  const parsed = value.map((one) => (typeof one === 'string' ? webAddress(one.trim()) : undefined))
  const found = parsed.filter((one) => one !== undefined)
  return found.length === value.length && new Set(found).size === found.length ? { value: found } : { expected }
}

function webAddress(given: string): string | undefined {
  const text = /^[a-z][a-z0-9+.-]*:/i.test(given) ? given : `https://${given}`
  if (given.length > 500 || !URL.canParse(text)) return undefined
  const { protocol, hostname, username, password, href } = new URL(text)
  const isPlain = username === '' && password === '' && hostname.includes('.')
  return isPlain && (protocol === 'https:' || protocol === 'http:') ? href : undefined
}
