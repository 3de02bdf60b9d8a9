// The section `form`: a form of the site, in place of the empty element that the kept rendering of a text has. It works without
// script. The signed time in it is that of the page.

import { consentName, askedFields, type Submitted } from '../../../actions/forms/submit-form.ts'
import { urlOf } from '../../../content/entries/entry.ts'
import { cutText } from '../../../base/cut-text.ts'
import { attribute, hrefAttribute, html, type Html, type HtmlValue } from '../../../doors/shared/html.ts'
import { findForm } from '../../../forms/form-store.ts'
import { type AskedField, type FormFieldKind, maxCharsOf, maxFields } from '../../../forms/form-fields.ts'
import { formToken } from '../../../forms/form-token.ts'
import { hiddenName, trapNames } from '../../../forms/spam.ts'
import { acceptedFromVisitors } from '../../../media/taken-kinds.ts'
import type { VisitorFormRow } from '../../../store/core/schema.ts'
import { type SiteMessage, siteWord } from '../../../themes/site-words.ts'
import type { Frame } from '../frame.ts'

const placeholder = /<div class="section-form" title="([^"]*)"><\/div>/g
const maxForms = 10
/** The longest shown name of a file. */
const maxNameChars = 60

/** A form that was sent from the page, as the page that answers shows it. */
export interface FormState {
  readonly slug: string
  readonly outcome: Submitted
  /** The text of a field as it came. */
  readonly textOf: (name: string) => string
  /** The texts for which the form has no field any more. */
  readonly leftOver?: readonly string[]
  /** True if files came, which a browser does not send again by itself. */
  readonly hadFiles?: boolean
  /** The name of the file that was refused. */
  readonly refused?: string | undefined
}

/** The names of the fields that every form has. Fields of owners begin with a letter. */
export const formNames = { form: '_form', token: '_at' } as const

/** The texts of a form that came for fields that it does not have. */
export function leftOver(fields: readonly AskedField[], sent: URLSearchParams): readonly string[] {
  const known = new Set<string>(['do', consentName, ...Object.values(formNames), ...trapNames, ...fields.map(({ name }) => name)])
  return [...sent].flatMap(([name, text]) => (known.has(name) || text.trim() === '' ? [] : [text])).slice(0, maxFields)
}

/** The place of a form on its page. */
export const anchorOf = (slug: string): string => `form-${slug}`

/** Fills in the forms of a text. @param html cleaned HTML @param at the path of the page, and its language */
export async function fillForms(
  frame: Frame,
  text: string,
  at: { readonly path: string; readonly language: string },
): Promise<string> {
  const slugs = [...text.matchAll(placeholder)].map(([, slug = '']) => slug).slice(0, maxForms)
  if (slugs.length === 0) return text
  const forms = new Map<string, string>()
  for (const slug of slugs) {
    const form = await findForm(frame.site.store.read, slug)
    if (form) forms.set(slug, formHtml(frame, form, at).toString())
  }
  return text.replace(placeholder, (_place, slug: string) => forms.get(slug) ?? '')
}

function formHtml(frame: Frame, form: VisitorFormRow, at: { readonly path: string; readonly language: string }): Html {
  const word = (key: SiteMessage): string => siteWord(at.language, key)
  const state = frame.form?.slug === form.slug ? frame.form : undefined
  const outcome = state?.outcome
  const id = anchorOf(form.slug)
  if (outcome?.state === 'taken')
    return html`<p class="form-note" id="${id}" role="status">${form.thanks === '' ? word('form_thanks') : form.thanks}</p>`
  if (form.open === 0) return html`<p class="form-note" id="${id}">${word('form_closed')}</p>`
  const { site, origin } = frame
  const action = new URL(urlOf(origin, at.path)).pathname
  const faults = outcome?.state === 'faults' ? outcome.faults : {}
  const asked = askedFields(form)
  const fields = asked.map((field) => {
    const fault = faults[field.name] ?? (field.kind === 'files' && state?.hadFiles ? 'form_files_again' : undefined)
    const named = fault === 'form_files_kind' && state?.refused !== undefined ? `${cutText(state.refused, maxNameChars)}: ` : ''
    return fieldHtml(field, {
      id: `${id}-${field.name}`,
      text: state?.textOf(field.name) ?? '',
      fault: fault && named + word(fault),
      word,
    })
  })
  const trap = hiddenName(asked)
  // Files come in another encoding, and the address says so before they do.
  const isOfFiles = asked.some(({ kind }) => kind === 'files')
  const query = isOfFiles ? `?form=${form.id}` : ''
  return html`<form
    class="form"
    id="${id}"
    method="post"
    action="${action}${query}#${id}"
    accept-charset="utf-8"
    novalidate
    ${isOfFiles && html`enctype="multipart/form-data"`}
  >
    <input type="hidden" name="do" value="form" />
    <input type="hidden" name="${formNames.form}" value="${form.id}" />
    <input type="hidden" name="${formNames.token}" value="${formToken(site.key, form.id, asked, site.clock.now())}" />
    ${noteOf(outcome, word)} ${leftOverHtml(state, word)} ${fields}
    <p class="form-more" aria-hidden="true">
      <label for="${id}-${trap}">${word('form_leave_empty')}</label>
      <input id="${id}-${trap}" name="${trap}" type="text" tabindex="-1" autocomplete="off" />
    </p>
    <p class="form-send"><button type="submit">${word('form_send')}</button></p>
  </form>`
}

/** The sentence above a form that was not taken. */
const notes: Readonly<Partial<Record<Submitted['state'], SiteMessage>>> = {
  faults: 'form_problem',
  again: 'form_again',
  changed: 'form_changed',
  wait: 'form_wait',
  closed: 'form_closed',
}

function noteOf(outcome: Submitted | undefined, word: (key: SiteMessage) => string): HtmlValue {
  const note = outcome && notes[outcome.state]
  return note && html`<p class="form-note" role="alert"><strong>${word(note)}</strong></p>`
}

/** The texts that were typed into fields that are gone. */
const leftOverHtml = (state: FormState | undefined, word: (key: SiteMessage) => string): HtmlValue =>
  (state?.leftOver ?? []).map(
    (text) =>
      html`<p class="form-field">
        <label>${word('form_left_over')} <textarea rows="3" readonly>${text}</textarea></label>
      </p>`,
  )

interface FieldView {
  readonly id: string
  readonly text: string
  readonly fault: string | undefined
  readonly word: (key: SiteMessage) => string
}

/** The type of the input of each kind that has one, and what browsers fill in. */
const inputs: Readonly<
  Partial<Record<FormFieldKind, { readonly type: string; readonly autocomplete?: string; readonly mode?: string }>>
> = {
  text: { type: 'text' },
  email: { type: 'email', autocomplete: 'email' },
  phone: { type: 'tel', autocomplete: 'tel' },
  url: { type: 'text', mode: 'url' },
  number: { type: 'text', mode: 'decimal' },
  date: { type: 'date' },
}

function fieldHtml(field: AskedField, view: FieldView): Html {
  const { name, label, kind, required, help } = field
  const { id, fault, word } = view
  const described = [help !== null && `${id}-help`, fault !== undefined && `${id}-fault`].filter(Boolean).join(' ')
  const common = html`id="${id}" name="${name}" ${required && 'required'} ${attribute('aria-describedby', described || undefined)}
  ${fault !== undefined && html`aria-invalid="true"`}`
  const below = html`${help !== null && html`<small id="${id}-help">${help}</small>`}
  ${fault !== undefined && html`<small class="form-fault" id="${id}-fault">${fault}</small>`}`
  if (kind === 'check')
    return html`<p class="form-check">
      <input type="checkbox" value="yes" ${common} ${view.text !== '' && 'checked'} />
      <label for="${id}">${name === consentName ? linkedText(label) : label}</label> ${below}
    </p>`
  const mark = !required && html` <span class="form-optional">(${word('form_optional')})</span>`
  return html`<p class="form-field">
    <label for="${id}">${label}${mark}</label>
    ${controlOf(field, view, common)} ${below}
  </p>`
}

function controlOf({ kind, choices }: AskedField, { text, word }: FieldView, common: Html): Html {
  if (kind === 'lines') return html`<textarea ${common} rows="6" maxlength="${maxCharsOf(kind)}">${text}</textarea>`
  if (kind === 'choice')
    return html`<select ${common}>
      <option value="">${word('form_choose')}</option>
      ${choices.map((choice) => html`<option ${choice === text && 'selected'}>${choice}</option>`)}
    </select>`
  if (kind === 'files')
    return html`<input type="file" multiple accept="${acceptedFromVisitors}" ${common} />
      <small>${word('form_files_help')}</small>`
  const { type = 'text', autocomplete, mode } = inputs[kind] ?? {}
  return html`<input
    type="${type}"
    value="${text}"
    maxlength="${maxCharsOf(kind)}"
    ${attribute('autocomplete', autocomplete)}
    ${attribute('inputmode', mode)}
    ${common}
  />`
}

/** Words with links as in Markdown: `[privacy page](/privacy)`. */
function linkedText(text: string): readonly HtmlValue[] {
  const [start = '', ...parts] = text.split('[')
  const rest = parts.map((part) => {
    const [words = '', after] = part.split('](', 2)
    const end = after?.indexOf(')') ?? -1
    if (after === undefined || end < 1) return `[${part}`
    return html`<a ${hrefAttribute(after.slice(0, end))}>${words}</a>${part.slice(words.length + 2 + end + 1)}`
  })
  return [start, ...rest]
}
