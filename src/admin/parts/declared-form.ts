// A form that is declared next to the action that takes it: a row for each field. The rows make the controls with their values and
// faults, and `form-input.ts` reads the input of the action back from them.

import type { TObject } from 'typebox'
import type { ActionHandle } from '../../actions/call/call-action.ts'
import { attribute, html, type Html, type HtmlValue, raw } from '../../doors/shared/html.ts'
import type { Refused } from '../framed-reply.ts'
import type { Fields } from '../form.ts'
import type { SignedIn } from '../visit.ts'
import { isMessage, type MessageKey, type Words } from '../words.ts'
import { controlText } from './control-text.ts'
import {
  areaField,
  boxesField,
  checkField,
  type Choice,
  type Field,
  lineField,
  radioField,
  selectField,
  textField,
} from './fields.ts'
import { panel } from './panel.ts'
import { faultsOf, postForm, type PostForm } from './post-form.ts'

/** The look of a field, and how its text is read. */
type Control = 'text' | 'email' | 'date' | 'number' | 'line' | 'area' | 'exact' | 'code' | 'select' | 'radio' | 'box' | 'boxes'

/** A field of a form. */
export interface DeclaredField {
  /** The argument of the action, and the name of the control. */
  readonly name: string
  /** The names in failures, if they are others: `item.url`. */
  readonly at?: string | readonly string[]
  readonly control?: Control
  readonly label: MessageKey
  readonly help?: MessageKey | ((t: Words) => HtmlValue)
  /** A message, or an example that is the same in all languages. */
  readonly placeholder?: string
  readonly required?: boolean
  /** The value of a new object. */
  readonly blank?: string
  /** The number of lines. */
  readonly rows?: number
  readonly autocomplete?: string
  readonly autofocus?: boolean
  /** The field from whose text the value is made if this one stays empty: the slug from the name. */
  readonly madeFrom?: string
}

/** Rows that most people leave alone. They open by a click, and are open if one of them was refused. */
interface FoldedRows {
  readonly folded: MessageKey
  readonly rows: readonly DeclaredField[]
}

/** Rows in the order of the form, and headings between them. Rows in a list of their own stand side by side. */
export type FormRows = readonly (DeclaredField | readonly DeclaredField[] | FoldedRows | { readonly heading: MessageKey })[]

/** The rows without their layout. */
export const fieldsIn = (rows: FormRows): readonly DeclaredField[] =>
  rows.flatMap((row) => ('folded' in row ? row.rows : row)).filter((row) => 'name' in row)

export interface DeclaredForm<I extends TObject, O extends TObject> {
  readonly action: ActionHandle<I, O>
  /** A path of `adminPaths`. */
  readonly path: string
  /** The purpose in the token; by default the path. */
  readonly purpose?: string
  /** The value of the hidden field `do`, for a page with several forms. */
  readonly does?: string
  readonly rows: FormRows
  readonly button: MessageKey
  /** True for a form beside others, whose button is not the main one of the page. */
  readonly aside?: boolean
  /** The values that a made one must not have, if the action itself does not refuse them. */
  taken?(visit: SignedIn): Promise<readonly string[]>
}

/** Declares a form, with the types of its action. */
export const declareForm = <I extends TObject, O extends TObject>(
  action: ActionHandle<I, O>,
  about: Omit<DeclaredForm<I, O>, 'action' | 'rows'>,
  rows: FormRows,
): DeclaredForm<I, O> => ({ ...about, action, rows })

/** The contents of a form. */
export interface Filling {
  /** The object to change; undefined for a form that adds one. */
  readonly item?: object | undefined
  /** The state of the page; only the form that was submitted shows its values and faults. */
  readonly refused?: Refused | undefined
  /** The choices of lists. A list without choices is not shown. */
  readonly choices?: Readonly<Record<string, readonly Choice[] | undefined>>
  /** The names of rows that this object does not have. */
  readonly without?: readonly string[]
}

interface FormParts extends Filling {
  readonly hidden?: PostForm['hidden']
  /** The query of the address of the form. */
  readonly query?: string
  readonly className?: string
  /** Markup between the fields and the button. */
  readonly last?: HtmlValue
}

/** The form in a part of the page with a heading. */
export const formPanel = <I extends TObject, O extends TObject>(
  visit: SignedIn,
  { id, title, form, ...parts }: FormParts & { readonly id: string; readonly title: string; readonly form: DeclaredForm<I, O> },
): Html => panel(id, title, declaredForm(visit, form, parts))

type AnyForm = Pick<DeclaredForm<TObject, TObject>, 'rows' | 'does'>

/** The whole form: hidden fields, controls and the button. */
export function declaredForm<I extends TObject, O extends TObject>(
  visit: SignedIn,
  form: DeclaredForm<I, O>,
  { query = '', hidden = {}, className, last, ...filling }: FormParts = {},
): Html {
  const { id, revision } = (filling.item ?? {}) as { readonly id?: string; readonly revision?: number }
  const shown = typedIn(form, filling.refused?.fields)?.get('revision') || revision
  const takesId = 'id' in form.action.input.properties
  return postForm(visit, {
    path: form.path + query,
    ...(form.purpose !== undefined && { purpose: form.purpose }),
    hidden: { do: form.does, ...(takesId && { id, revision: shown }), ...hidden },
    ...(className !== undefined && { className }),
    body: html`${controlsOf(visit.t, form, filling)} ${last}
      <p class="actions"><button ${attribute('class', form.aside ? undefined : 'primary')}>${visit.t(form.button)}</button></p>`,
  })
}

/** The controls of a form, in the layout of its rows. */
export function controlsOf(t: Words, form: AnyForm, { item, refused = {}, choices = {}, without = [] }: Filling): Html {
  const fields = typedIn(form, refused.fields)
  const names = fieldsIn(form.rows).flatMap(({ name, at = name }) => at)
  const faults = faultsOf(t, fields && refused.failure, names)
  const part = (row: FormRows[number]): HtmlValue =>
    'heading' in row
      ? html`<h2>${t(row.heading)}</h2>`
      : 'folded' in row
        ? folded(row)
        : 'name' in row
          ? control(row)
          : html`<div class="two">${row.map(control)}</div>`
  const folded = ({ folded: title, rows }: FoldedRows): Html => {
    const isOpen = rows.some(({ name, at = name }) => [at].flat().some((one) => faults.at(one) !== undefined))
    return html`<details class="folded" ${isOpen ? raw('open') : ''}>
      <summary>${t(title)}</summary>
      ${rows.map(control)}
    </details>`
  }
  const control = (row: DeclaredField): HtmlValue => {
    const { name, at = name, control: kind = 'text', label, help, placeholder, autocomplete, autofocus } = row
    if (without.includes(name) || (kind in lists && !choices[name])) return false
    const field: ShownField = {
      name,
      label: t(label),
      value: fields ? typedText(row, fields) : textOf(row, item),
      chosen: fields?.all(name) ?? listIn(item, name),
      help: typeof help === 'function' ? help(t) : help && t(help),
      fault: [at]
        .flat()
        .map(faults.at)
        .find((fault) => fault !== undefined),
      choices: choices[name] ?? [],
      ...(row.required && { required: true }),
      ...(row.rows !== undefined && { rows: row.rows }),
      ...(autocomplete !== undefined && { autocomplete }),
      ...(autofocus && { autofocus }),
      ...(placeholder !== undefined && { placeholder: isMessage(placeholder) ? t(placeholder) : placeholder }),
    }
    return controls[kind](field)
  }
  return html`${form.rows.map(part)}`
}

interface ShownField extends Field {
  readonly chosen: readonly string[]
  readonly choices: readonly Choice[]
}

const lists = { select: true, radio: true, boxes: true }

const controls: Readonly<Record<Control, (field: ShownField) => Html>> = {
  text: textField,
  email: (field) => textField({ ...field, type: 'email' }),
  date: (field) => textField({ ...field, type: 'date' }),
  number: (field) => textField({ ...field, type: 'number' }),
  line: (field) => lineField(field, 200),
  area: areaField,
  exact: areaField,
  code: (field) => areaField({ ...field, code: true }),
  select: selectField,
  radio: radioField,
  box: checkField,
  boxes: boxesField,
}

/** Returns the fields if they are those of this form: it has the same `do`, and one of them. */
const typedIn = ({ does = '', rows }: AnyForm, fields: Fields | undefined): Fields | undefined =>
  fields?.get('do') === does && fieldsIn(rows).some(({ name }) => fields.has(name)) ? fields : undefined

const typedText = ({ name, control }: DeclaredField, fields: Fields): string =>
  control === 'box' && fields.has(name) ? 'yes' : fields.get(name)

function textOf({ name, blank }: DeclaredField, item: object | undefined): string | undefined {
  if (!item) return blank
  const value = (item as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'boolean' ? (value ? 'yes' : '') : controlText(value ?? blank)
}

function listIn(item: object | undefined, name: string): readonly string[] {
  const value = (item as Readonly<Record<string, unknown>> | undefined)?.[name]
  return Array.isArray(value) ? (value as readonly string[]) : []
}
