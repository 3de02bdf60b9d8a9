// The fields of an entry that have a value, with their labels, in the order of the type: for themes that show any type.

import type { FieldDefinition } from '../../../content/types/field-definition.ts'
import { isObject } from '../../../base/json.ts'
import type { ThemeDetail } from '../../../themes/contract.ts'
/** The kinds that are left out. JSON is for programs. */
const hidden: ReadonlySet<string> = new Set(['json'])

/** @param values in the form for templates. The definitions limit the numbers of fields, values and characters. */
export function detailsOf(fields: readonly FieldDefinition[], values: Readonly<Record<string, unknown>>): readonly ThemeDetail[] {
  return fields.flatMap((field): readonly ThemeDetail[] => {
    const { name, label = name, kind } = field
    if (hidden.has(kind)) return []
    const given = [values[name]].flat().filter(hasContent)
    const shown = kind === 'group' ? given.map((value) => groupOf(field, value)).filter((group) => group.length > 0) : given
    return shown.length === 0 ? [] : [{ name, label, kind, values: shown }]
  })
}

const groupOf = ({ of }: FieldDefinition, value: unknown): readonly ThemeDetail[] =>
  typeof of === 'object' && isObject(value) ? detailsOf(of, value) : []

/** `false` and 0 are values. Empty texts are not. */
function hasContent(value: unknown): boolean {
  if (value === null || value === undefined) return false
  const text = isObject(value) && 'markup' in value ? value['markup'] : value
  return typeof text !== 'string' || text.trim() !== ''
}
