// The signed time in a form. It says when the page with the form was made, so that a form that is sent at once, or by a program
// that never saw it, can be told from others. It also says which fields the page had, so that nobody agrees to what they have not
// read, and nothing is lost that was typed into a field that is gone.

import { createHmac, hash } from 'node:crypto'
import { sameSecret } from '../base/same-secret.ts'
import type { SiteKey } from '../identity/site-key.ts'
import type { AskedField } from './form-fields.ts'

/** A token is good for a day, and an hour for the time in which a page may be kept. */
const maxAgeMs = 25 * 3_600_000

const signed = (key: SiteKey, form: string, text: string): string =>
  createHmac('sha256', key.derive('form')).update(`${form} ${text}`).digest('base64url').slice(0, 22)

const printOf = (fields: readonly AskedField[]): string => hash('sha256', JSON.stringify(fields), 'base64url').slice(0, 8)

/** @param form the id of the form @param fields as the page shows them */
export function formToken(key: SiteKey, form: string, fields: readonly AskedField[], now: number): string {
  const text = `${now}.${printOf(fields)}`
  return `${text}.${signed(key, form, text)}`
}

/** The facts in a token: the age of the page in milliseconds, and whether the form has had the same fields ever since. */
export interface PageOfForm {
  readonly ageMs: number
  readonly isSame: boolean
}

/** Reads a token. @returns undefined for one that is too old, of another form, or made up */
export function readFormToken(
  key: SiteKey,
  form: string,
  fields: readonly AskedField[],
  token: string,
  now: number,
): PageOfForm | undefined {
  const [, digits = '', print = '', signature = ''] = /^(\d{1,15})\.([\w-]{8})\.([\w-]{22})$/.exec(token) ?? []
  const ageMs = now - Number(digits)
  const isGood =
    digits !== '' && sameSecret(signature, signed(key, form, `${digits}.${print}`)) && ageMs >= 0 && ageMs <= maxAgeMs
  return isGood ? { ageMs, isSame: print === printOf(fields) } : undefined
}
