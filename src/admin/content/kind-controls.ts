// The control for each kind of field that the owner can add to a type, and the conversion between its value and the text of the
// form.

import type { CustomKind, FieldDefinition } from '../../content/types/field-definition.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import { partsOf } from '../form.ts'
import type { MessageKey, Words } from '../words.ts'
import { controlText, controlTime } from '../parts/control-text.ts'
import { areaField, checkField, selectField, textField } from '../parts/fields.ts'

/** The data for a control. */
interface Shown {
  readonly name: string
  readonly value: string
  readonly fault: string | undefined
  readonly t: Words
}

interface KindControl {
  control(field: FieldDefinition, shown: Shown): Html
  /** The text of the form for a value. */
  toText(value: unknown, timeZone: string): string
  /** The value for the action. A text that is not a valid value is passed on, and the action says what it expects. */
  toValue(text: string): unknown
}

const same = (text: string): unknown => text

const line = (type: 'text' | 'date' | 'datetime-local' | 'number', hint?: MessageKey): KindControl => ({
  control: (field, shown) => textField({ ...about(field, shown.t, hint), ...shown, type }),
  toText: controlText,
  toValue: same,
})

const area = (rows: number, hint?: MessageKey): KindControl => ({
  control: (field, shown) => areaField({ ...about(field, shown.t, hint), ...shown, rows }),
  toText: controlText,
  toValue: same,
})

const json: KindControl = {
  ...area(6, 'content.json_help'),
  toText: (value) => JSON.stringify(value, undefined, 2),
  toValue: parsed,
}

const controls: Readonly<Record<CustomKind, KindControl>> = {
  text: line('text'),
  markdown: area(8, 'content.text_help'),
  number: {
    ...line('text'),
    toValue: (text) => (text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)),
  },
  boolean: {
    control: (field, shown) => checkField({ ...about(field, shown.t), ...shown }),
    toText: (value) => (value === true ? 'yes' : ''),
    toValue: (text) => text === 'yes',
  },
  date: line('date'),
  datetime: {
    ...line('datetime-local', 'content.zone_help'),
    toText: controlTime,
  },
  choice: {
    ...line('text'),
    control(field, shown) {
      const choices = [{ value: '', label: '–' }, ...(field.options ?? []).map((value) => ({ value, label: value }))]
      return selectField({ ...about(field, shown.t), ...shown, choices })
    },
  },
  url: line('text', 'content.url_help'),
  email: line('text'),
  media: line('text'),
  entry: line('text'),
  term: line('text'),
  group: {
    ...json,
    control: (field, shown) =>
      areaField({ ...about(field, shown.t), help: helpOf(field, shown.t, groupHint(field, shown.t)), ...shown, rows: 6 }),
  },
  json,
}

const referenceHints: Readonly<Partial<Record<CustomKind, MessageKey>>> = {
  media: 'content.media_help',
  entry: 'content.entry_help',
  term: 'content.term_help',
}

/** The label and help of a reference field. */
export function aboutReference(t: Words, field: FieldDefinition): { readonly label: string; readonly help: HtmlValue } {
  const { label, help } = about(field, t, referenceHints[field.kind])
  return { label, help: field.many === true ? html`${help} ${t('content.per_line')}` : help }
}

const groupHint = ({ of }: FieldDefinition, t: Words): string =>
  t('content.group_help', {
    names: Array.isArray(of) ? (of as FieldDefinition[]).map(({ name }) => name).join(', ') : t('content.group_own_fields'),
  })

const about = (field: FieldDefinition, t: Words, hint?: MessageKey): { label: string; help: HtmlValue; value: string } => ({
  label: field.label ?? field.name,
  help: helpOf(field, t, hint && t(hint)),
  value: '',
})

const helpOf = ({ help, required }: FieldDefinition, t: Words, hint: string | undefined): HtmlValue =>
  [help, hint, required === true && t('content.field_needed')].filter(Boolean).join(' ') || undefined

/** The kinds whose lists are written as JSON, because their values may have several lines. */
const asJson: ReadonlySet<CustomKind> = new Set(['markdown', 'group', 'json', 'boolean'])

/** The control of a field with `many`: a text with one value per line. */
const listOf = (field: FieldDefinition): KindControl => {
  if (asJson.has(field.kind))
    return { ...json, control: (one, shown) => areaField({ ...about(one, shown.t, 'content.json_list'), ...shown, rows: 6 }) }
  const one = controls[field.kind]
  return {
    ...area(4, 'content.per_line'),
    toText: (value, timeZone) => (Array.isArray(value) ? value.map((each) => one.toText(each, timeZone)).join('\n') : ''),
    toValue: (text) => partsOf(text, '\n').map((each) => one.toValue(each)),
  }
}

const controlOf = (field: FieldDefinition): KindControl => (field.many === true ? listOf(field) : controls[field.kind])

/** The name of a field in the form, and in failures. */
export const nameOfField = ({ name }: FieldDefinition): string => `fields.${name}`

export const fieldControl = (t: Words, field: FieldDefinition, value: string, fault: string | undefined): Html =>
  controlOf(field).control(field, { name: nameOfField(field), value, fault, t })

/** @returns `''` for no value */
export const textOfField = (field: FieldDefinition, value: unknown, timeZone: string): string =>
  value === null || value === undefined ? '' : controlOf(field).toText(value, timeZone)

/** @returns null if the field is empty. An unticked checkbox is `false`, because a person who sees a checkbox has answered it. */
export const valueOfField = (field: FieldDefinition, text: string): unknown =>
  text.trim() === '' && !(field.kind === 'boolean' && field.many !== true) ? null : controlOf(field).toValue(text)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
