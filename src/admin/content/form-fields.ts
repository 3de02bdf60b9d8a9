// The fields of the editor's form: the fields of every entry, made from the table of fields, and the fields of the entry's type.
// Each converts between the value of the entry and the texts of the form.

import type { FormPanel } from '../../content/types/entry-field.ts'
import type { EntryType } from '../../content/types/entry-types.ts'
import type { FieldDefinition } from '../../content/types/field-definition.ts'
import type { HtmlValue } from '../../doors/shared/html.ts'
import { formRows, type FormRow, wordsOfField } from '../parts/field-names.ts'
import { type EditedEntry, isLive, isNew } from './edited-entry.ts'
import { entryControls } from './entry-controls.ts'
import { faultOf, type FormParts, textIn } from './form-parts.ts'
import { aboutReference, fieldControl, nameOfField, textOfField, valueOfField } from './kind-controls.ts'
import { referenceField, type ReferenceSpec } from './reference-field.ts'
import { isReferenceName } from './references.ts'

export interface FormField {
  /** The name that failures use: `seo.title`, `fields.price`. */
  readonly name: string
  readonly panel: FormPanel
  /** Set if the field refers to an object. */
  readonly reference?: ReferenceSpec | undefined
  /** True if a browser sends nothing for an empty field, because it is a checkbox. */
  readonly isBox: boolean
  /** Several texts if the field has several checkboxes. */
  textsOf(item: EditedEntry, timeZone: string): readonly string[]
  /** The value for the action. A text that is not a valid value is passed on, and the action says what it expects. */
  valueOf(texts: readonly string[]): unknown
  /** The ids of the referenced objects. */
  idsIn(item: EditedEntry): readonly string[]
  /** Undefined if the entry does not have such a field at present. */
  markup(parts: FormParts): HtmlValue
}

export const formFields = (type: EntryType): readonly FormField[] => [
  ...formRows.filter(({ hierarchical }) => type.hierarchical || !hierarchical).map((row) => entryField(row, type)),
  ...type.fields.map(typeField),
]

function entryField(row: FormRow, type: EntryType): FormField {
  const { name, panel, nullable } = row
  const control = entryControls[row.control]
  return {
    name,
    panel,
    reference: control.reference && { kind: control.reference, of: row.hierarchical ? type.slug : undefined },
    isBox: control.isBox === true,
    textsOf: (item, timeZone) => control.toTexts(valueAt(item, name), { timeZone, refs: item.refs }).map(lines),
    valueOf: (texts) => (nullable && !control.isBox && texts.join('').trim() === '' ? null : control.toValue(texts)),
    idsIn: (item) => [valueAt(item, name)].filter((one) => typeof one === 'string'),
    markup(parts) {
      const { values, visit } = parts
      const { required = false } = row
      // A new entry begins with its title.
      const autofocus = name === 'title' && isNew(parts.item) && parts.failure === undefined
      const words = wordsOfField(visit.t, row, isLive(parts.item))
      const field = { name, ...words, required, value: textIn(values, name), ...(autofocus && { autofocus }) }
      return control.markup({ ...field, fault: faultOf(visit.t, parts, name) }, parts)
    },
  }
}

function typeField(field: FieldDefinition): FormField {
  const name = nameOfField(field)
  const { kind, many = false, of } = field
  const reference = isReferenceName(kind)
  return {
    name,
    panel: 'text',
    reference: reference ? { kind, many, of: typeof of === 'string' ? of : undefined } : undefined,
    isBox: true,
    textsOf(item, timeZone) {
      const text = textOfField(field, withNames(item.fields[field.name], item.refs), timeZone)
      return text === '' && kind === 'boolean' && !many ? [] : [lines(text)]
    },
    valueOf: ([text = '']) => valueOfField(field, text),
    idsIn: (item) => [item.fields[field.name]].flat().filter((one) => typeof one === 'string'),
    markup(parts) {
      const { t } = parts.visit
      const [value, fault] = [textIn(parts.values, name), faultOf(t, parts, name)]
      if (!reference) return fieldControl(t, field, value, fault)
      return referenceField(t, { name, ...aboutReference(t, field), value, fault }, parts.references)
    },
  }
}

/** The specification of each reference field. */
export const referenceSpecs = (type: EntryType): ReadonlyMap<string, ReferenceSpec> =>
  new Map(formFields(type).flatMap(({ name, reference }) => (reference ? [[name, reference] as const] : [])))

/** @param name with dots between members */
const valueAt = (item: object, name: string): unknown =>
  name.split('.').reduce<unknown>((value, member) => (value as Readonly<Record<string, unknown>>)[member], item)

/** Returns a value with names in place of ids. */
function withNames(value: unknown, named: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((one) => withNames(one, named))
  return typeof value === 'string' ? (named.get(value) ?? value) : value
}

const lines = (text: string): string => text.replace(/\r\n?/g, '\n')
