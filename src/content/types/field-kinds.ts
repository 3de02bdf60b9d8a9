// The kinds of custom fields, one row per kind: the schema of a value, its check, its stored form, and its use by lists. A value is
// stored in the form that answers show.

import { type TSchema, Type } from 'typebox'
import { type Failure, invalid } from '../../base/failure.ts'
import { isObject } from '../../base/json.ts'
import { maxIndexedChars } from '../../store/change/entry-values.ts'
import { checkText } from '../entries/entry-text.ts'
import { type CustomKind, type FieldDefinition, maxMany } from './field-definition.ts'
import { toTime } from './field-values.ts'
import type { ReferenceKind } from '../entries/references.ts'
import { checkUrl, linkSchemes } from '../markdown/safe-url.ts'
import { closed } from '../../base/schema.ts'

/** The context for checking a value. */
export interface ValueContext {
  /** Dates without an offset are read in this zone. */
  readonly timeZone: string
  /** The stored form of a reference: usually an id. Undefined if nothing has this name. */
  findReference(kind: ReferenceKind, ref: string, of: string | undefined): Promise<string | undefined>
}

/** The use of a kind by lists: the column of `entry_value`, and the form of the value that callers compare it with. */
export interface KindInList {
  readonly column: 'text_value' | 'number_value'
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'day' | 'moment'
}

type Check = (value: unknown, at: string, field: FieldDefinition, context: ValueContext) => unknown

interface KindRow {
  schema(field: FieldDefinition): TSchema
  /** Returns the value to store. @throws Failure `invalid`, naming the field */
  check: Check
  /** True if a stored value is of this kind. It may have been stored for another field of the same name. */
  holds(value: unknown, field: FieldDefinition): boolean
  readonly list?: KindInList
  /** True if `SVC_Content.edit` and `replace-all` can change a part of the value. */
  readonly edited?: true
}

const maxTextChars = 2000
const maxMarkdownChars = 100_000
const maxJsonChars = 20_000
const maxJsonDepth = 20
const maxEmailChars = 254
const maxReferenceChars = 1100

const isString = (value: unknown): boolean => typeof value === 'string'
const text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, ...(description === undefined ? {} : { description }) })

/** A check of a text, with the expected form in words. */
const textThat =
  (maxChars: number, expected: string, isGood: (value: string) => boolean): Check =>
  (value, at) => {
    if (typeof value !== 'string') throw wrong(at, expected)
    const checked = checkText(value, at, maxChars)
    if (!isGood(checked)) throw wrong(at, expected)
    return checked
  }

const always = () => true
const inText = (kind: KindInList['kind'] = 'text'): KindInList => ({ column: 'text_value', kind })
const inNumber = (kind: KindInList['kind']): KindInList => ({ column: 'number_value', kind })

const reference = (kind: ReferenceKind, called: string): KindRow => ({
  schema: () => text(maxReferenceChars, `Id or ${called}.`),
  async check(value, at, { of }, { findReference }) {
    const wanted = typeof of === 'string' ? of : undefined
    const expected = `id or ${called}${wanted === undefined ? '' : `, of ${wanted}`}`
    if (typeof value !== 'string' || value === '') throw wrong(at, expected)
    const found = await findReference(kind, checkText(value, at, maxReferenceChars), wanted)
    if (found === undefined) throw wrong(at, expected)
    return found
  },
  holds: isString,
  list: inText(),
})

export const kindRows: Readonly<Record<CustomKind, KindRow>> = {
  text: {
    schema: () => text(maxTextChars),
    check: textThat(maxTextChars, `a text of at most ${maxTextChars} characters`, always),
    holds: isString,
    list: inText(),
    edited: true,
  },
  markdown: {
    schema: () => text(maxMarkdownChars, 'Markdown.'),
    check: textThat(maxMarkdownChars, `Markdown of at most ${maxMarkdownChars} characters`, always),
    holds: isString,
    edited: true,
  },
  number: {
    schema: () => Type.Number(),
    check(value, at) {
      if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value === 0 ? 0 : value
      throw wrong(at, 'a number within ±(2^53 − 1)')
    },
    holds: (value) => typeof value === 'number',
    list: inNumber('number'),
  },
  boolean: {
    schema: () => Type.Boolean(),
    check(value, at) {
      if (typeof value === 'boolean') return value
      throw wrong(at, 'true or false')
    },
    holds: (value) => typeof value === 'boolean',
    list: inNumber('boolean'),
  },
  date: {
    schema: () => text(10, 'A day, such as 2026-11-21.'),
    check: textThat(100, 'a day such as 2026-11-21', isDay),
    holds: (value) => typeof value === 'string' && isDay(value),
    list: inText('day'),
  },
  datetime: {
    schema: () => text(100, "A moment: with an offset, or in the site's time zone."),
    check(value, at, _field, { timeZone }) {
      if (typeof value !== 'string') throw wrong(at, 'a date such as 2026-11-21T08:30')
      return new Date(toTime(value, { field: at, timeZone })).toISOString()
    },
    holds: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*Z$/.test(value),
    list: inText('moment'),
  },
  choice: {
    schema: ({ options = [] }) => Type.Enum([...options]),
    check(value, at, { options = [] }) {
      if (typeof value === 'string' && options.includes(value)) return value
      throw wrong(at, `one of ${options.map((one) => JSON.stringify(one)).join(', ')}`)
    },
    holds: isString,
    list: inText('choice'),
  },
  url: {
    schema: () => text(maxTextChars, 'An address of the web, or a path of this site.'),
    check: textThat(
      maxTextChars,
      'https://…, mailto:…, tel:… or a path',
      (value) => value !== '' && !/\s/.test(value) && checkUrl(value, linkSchemes).safe,
    ),
    holds: isString,
    list: inText(),
    edited: true,
  },
  email: {
    schema: () => text(maxEmailChars, 'An e-mail address.'),
    check: textThat(maxEmailChars, 'an e-mail address', isAddress),
    holds: isString,
    list: inText(),
    edited: true,
  },
  media: reference('media', 'path of a file'),
  entry: reference('entry', 'path of an entry'),
  term: reference('term', '`taxonomy/slug` of a term'),
  group: {
    schema: ({ of }) => closed(propertiesOf(membersOf(of))),
    async check(value, at, { of }, context) {
      const members = membersOf(of)
      if (!isObject(value)) throw wrong(at, `an object with ${members.map(({ name }) => name).join(', ')}`)
      checkNames(members, Object.keys(value), at)
      return checkValues(members, value, at, context)
    },
    holds: (value) => isObject(value),
  },
  json: {
    schema: () => Type.Unknown({ description: `Any JSON value of at most ${maxJsonChars} characters.` }),
    check(value, at) {
      if (depthOf(value, maxJsonDepth) <= maxJsonDepth) {
        const written = JSON.stringify(value)
        if (!written.includes('\\u0000')) {
          if (written.length > maxJsonChars) throw wrong(at, `JSON of at most ${maxJsonChars} characters`)
          return value
        }
      }
      throw wrong(at, `JSON without U+0000, nested at most ${maxJsonDepth} deep`)
    },
    holds: always,
  },
}

/** The fields of a group. */
export const membersOf = (of: FieldDefinition['of']): readonly FieldDefinition[] =>
  Array.isArray(of) ? (of as FieldDefinition[]) : []

const wrong = (field: string, expected: string): Failure => invalid(field, `"${field}" must be ${expected}.`, expected)

/** True if a text looks like an e-mail address. Only a delivered message could prove it. */
function isAddress(value: string): boolean {
  const [name = '', host = '', ...rest] = value.split('@')
  const dot = host.indexOf('.')
  return rest.length === 0 && name !== '' && dot > 0 && !host.endsWith('.') && !/[\s<>",;]/.test(value)
}

/** True if a text is a day of the calendar. */
function isDay(value: string): boolean {
  if (!/^[1-9]\d{3}-\d\d-\d\d$/.test(value)) return false
  const at = Date.parse(`${value}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(value)
}

/** The nesting depth of a value. Counting stops beyond `most`. */
function depthOf(value: unknown, most: number): number {
  if (value === null || typeof value !== 'object') return 0
  if (most < 0) return 1
  return 1 + Math.max(0, ...Object.values(value).map((part) => depthOf(part, most - 1)))
}

/** The schema of a field's value, which may be null. */
export function valueSchema(field: FieldDefinition): TSchema {
  const one = kindRows[field.kind].schema(field)
  return field.many === true ? Type.Array(one, { maxItems: maxMany }) : one
}

function propertiesOf(fields: readonly FieldDefinition[]): Record<string, TSchema> {
  return Object.fromEntries(fields.map((field) => [field.name, Type.Optional(Type.Union([valueSchema(field), Type.Null()]))]))
}

/**
 * The stored form of the value of a field.
 * @param at the path of the field, for failures: `fields.price`
 * @throws Failure `invalid`
 */
export async function checkValue(field: FieldDefinition, value: unknown, at: string, context: ValueContext): Promise<unknown> {
  const { check } = kindRows[field.kind]
  if (field.many !== true) return checkIndexed(field, await check(value, at, field, context), at)
  if (!Array.isArray(value) || value.length > maxMany) throw wrong(at, `a list of at most ${maxMany} values`)
  const checked: unknown[] = []
  for (const [place, one] of value.entries()) checked.push(await check(one, `${at}.${place}`, field, context))
  return checked
}

/** Checks the length of a filtered text, because a longer one would have no row in the table for filters. */
function checkIndexed({ filter }: FieldDefinition, value: unknown, at: string): unknown {
  if (filter === true && typeof value === 'string' && value.length > maxIndexedChars)
    throw wrong(at, `at most ${maxIndexedChars} characters, because lists are filtered by it`)
  return value
}

/** The stored forms of values by name. Null and absent ones are left out. @throws Failure `invalid` */
async function checkValues(
  fields: readonly FieldDefinition[],
  values: Readonly<Record<string, unknown>>,
  at: string,
  context: ValueContext,
): Promise<Record<string, unknown>> {
  const checked: Record<string, unknown> = {}
  for (const field of fields) {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined
    const place = `${at}.${field.name}`
    if (value !== undefined && value !== null) checked[field.name] = await checkValue(field, value, place, context)
    else if (field.required === true) throw invalid(place, `"${place}" is missing.`, 'a value')
  }
  return checked
}

/** @throws Failure `invalid` for a name without a field */
export function checkNames(fields: readonly FieldDefinition[], names: readonly string[], at: string, of = ''): void {
  const known = new Set(fields.map(({ name }) => name))
  const unknown = names.find((name) => !known.has(name))
  if (unknown === undefined) return
  const field = `${at}.${unknown}`.slice(0, 200).toWellFormed()
  throw invalid(
    field,
    `There is no field ${JSON.stringify(field)}${of}.`,
    known.size === 0 ? 'no fields' : `of ${[...known].join(', ')}`,
  )
}

/** True if the values of a field are texts, which can be changed in part. */
export const isText = ({ kind }: FieldDefinition): boolean => kindRows[kind].edited === true

/** True if a stored value can be shown as a value of this field. */
export function holdsValue(field: FieldDefinition, value: unknown): boolean {
  const { holds } = kindRows[field.kind]
  if (field.many !== true) return holds(value, field)
  return Array.isArray(value) && value.every((one) => holds(one, field))
}

/** The use of a field by lists; undefined if the kind has none, or if the owner has not marked the field `filter`. */
export const listUseOf = ({ kind, filter, many }: FieldDefinition): KindInList | undefined =>
  filter === true && many !== true ? kindRows[kind].list : undefined
