// `select`: the fields to return of each object in an answer. Dots separate nested fields.

import { cutText } from '../../base/cut-text.ts'
import { type Failure, invalid } from '../../base/failure.ts'
import { isObject } from '../../base/json.ts'

type Thing = Readonly<Record<string, unknown>>

/**
 * Parses the option: a list, or one text with commas.
 * @throws Failure `invalid` for anything else
 */
export function readSelect(option: unknown): readonly string[] | undefined {
  if (option === undefined) return undefined
  const fields = typeof option === 'string' ? option.split(',').map((field) => field.trim()) : option
  const good =
    Array.isArray(fields) &&
    fields.length > 0 &&
    fields.length <= 50 &&
    fields.every((field) => typeof field === 'string' && field !== '')
  if (good) return fields as string[]
  throw invalid('select', '"select" must be a list of 1 to 50 field names.', 'a list of field names')
}

/**
 * Returns an answer whose objects have only the selected fields. The objects are those in `items`, else `item`, else the answer
 * itself.
 */
export function project(data: Thing, fields: readonly string[]): Thing {
  if (Array.isArray(data['items']))
    return { ...data, items: (data['items'] as Thing[]).map((thing) => pickFields(thing, fields)) }
  if (isObject(data['item'])) return { ...data, item: pickFields(data['item'], fields) }
  return pickFields(data, fields)
}

function pickFields(thing: Thing, fields: readonly string[]): Thing {
  const picked = bare()
  for (const field of fields) place(picked, thing, field.split('.'), field)
  return picked
}

/** Returns an object without a prototype, because a member of an answer may have any name. */
const bare = () => Object.create(null) as Record<string, unknown>

function place(target: Record<string, unknown>, source: Thing, [key = '', ...rest]: readonly string[], asked: string): void {
  if (!Object.hasOwn(source, key)) throw noField(asked, source)
  const value = source[key]
  if (rest.length === 0 || value === null || value === undefined) target[key] = value ?? null
  else if (Array.isArray(value)) target[key] = placeEach(target[key], value, rest, asked)
  else if (isObject(value)) place((target[key] = partOf(target[key], value)), value, rest, asked)
  else throw noField(asked, {})
}

/** Places a field of each item of a nested list. */
function placeEach(before: unknown, values: readonly unknown[], rest: readonly string[], asked: string): readonly unknown[] {
  return values.map((value, at) => {
    if (!isObject(value)) throw noField(asked, {})
    const part = partOf(Array.isArray(before) ? before[at] : undefined, value)
    place(part, value, rest, asked)
    return part
  })
}

/** Returns the part of an object that is selected so far. If the whole object was selected, further fields go into a copy. */
const partOf = (picked: unknown, source: unknown): Record<string, unknown> =>
  picked === source ? Object.assign(bare(), picked) : ((picked ?? bare()) as Record<string, unknown>)

function noField(asked: string, source: Thing): Failure {
  const there = Object.keys(source)
  const name = cutText(asked, 80)
  return invalid(
    'select',
    `There is no field ${JSON.stringify(name)} to select.`,
    there.length > 0 ? `of ${there.slice(0, 100).join(', ')}` : 'a field without dots: there is nothing inside it',
  )
}
