// The column `fields` of an entry: the values of the fields that its type defines, as JSON. The column may also have values of
// fields that were removed, or that belong to an earlier type of the entry. They stay stored but are not shown.

import type { JsonObject } from '../../base/json.ts'
import { Failure } from '../../base/failure.ts'
import type { EntryType } from './entry-types.ts'
import { checkNames, checkValue, holdsValue, type ValueContext } from './field-kinds.ts'

/** All values of a column, for any type. */
export const storedValues = (column: string): JsonObject => (column === '{}' ? {} : (JSON.parse(column) as JsonObject))

/** A column with these values. Names are sorted, so that equal values are equal texts. */
export function toColumn(values: JsonObject): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null)
  return JSON.stringify(Object.fromEntries(given.sort(([a], [b]) => (a < b ? -1 : 1))))
}

/** The values of an entry as answers show them: every field of its type, null for a field without a value. */
export function shownValues(column: string, { fields }: Pick<EntryType, 'fields'>): Record<string, unknown> {
  const values = storedValues(column)
  return Object.fromEntries(
    fields.map((field) => {
      const value = Object.hasOwn(values, field.name) ? values[field.name] : null
      return [field.name, value !== null && holdsValue(field, value) ? value : null]
    }),
  )
}

/**
 * The column after a caller has sent values. Null clears the values of all fields.
 * @throws Failure `invalid`, naming the field
 */
export async function mergeValues(
  given: JsonObject | null,
  stored: string,
  type: Pick<EntryType, 'fields' | 'slug'>,
  context: ValueContext,
): Promise<string> {
  const values = new Map(Object.entries(storedValues(stored)))
  if (given !== null) checkNames(type.fields, Object.keys(given), 'fields', ` of the type ${type.slug}`)
  for (const field of type.fields) {
    const value = given === null ? null : Object.hasOwn(given, field.name) ? given[field.name] : undefined
    if (value === undefined) continue
    if (value === null) values.delete(field.name)
    else values.set(field.name, await checkValue(field, value, `fields.${field.name}`, context))
  }
  return toColumn(Object.fromEntries(values))
}

/** The column with the defaults of the fields that have no value. */
export function withDefaults(column: string, { fields }: Pick<EntryType, 'fields'>): string {
  const defaults = fields.filter((field) => field.default !== undefined && field.default !== null)
  if (defaults.length === 0) return column
  const values = storedValues(column)
  const missing = defaults.filter(({ name }) => !Object.hasOwn(values, name))
  if (missing.length === 0) return column
  return toColumn({ ...values, ...Object.fromEntries(missing.map((field) => [field.name, field.default])) })
}

/**
 * Checks that every required field has a value. An entry needs them to be published or scheduled.
 * @throws Failure `invalid`, naming the field
 */
export function checkRequired(column: string, type: Pick<EntryType, 'fields' | 'slug'>): void {
  if (!type.fields.some(({ required }) => required)) return
  const shown = shownValues(column, type)
  const missing = type.fields.find(({ name, required }) => required === true && isEmpty(shown[name]))
  if (!missing) return
  const field = `fields.${missing.name}`
  throw new Failure('invalid', `"${field}" needs a value before the entry is published.`, {
    field,
    expected: 'a value',
    hint: `SVC_Types.get shows the fields of the type ${type.slug}. A draft may lack it.`,
  })
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
