// The fields of a form as rows to fill in, and the fields from what was filled in. Two rows are empty, for new fields; a row
// without a label is left out.

import type { AnswerOf } from '../../actions/call/call-action.ts'
import type { forms } from '../../actions/forms/index.ts'
import { fieldKinds } from '../../forms/form-fields.ts'
import { slugify } from '../../content/entries/slug.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import type { Fields } from '../form.ts'
import { checkField, linesField, selectField, textField } from '../parts/fields.ts'
import type { MessageKey, Words } from '../words.ts'

export type FormShown = AnswerOf<typeof forms.get.output>['item']
type FieldShown = FormShown['fields'][number]

const kindWords: Readonly<Record<FieldShown['kind'], MessageKey>> = {
  text: 'structure.kind_text',
  lines: 'structure.form_lines',
  email: 'structure.kind_email',
  phone: 'structure.form_phone',
  url: 'structure.kind_url',
  number: 'structure.kind_number',
  date: 'structure.kind_date',
  choice: 'structure.kind_choice',
  check: 'structure.form_check',
  files: 'structure.form_files',
}

const emptyRows = 2
const maxRows = 40

/** The rows. @param refused what was filled in, if the form was refused */
export function fieldRows(t: Words, item: FormShown, refused: Fields | undefined): readonly Html[] {
  const shown = item.fields.map((field) => field as FieldShown | undefined)
  const rows = [...shown, ...Array.from<undefined>({ length: emptyRows })]
  return rows.map((field, at) => {
    const name = (part: string) => `f${at}_${part}`
    const value = (part: string, stored: string) => refused?.get(name(part)) ?? stored
    return html`<details ${field === undefined && at === item.fields.length && 'open'}>
      <summary>${field ? field.label : t('structure.form_new_field')}</summary>
      <input type="hidden" name="${name('name')}" value="${field?.name ?? ''}" />
      ${textField({ name: name('label'), label: t('structure.form_label'), value: value('label', field?.label ?? ''), help: field && t('structure.form_label_help') })}
      ${selectField({
        name: name('kind'),
        label: t('structure.form_kind'),
        value: value('kind', field?.kind ?? 'text'),
        choices: fieldKinds.map((kind) => ({ value: kind, label: t(kindWords[kind]) })),
      })}
      ${linesField({ name: name('choices'), label: t('structure.form_choices'), value: value('choices', field?.choices.join('\n') ?? ''), help: t('structure.form_choices_help') })}
      ${textField({ name: name('help'), label: t('structure.form_help'), value: value('help', field?.help ?? '') })}
      ${checkField({ name: name('required'), label: t('structure.form_required'), value: value('required', field?.required ? 'yes' : '') })}
    </details>`
  })
}

/** The fields of the action from the rows. */
export function fieldsIn(fields: Fields) {
  const taken = new Set<string>()
  return Array.from({ length: maxRows }, (_, at) => at).flatMap((at) => {
    const part = (name: string) => fields.get(`f${at}_${name}`).trim()
    const label = part('label')
    if (label === '') return []
    const name = freeName(part('name') || nameOf(label), taken)
    taken.add(name)
    const kind = fieldKinds.find((one) => one === part('kind')) ?? 'text'
    const choices = part('choices')
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '')
    return [
      {
        name,
        label,
        kind,
        required: part('required') === 'yes',
        ...(part('help') !== '' && { help: part('help') }),
        ...(kind === 'choice' && { choices }),
      },
    ]
  })
}

/** A name of lower-case letters, digits and `_`. */
const nameOf = (label: string): string => {
  const name = slugify(label)
    .replaceAll('-', '_')
    .replace(/[^a-z0-9_]/g, '')
    .slice(0, 38)
  return /^[a-z]/.test(name) && name !== 'do' ? name : 'field'
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${name}_${number}`
  return free
}
