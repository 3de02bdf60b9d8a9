// The fields of forms, by kind: what a visitor may type into each, and how the text is read.

import { readAddress } from '../mail/mail-address.ts'

/** The kinds of fields. `lines` is a text of several lines; a `check` is a box that is ticked or not; `files` takes files. */
export const fieldKinds = ['text', 'lines', 'email', 'phone', 'url', 'number', 'date', 'choice', 'check', 'files'] as const
export type FormFieldKind = (typeof fieldKinds)[number]

/** A field of a form. */
export interface AskedField {
  readonly name: string
  readonly label: string
  readonly kind: FormFieldKind
  readonly required: boolean
  readonly help: string | null
  /** The choices of a `choice`; else none. */
  readonly choices: readonly string[]
}

/** The most fields of a form, and choices of a field. */
export const maxFields = 40
export const maxChoices = 50
/** The longest text of a field of one line, and of several. */
export const maxLineChars = 500
export const maxTextChars = 20_000

/** The reasons why a value is refused. Each has a sentence in the language of the page. */
export type FieldFault =
  | 'form_required'
  | 'form_email'
  | 'form_url'
  | 'form_number'
  | 'form_date'
  | 'form_choice'
  | 'form_long'
  | FormFilesFault

/** The reasons why files are refused. */
export type FormFilesFault = 'form_files_kind' | 'form_files_many' | 'form_files_large' | 'form_files_full'

type Read = { readonly value: string } | { readonly fault: FieldFault }

const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
const several = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim()

/** The readers of each kind, after the checks that all have. An empty text never comes here. */
const readers: Readonly<Record<FormFieldKind, (text: string, field: AskedField) => Read>> = {
  text: (value) => ({ value }),
  lines: (value) => ({ value }),
  phone: (value) => ({ value }),
  email(text) {
    const value = readAddress(text)
    return value === undefined ? { fault: 'form_email' } : { value }
  },
  url(text) {
    const value = /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`
    const isWeb = URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) && new URL(value).hostname.includes('.')
    return isWeb ? { value } : { fault: 'form_url' }
  },
  number: (text) => (/^-?\d{1,15}(?:[.,]\d{1,9})?$/.test(text) ? { value: text.replace(',', '.') } : { fault: 'form_number' }),
  date: (text) => (isDay(text) ? { value: text } : { fault: 'form_date' }),
  choice: (value, { choices }) => (choices.includes(value) ? { value } : { fault: 'form_choice' }),
  check: () => ({ value: 'yes' }),
  // The names of the files, which are lines.
  files: (value) => ({ value }),
}

const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)

/** The values by the names of their fields. Fields without a text are left out. */
export type FormValues = Readonly<Record<string, string>>

export interface ReadValues {
  readonly values: FormValues
  readonly faults: Readonly<Record<string, FieldFault>>
}

/** Reads the texts of a form. @param textOf the text of a field as it came; `''` for none */
export function readForm(fields: readonly AskedField[], textOf: (name: string) => string): ReadValues {
  const values: Record<string, string> = {}
  const faults: Record<string, FieldFault> = {}
  for (const field of fields) {
    const given = textOf(field.name).toWellFormed()
    const text = field.kind === 'lines' || field.kind === 'files' ? several(given) : oneLine(given)
    const read = readOne(field, text)
    if ('fault' in read) faults[field.name] = read.fault
    else if (read.value !== '') values[field.name] = read.value
  }
  return { values, faults }
}

function readOne(field: AskedField, text: string): Read {
  if (text === '') return field.required ? { fault: 'form_required' } : { value: '' }
  if (text.length > maxCharsOf(field.kind)) return { fault: 'form_long' }
  return readers[field.kind](text, field)
}

export const maxCharsOf = (kind: FormFieldKind): number => (kind === 'lines' ? maxTextChars : maxLineChars)
