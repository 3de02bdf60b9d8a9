// Form fields: a label, a control, help, and the fault of the value.

import { attribute, Html, html, type HtmlValue, raw } from '../../doors/shared/html.ts'

export interface Field {
  readonly name: string
  /**
   * The suffix of the ids of its elements. By default it is the name, but several forms of a page may have a field of that name.
   */
  readonly id?: string
  readonly label: string
  readonly value?: string | undefined
  readonly help?: HtmlValue
  /** The sentence that says why the value was refused. */
  readonly fault?: string | undefined
  readonly required?: boolean
}

interface TextField extends Field {
  readonly type?: 'text' | 'email' | 'password' | 'date' | 'datetime-local' | 'number' | 'color'
  readonly autocomplete?: string
  readonly placeholder?: string
  readonly minLength?: number
  readonly autofocus?: boolean
  readonly min?: number
  readonly max?: number
}

export function textField(field: TextField): Html {
  const { name, type = 'text', value, required, autocomplete = 'off', placeholder, minLength, autofocus, min, max } = field
  return around(
    field,
    html`<input
      id="f-${field.id ?? name}"
      type="${type}"
      name="${name}"
      ${type !== 'password' && attribute('value', value)}
      ${attribute('autocomplete', autocomplete)}
      ${attribute('placeholder', placeholder)}
      ${attribute('minlength', minLength)}
      ${attribute('min', min)}
      ${attribute('max', max)}
      ${described(field)}
      ${required ? raw('required') : ''}
      ${autofocus ? raw('autofocus') : ''}
    />`,
    type === 'password' ? undefined : value,
  )
}

/** A file to upload. The form must be `multipart/form-data`. */
export function fileField(
  field: Field & { readonly accept?: string | undefined; readonly multiple?: boolean; readonly capture?: 'environment' },
): Html {
  const { name, accept, required, multiple, capture } = field
  return around(
    field,
    html`<input
      id="f-${field.id ?? name}"
      type="file"
      name="${name}"
      ${attribute('accept', accept)}
      ${attribute('capture', capture)}
      ${described(field)}
      ${required ? raw('required') : ''}
      ${multiple ? raw('multiple') : ''}
    />`,
  )
}

/** Several lines. `code` is for texts that are not prose. */
export function areaField(field: Field & { readonly rows?: number; readonly code?: boolean }): Html {
  const { name, value = '', rows = 5, code } = field
  const more = code ? raw('class="code" spellcheck="false" autocapitalize="off" wrap="off"') : ''
  const named = html`${attribute('id', `f-${field.id ?? name}`)} ${attribute('name', name)} ${attribute('rows', rows)}`
  const attributes = html`${named} ${more} ${described(field)}`
  // HTML drops the first line break after the tag. The template is short, so that the formatter adds no other.
  return around(field, html`<textarea ${attributes}>${raw('\n')}${value}</textarea>`, value)
}

/** A field inside its label. Only a refused field gets an id, so several forms of a page can have the same field. */
const inLabel = (field: Field): Field => ({ ...field, id: `refused-${field.name}` })

export function lineField(given: Field, maxLength: number): Html {
  const field = inLabel(given)
  const { name, label, value = '', help, required } = field
  const more = html`${required ? raw('required') : ''} ${refusedId(field)}`
  return html`<label class="line"
      >${label} <input name="${name}" value="${value}" maxlength="${maxLength}" autocomplete="off" ${more} /><small
        >${help}</small
      ></label
    >${faultOf(field, value)}`
}

export function linesField(given: Field): Html {
  const field = inLabel(given)
  const { name, label, value = '', help } = field
  return html`<label class="line"
      >${label} <textarea name="${name}" rows="3" ${refusedId(field)}>${raw('\n')}${value}</textarea><small>${help}</small></label
    >${faultOf(field, value)}`
}

export interface Choice {
  readonly value: string
  readonly label: string
  readonly help?: string
  /** A note next to the label. */
  readonly note?: string | undefined
}

/** A list to choose from, with or without groups. */
export function selectField(
  field: Field & ({ readonly choices: readonly Choice[] } | { readonly groups: ReadonlyMap<string, readonly Choice[]> }),
): Html {
  const { name, value } = field
  const groups = 'groups' in field ? field.groups : new Map([['', field.choices]])
  const option = (choice: Choice) =>
    html`<option value="${choice.value}" ${choice.value === value ? raw('selected') : ''}>${choice.label}</option>`
  const options = [...groups].map(([label, choices]) =>
    label === '' ? choices.map(option) : html`<optgroup label="${label}">${choices.map(option)}</optgroup>`,
  )
  return around(
    field,
    html`<select id="f-${field.id ?? name}" name="${name}" ${described(field)}>
      ${options}
    </select>`,
  )
}

/** A few choices, each with its own help. */
export function radioField(field: Field & { readonly choices: readonly Choice[] }): Html {
  const { name, label, value, choices } = field
  const one = (choice: Choice, place: number) => {
    const more = [choice.value === value && raw('checked'), raw(' required '), place === 0 && refusedId(field)]
    return html`<label class="choice">
      <input type="radio" name="${name}" value="${choice.value}" ${more} />
      <span
        ><strong>${choice.label}</strong>${choice.note !== undefined && html` <em class="note">${choice.note}</em>`}${
          choice.help !== undefined && html` <small>${choice.help}</small>`
        }</span
      >
    </label>`
  }
  return html`<fieldset>
    <legend>${label}</legend>
    ${choices.map(one)} ${faultOf(field)}
  </fieldset>`
}

/** A checkbox; its value is `yes`. */
export function checkField(field: Field): Html {
  const { name, label, value, help } = field
  return html`<label class="choice">
      <input type="checkbox" name="${name}" value="yes" ${refusedId(field)} ${value === 'yes' ? raw('checked') : ''} />
      <span>${label}${help !== undefined && help !== false && html` <small>${help}</small>`}</span></label
    >${faultOf(field)}`
}

/** Checkboxes of which several can be ticked. */
export function boxesField(
  field: Omit<Field, 'value'> & { readonly choices: readonly Choice[]; readonly chosen: readonly string[] },
): Html {
  const { name, label, choices, chosen, help } = field
  const box = ({ value, label: said }: Choice, place: number) => {
    const more = [chosen.includes(value) && raw('checked'), raw(' '), place === 0 && refusedId(field)]
    return html`<label class="choice"
      ><input type="checkbox" name="${name}" value="${value}" ${more} /> <span>${said}</span></label
    >`
  }
  return html`<fieldset>
    <legend>${label}</legend>
    ${choices.map(box)} ${help !== undefined && help !== false && html`<p class="help">${help}</p>`} ${faultOf(field)}
  </fieldset>`
}

/** The fault of a whole form, for the banner of the page. @param at the element that the banner links to, if any */
export function faultBox(fault: string | undefined, at?: { readonly id: string; readonly label: string }): HtmlValue {
  return fault !== undefined && new Html('', [{ sentence: fault, ...(at && { at }) }])
}

/** The confirmation after a form. */
export function doneBox(text: string | Html | undefined): HtmlValue {
  return text !== undefined && html`<p class="notice done" role="status">${text}</p>`
}

function around(field: Field, control: Html, typed?: string): Html {
  const { name, id = name, label, help } = field
  return html`<div class="field">
    <label for="f-${id}">${label}</label>
    ${control} ${help !== undefined && help !== false && html`<p class="help" id="h-${id}">${help}</p>`} ${faultOf(field, typed)}
  </div>`
}

/** The fault below a field. The banner repeats it, with a link to the field. @param typed the text that the banner quotes */
export function faultOf({ name, id = name, label, fault }: Field, typed?: string): HtmlValue {
  if (fault === undefined) return undefined
  const below = html`<p class="fault" id="e-${id}">${fault}</p>`
  return new Html(below.toString(), [{ sentence: fault, at: { id: `f-${id}`, label, typed } }])
}

/** The id and the ARIA attributes of a refused control, which the link in the banner needs. A control without a fault gets none. */
export function refusedId(field: Field): HtmlValue {
  const { name, id = name, fault } = field
  return fault !== undefined && [attribute('id', `f-${id}`), raw(' '), described({ ...field, help: undefined })]
}

function described({ name, id = name, help, fault }: Field): Html {
  const ids = [help !== undefined && help !== false && `h-${id}`, fault !== undefined && `e-${id}`].filter((one) => one !== false)
  const by = attribute('aria-describedby', ids.length > 0 ? ids.join(' ') : undefined)
  return html`${by} ${attribute('aria-invalid', fault === undefined ? undefined : 'true')}`
}
