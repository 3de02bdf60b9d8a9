// The form of one field of a type, and the definition from what was filled in.

import { customKinds, type CustomKind, type FieldDefinition } from '../../content/field-definition.ts'
import { attribute, html, type Html, raw } from '../../doors/html.ts'
import { Failure } from '../../failure.ts'
import type { Fields } from '../form.ts'

const kindWords: Readonly<Record<CustomKind, string>> = {
  text: 'Text',
  markdown: 'Markdown',
  number: 'Number',
  boolean: 'Yes or no',
  date: 'Date',
  datetime: 'Date and time',
  choice: 'Choice',
  url: 'Web address',
  email: 'E-mail address',
  media: 'File of the media library',
  entry: 'Entry',
  term: 'Term',
  group: 'Group of fields',
  json: 'JSON',
}

export const kindName = ({ kind, many }: FieldDefinition): string => kindWords[kind] + (many ? ', several' : '')

/** The inputs of a field. Several such forms are on one page, so labels hold their inputs. @param field undefined for a new one */
export function fieldInputs(field: FieldDefinition | undefined, fields: Fields | undefined): Html {
  const value = (name: string, stored: string | undefined) => fields?.get(name) ?? stored ?? ''
  const line = (name: string, label: string, stored: string | undefined, help = '') =>
    html`<label class="line"
      >${label} <input name="${name}" value="${value(name, stored)}" maxlength="500" autocomplete="off" /><small
        >${help}</small
      ></label
    >`
  const area = (name: string, label: string, stored: string | undefined, help: string) =>
    html`<label class="line"
      >${label} <textarea name="${name}" rows="3">${raw('\n')}${value(name, stored)}</textarea><small>${help}</small></label
    >`
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
    (kind) => html`<option value="${kind}" ${fields?.get('kind') === kind ? raw('selected') : ''}>${kindWords[kind]}</option>`,
  )
  return html`<div class="two">
      ${line('name', 'Name', field?.name, 'Lower-case letters, digits and underscores. A new name keeps the values.')}
      ${
        field
          ? html`<p>${kindName(field)}<br /><small>A field keeps its kind, because entries have values of it.</small></p>`
          : html`<label class="line"
              >Kind
              <select name="kind">
                ${kinds}
              </select></label
            >`
      }
      ${line('label', 'Label', field?.label)} ${line('help', 'Help', field?.help, 'A sentence for whoever fills it in.')}
      ${line('default', 'Default', defaultText(field), 'The value of new entries.')}
      ${!field || typeof field.of === 'string' || field.kind === 'entry' || field.kind === 'term' ? line('of', 'Of', typeof field?.of === 'string' ? field.of : undefined, 'Of an entry: its type. Of a term: its taxonomy.') : ''}
    </div>
    ${(!field || field.kind === 'choice') && area('options', 'Options', field?.options?.join('\n'), 'Of a choice: one a line.')}
    ${(!field || field.kind === 'group') && area('fields', 'Fields of the group', field && JSON.stringify(field.of, undefined, 2), 'As JSON, such as [{"name": "street", "kind": "text"}].')}
    ${box('required', 'Needed to publish', field?.required)}
    ${box('filter', 'Lists can be filtered and sorted by it', field?.filter)}
    ${!field && box('many', 'Several values', undefined)}`
}

function defaultText(field: FieldDefinition | undefined): string | undefined {
  const value = field?.default
  if (value === undefined || value === null) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The definition that a form has. @throws Failure `invalid` for JSON that is none */
export function definitionFrom(before: FieldDefinition | undefined, fields: Fields): FieldDefinition {
  const [name = '', label, help, of] = ['name', 'label', 'help', 'of'].map((one) => fields.get(one).trim())
  const kind = before?.kind ?? (fields.get('kind') as CustomKind)
  const many = before ? before.many === true : fields.has('many')
  const options = fields
    .get('options')
    .split('\n')
    .map((one) => one.trim())
    .filter(Boolean)
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

/** Numbers, lists and the like are JSON; everything else is the text as it was written. */
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
