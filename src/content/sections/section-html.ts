// The HTML of sections: semantic, without script or style. The base style of the themes gives it its look.

import { escapeHtml } from '../markdown/escape-html.ts'
import { sectionKind, type SectionKind } from './kinds.ts'

type Values = Readonly<Record<string, string>>

/** The markup before and after the text of a section. */
export interface SectionHtml {
  readonly open: string
  readonly close: string
}

type Writer = (values: Values, kind: string) => SectionHtml

const picture = ({ image, alt }: Values): string =>
  image === undefined
    ? ''
    : `<figure class="section-picture"><img src="${escapeHtml(image)}" alt="${escapeHtml(alt ?? '')}"></figure>\n`

const action = ({ button, href }: Values): string =>
  button === undefined || href === undefined
    ? ''
    : `<p class="section-action"><a class="button" href="${escapeHtml(href)}">${escapeHtml(button)}</a></p>\n`

/** The classes of choices and numbers, such as `side-start` and `columns-3`. */
function classesOf(kind: string, values: Values): string {
  const { attributes } = sectionKind(kind) as SectionKind
  const chosen = Object.entries(attributes).flatMap(([name, { type, choices, usual }]) => {
    if ((type !== 'choice' && type !== 'number') || name === 'limit') return []
    return [`${name}-${values[name] ?? choices?.[0] ?? usual}`]
  })
  return ['section', `is-${kind}`, ...chosen, ...(values['image'] === undefined ? [] : ['with-picture'])].join(' ')
}

const framed = (kind: string, values: Values, open = '', close = ''): SectionHtml => ({
  open: `<section class="${classesOf(kind, values)}">\n${open}`,
  close: `${close}</section>\n`,
})

/** A picture, the text, and a button below it. */
const block: Writer = (values, kind) =>
  framed(kind, values, `${picture(values)}<div class="section-text">\n`, `${action(values)}</div>\n`)

/** Sections or texts side by side. */
const group: Writer = (values, kind) => framed(kind, values, '<div class="section-items">\n', '</div>\n')

const item: Writer = (values) => ({
  open: `<div class="section-item">\n${picture(values)}`,
  close: `${action(values)}</div>\n`,
})

const person: Writer = ({ name, role, ...values }) => ({
  open:
    `<div class="section-item">\n${picture(values)}` +
    (name === undefined ? '' : `<p class="section-name"><strong>${escapeHtml(name)}</strong></p>\n`) +
    (role === undefined ? '' : `<p class="section-role">${escapeHtml(role)}</p>\n`),
  close: '</div>\n',
})

const quotation: Writer = (values, kind) => {
  const by = [values['by'], values['role']].filter((one) => one !== undefined).map(escapeHtml)
  const name = by.length === 0 ? '' : `<p class="section-by"><cite>${by.join(', ')}</cite></p>\n`
  return framed(kind, values, `${picture(values)}<blockquote>\n`, `</blockquote>\n${name}`)
}

/** A page of another site, in the form that `expandEmbeds` knows. */
const elsewhere: Writer = (values, kind) => {
  const address = escapeHtml(values['address'] ?? '')
  const frame = address === '' ? '' : `<figure class="embed"><a href="${address}">${address}</a></figure>\n`
  return framed(kind, values, `${frame}<div class="section-text">\n`, '</div>\n')
}

/** A text with an empty element under it, which is filled in when the page is made. @param asked what it is filled in with */
const filledLater = (kind: string, values: Values, asked: string): SectionHtml =>
  framed(
    kind,
    values,
    '<div class="section-text">\n',
    `</div>\n<div class="section-${kind}" title="${escapeHtml(asked)}"></div>\n`,
  )

const latest: Writer = ({ type, term, limit, sort, upcoming, ...values }, kind) => {
  const asked = Object.entries({ type, term, limit, sort, upcoming }).filter(([, value]) => value !== undefined)
  return filledLater(kind, values, new URLSearchParams(asked as [string, string][]).toString())
}

const form: Writer = ({ form: slug = '', ...values }, kind) => filledLater(kind, values, slug)

const newsletter: Writer = ({ agree = '', ...values }, kind) => filledLater(kind, values, agree)

const linked: Writer = ({ href }) => ({
  open: `<p class="section-action"><a class="button" href="${escapeHtml(href ?? '')}">`,
  close: '</a></p>\n',
})

const writers: Readonly<Record<string, Writer>> = {
  cards: group,
  columns: group,
  people: group,
  gallery: group,
  logos: group,
  card: item,
  column: item,
  person,
  quote: quotation,
  map: elsewhere,
  embed: elsewhere,
  button: linked,
  latest,
  form,
  newsletter,
}

/** @param values that `readAttributes` checked */
export const sectionHtml = (kind: string, values: Values): SectionHtml => (writers[kind] ?? block)(values, kind)

/** The classes that this HTML has, for the sanitizer. The section of the footnotes is no section of a writer. */
export const sectionClasses = {
  section: /^(?:footnotes|section is-[a-z]{2,10}(?: (?:align|side)-[a-z]{3,6}| columns-[1-4]| with-picture){0,3})$/,
  div: ['section-text', 'section-items', 'section-item', 'section-latest', 'section-form', 'section-newsletter'],
  figure: ['section-picture'],
  p: ['section-action', 'section-by', 'section-name', 'section-role'],
  a: ['button'],
} as const
