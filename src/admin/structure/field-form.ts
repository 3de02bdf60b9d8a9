// The form of one field of a type, and the definition of the field from the form.

import { customKinds, type CustomKind, type FieldDefinition } from '../../content/types/field-definition.ts'
import { attribute, html, type Html, raw } from '../../doors/shared/html.ts'
import { Failure } from '../../base/failure.ts'
import { sentenceOf } from '../failure.ts'
import { type Fields, partsOf } from '../form.ts'
import { type Field, lineField, linesField } from '../parts/fields.ts'
import type { MessageKey, Words } from '../words.ts'

const kindWords: Readonly<Record<CustomKind, MessageKey>> = {
  text: 'structure.kind_text',
  markdown: 'structure.kind_markdown',
  number: 'structure.kind_number',
  boolean: 'structure.kind_boolean',
  date: 'structure.kind_date',
  datetime: 'structure.kind_datetime',
  choice: 'structure.kind_choice',
  url: 'structure.kind_url',
  email: 'structure.kind_email',
  media: 'structure.kind_media',
  entry: 'structure.kind_entry',
  term: 'structure.kind_term',
  group: 'structure.kind_group',
  json: 'structure.kind_json',
}

export const kindName = (t: Words, { kind, many }: FieldDefinition): string =>
  many ? t('structure.kind_many', { kind: t(kindWords[kind]) }) : t(kindWords[kind])

/** The state after a refused form of a field. */
export interface RefusedField {
  readonly fields: Fields
  readonly failure: Failure
}

/** The inputs whose names are also the names in the definition. */
const inputNames = ['name', 'label', 'help', 'default', 'options', 'of', 'fields']

/**
 * Returns the input that a failure is about; undefined for none. The list of fields is an argument, and so is each member of a
 * definition.
 */
export function inputOf({ detail: { field = '' } }: Failure): string | undefined {
  const [, member = field] = /^fields\.\d+\.(\w+)/.exec(field) ?? []
  const name = /^fields\.\d+\.of\./.test(field) ? 'fields' : member
  return inputNames.find((one) => one === name)
}

/** The inputs of a field. A page has several such forms, so labels contain their inputs. @param field undefined for a new field */
export function fieldInputs(t: Words, field: FieldDefinition | undefined, refused: RefusedField | undefined): Html {
  const fields = refused?.fields
  const filled = (name: string, label: string, stored: string | undefined, help?: string): Field => ({
    name,
    label,
    value: fields?.get(name) ?? stored,
    help,
    fault: refused && inputOf(refused.failure) === name ? sentenceOf(refused.failure, t) : undefined,
  })
  const line = (...about: Parameters<typeof filled>) => lineField(filled(...about), 500)
  const area = (...about: Parameters<typeof filled>) => linesField(filled(...about))
  const box = (name: string, label: string, stored: boolean | undefined) =>
    html`<label class="choice"
      ><input
        type="checkbox"
        name="${name}"
        value="yes"
        ${attribute('checked', (fields ? fields.has(name) : stored) ? '' : undefined)}
      />
      <span>${label}</span></label
    >`
  const kinds = customKinds.map(
    (kind) => html`<option value="${kind}" ${fields?.get('kind') === kind ? raw('selected') : ''}>${t(kindWords[kind])}</option>`,
  )
  return html`<div class="two">
      ${line('name', t('structure.name'), field?.name, t('structure.field_name_help'))}
      ${
        field
          ? html`<p>${kindName(t, field)}<br /><small>${t('structure.field_keeps_kind')}</small></p>`
          : html`<label class="line"
              >${t('structure.field_kind')}
              <select name="kind">
                ${kinds}
              </select></label
            >`
      }
      ${line('label', t('structure.label'), field?.label)}
      ${line('help', t('structure.field_help'), field?.help, t('structure.field_help_help'))}
      ${line('default', t('structure.field_default'), defaultText(field), t('structure.field_default_help'))}
      ${!field || typeof field.of === 'string' || field.kind === 'entry' || field.kind === 'term' ? line('of', t('structure.field_of'), typeof field?.of === 'string' ? field.of : undefined, t('structure.field_of_help')) : ''}
    </div>
    ${(!field || field.kind === 'choice') && area('options', t('structure.field_options'), field?.options?.join('\n'), t('structure.field_options_help'))}
    ${(!field || field.kind === 'group') && area('fields', t('structure.field_fields'), field && JSON.stringify(field.of, undefined, 2), t('structure.field_fields_help', { example: '[{"name": "street", "kind": "text"}]' }))}
    ${box('required', t('structure.field_required'), field?.required)}
    ${box('filter', t('structure.field_filter'), field?.filter)} ${!field && box('many', t('structure.field_many'), undefined)}`
}

function defaultText(field: FieldDefinition | undefined): string | undefined {
  const value = field?.default
  if (value === undefined || value === null) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Reads the definition from a form. @throws Failure `invalid` for invalid JSON */
export function definitionFrom(before: FieldDefinition | undefined, fields: Fields): FieldDefinition {
  const [name = '', label, help, of] = ['name', 'label', 'help', 'of'].map((one) => fields.get(one).trim())
  const kind = before?.kind ?? (fields.get('kind') as CustomKind)
  const many = before ? before.many === true : fields.has('many')
  const options = partsOf(fields.get('options'), '\n')
  const inner = fields.get('fields').trim()
  const start = fields.get('default').trim()
  return {
    name,
    kind,
    ...(label && { label }),
    ...(help && { help }),
    ...(fields.has('required') && { required: true }),
    ...(start !== '' && { default: defaultFrom(kind, many, start) }),
    ...(kind === 'choice' && options.length > 0 && { options }),
    ...(many && { many }),
    ...(kind === 'group' && inner !== '' ? { of: json(inner, 'fields') as readonly FieldDefinition[] } : of ? { of } : {}),
    ...(fields.has('filter') && { filter: true }),
  }
}

/** Reads a default value. Numbers, lists and the like are JSON; everything else is the text itself. */
function defaultFrom(kind: CustomKind, many: boolean, text: string): unknown {
  return many || ['number', 'boolean', 'group', 'json'].includes(kind) ? json(text, 'default') : text
}

function json(text: string, field: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure('invalid', `"${field}" is not JSON.`, { field, expected: 'JSON, such as 5, true or ["a", "b"]' })
  }
}
