// The values of an entry in the editor's form: texts by the names of the form. Only the fields that differ from the entry count as
// changed. A field that nobody touched is never written, so a change by another person to such a field is preserved.

import type { EntryType } from '../../content/types/entry-types.ts'
import { type Fields, partsOf } from '../form.ts'
import type { EditedEntry } from './edited-entry.ts'
import { formFields } from './form-fields.ts'
import type { Values } from './form-parts.ts'

export const valuesOf = (item: EditedEntry, type: EntryType, timeZone: string): Values =>
  new Map(formFields(type).map(({ name, textsOf }) => [name, textsOf(item, timeZone)]))

/**
 * Reads the values that were filled in. A name that the form did not have gets the value of the entry; `shown` has the names whose
 * checkboxes may all be empty. An entry always has a slug: an empty field leaves it unchanged, and a new entry gets one from its
 * title.
 */
export function filledIn(fields: Fields, item: Values): Values {
  const shown = new Set(fields.get('shown').split(' '))
  return new Map(
    [...item].map(([name, before]) => {
      if (name === 'terms' && shown.has(name)) return [name, [...new Set([...fields.all(name), ...typedTerms(fields)])]]
      if (fields.has(name)) return [name, fields.get(name).trim() === '' && name === 'slug' ? before : [fields.get(name)]]
      return [name, shown.has(name) ? [] : before]
    }),
  )
}

/** The terms that were typed. A name without a taxonomy is a tag. */
export const typedTerms = (fields: Fields): readonly string[] =>
  partsOf(fields.get('more_terms'), /[,\n]/).map((name) => (name.includes('/') ? name : `tag/${name}`))

export const changedNames = (before: Values, after: Values): readonly string[] =>
  [...after.keys()].filter((name) => !isEqual(before.get(name) ?? [], after.get(name) ?? []))

const isEqual = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && [...a].sort().join('\u0000') === [...b].sort().join('\u0000')

/** The arguments that give an entry these values. */
export function inputOf(values: Values, names: readonly string[], type: EntryType): Readonly<Record<string, unknown>> {
  const input: Record<string, unknown> = {}
  for (const { name, valueOf } of formFields(type)) {
    if (!names.includes(name)) continue
    const [field = '', member] = name.split('.', 2)
    const value = valueOf(values.get(name) ?? [])
    input[field] = member === undefined ? value : { ...(input[field] as object | undefined), [member]: value }
  }
  return input
}
