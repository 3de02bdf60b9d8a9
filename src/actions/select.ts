// `select`: the fields that a caller wants of each thing in an answer; dots reach inside (ACTIONS.md "Calling", "Lists").

import { Failure } from '../failure.ts'

type Thing = Readonly<Record<string, unknown>>

/**
 * The option as it came, a list or one text with commas.
 * @throws Failure `invalid` for anything else
 */
export function parseSelect(option: unknown): readonly string[] | undefined {
  if (option === undefined) return undefined
  const fields = typeof option === 'string' ? option.split(',').map((field) => field.trim()) : option
  const good =
    Array.isArray(fields) &&
    fields.length > 0 &&
    fields.length <= 50 &&
    fields.every((field) => typeof field === 'string' && field !== '')
  if (good) return fields as string[]
  throw new Failure('invalid', '"select" must be a list of 1 to 50 field names.', {
    field: 'select',
    expected: 'a list of field names',
  })
}

/** An answer with only the selected fields of its things: those in `items`, else `item`, else the answer itself. */
export function project(data: Thing, fields: readonly string[]): Thing {
  if (Array.isArray(data['items']))
    return { ...data, items: (data['items'] as Thing[]).map((thing) => pickFields(thing, fields)) }
  if (isThing(data['item'])) return { ...data, item: pickFields(data['item'], fields) }
  return pickFields(data, fields)
}

function pickFields(thing: Thing, fields: readonly string[]): Thing {
  const picked: Record<string, unknown> = {}
  for (const field of fields) place(picked, thing, field.split('.'), field)
  return picked
}

function place(target: Record<string, unknown>, source: Thing, [key = '', ...rest]: readonly string[], asked: string): void {
  if (!Object.hasOwn(source, key)) {
    const expected = Object.keys(source)
    throw new Failure('invalid', `There is no field ${JSON.stringify(asked)} to select.`, {
      field: 'select',
      expected: `of ${expected.join(', ')}`,
    })
  }
  const value = source[key]
  if (rest.length === 0 || !isThing(value)) target[key] = rest.length === 0 ? value : null
  else place((target[key] ??= {}) as Record<string, unknown>, value, rest, asked)
}

const isThing = (value: unknown): value is Thing => value !== null && typeof value === 'object' && !Array.isArray(value)
