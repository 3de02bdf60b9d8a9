// The control for each kind of field that the owner has added to a type, and the way between its value and the text of the form.

import { formatInTimeZone } from 'date-fns-tz'
import type { CustomKind, FieldDefinition } from '../../content/field-definition.ts'
import { html, type Html, type HtmlValue } from '../../doors/html.ts'
import { areaField, checkField, selectField, textField } from '../parts/fields.ts'

/** What a control shows. */
interface Shown {
  readonly name: string
  readonly value: string
  readonly fault: string | undefined
}

interface KindControl {
  control(field: FieldDefinition, shown: Shown): Html
  /** The text of the form for a value. */
  toText(value: unknown, timeZone: string): string
  /** The value that an action is given. A text that can't be one goes as it is, and the action says what would be right. */
  toValue(text: string): unknown
}

const asText = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
const same = (text: string): unknown => text

const line = (type: 'text' | 'date' | 'datetime-local' | 'number', hint?: string): KindControl => ({
  control: (field, shown) => textField({ ...about(field, hint), ...shown, type }),
  toText: asText,
  toValue: same,
})

const area = (rows: number, hint?: string): KindControl => ({
  control: (field, shown) => areaField({ ...about(field, hint), ...shown, rows }),
  toText: asText,
  toValue: same,
})

const json: KindControl = {
  ...area(6, 'JSON.'),
  toText: (value) => JSON.stringify(value, undefined, 2),
  toValue: parsed,
}

const controls: Readonly<Record<CustomKind, KindControl>> = {
  text: line('text'),
  markdown: area(8, 'Markdown.'),
  number: {
    ...line('text'),
    toValue: (text) => (text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)),
  },
  boolean: {
    control: (field, { name, value }) => checkField({ ...about(field), name, value }),
    toText: (value) => (value === true ? 'yes' : ''),
    toValue: (text) => text === 'yes',
  },
  date: line('date'),
  datetime: {
    ...line('datetime-local', "In the site's time zone."),
    toText: (value, timeZone) => (typeof value === 'string' ? formatInTimeZone(value, timeZone, "yyyy-MM-dd'T'HH:mm") : ''),
  },
  choice: {
    ...line('text'),
    control(field, shown) {
      const choices = [{ value: '', label: '–' }, ...(field.options ?? []).map((value) => ({ value, label: value }))]
      return selectField({ ...about(field), ...shown, groups: new Map([['', choices]]) })
    },
  },
  url: line('text', 'https://…, mailto:…, tel:… or a path of this site.'),
  email: line('text'),
  media: line('text', 'Path of a file in the media library, such as /media/team.jpg.'),
  entry: line('text', 'Path of an entry, such as /about.'),
  term: line('text', 'A term, such as tag/news.'),
  group: { ...json, control: (field, shown) => areaField({ ...about(field, groupHint(field)), ...shown, rows: 6 }) },
  json,
}

const groupHint = ({ of }: FieldDefinition): string =>
  `JSON: an object with ${Array.isArray(of) ? (of as FieldDefinition[]).map(({ name }) => name).join(', ') : 'its fields'}.`

const about = (
  { label, name, help, required }: FieldDefinition,
  hint?: string,
): { label: string; help: HtmlValue; value: string } => ({
  label: label ?? name,
  help: [help, hint, required === true && 'It is needed to publish.'].filter(Boolean).join(' ') || undefined,
  value: '',
})

/** Kinds whose lists are written as JSON, because their values have lines of their own. */
const asJson: ReadonlySet<CustomKind> = new Set(['markdown', 'group', 'json', 'boolean'])

/** A field with `many` is a text with one value per line. */
const listOf = (field: FieldDefinition): KindControl => {
  if (asJson.has(field.kind))
    return { ...json, control: (one, shown) => areaField({ ...about(one, 'JSON: a list.'), ...shown, rows: 6 }) }
  const one = controls[field.kind]
  return {
    ...area(4, 'One per line.'),
    toText: (value, timeZone) => (Array.isArray(value) ? value.map((each) => one.toText(each, timeZone)).join('\n') : ''),
    toValue: (text) =>
      text
        .split('\n')
        .map((each) => each.trim())
        .filter((each) => each !== '')
        .map((each) => one.toValue(each)),
  }
}

const controlOf = (field: FieldDefinition): KindControl => (field.many === true ? listOf(field) : controls[field.kind])

/** The name of a field in the form, and in failures. */
export const nameOfField = ({ name }: FieldDefinition): string => `fields.${name}`

export const fieldControl = (field: FieldDefinition, value: string, fault: string | undefined): Html =>
  html`${controlOf(field).control(field, { name: nameOfField(field), value, fault })}${
    fault !== undefined && field.kind === 'boolean' && html`<p class="fault">${fault}</p>`
  }`

/** @returns `''` for no value */
export const textOfField = (field: FieldDefinition, value: unknown, timeZone: string): string =>
  value === null || value === undefined ? '' : controlOf(field).toText(value, timeZone)

/** @returns null where the field is empty. An unticked box is `false`, because a person who sees a box has answered it. */
export const valueOfField = (field: FieldDefinition, text: string): unknown =>
  text.trim() === '' && !(field.kind === 'boolean' && field.many !== true) ? null : controlOf(field).toValue(text)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
