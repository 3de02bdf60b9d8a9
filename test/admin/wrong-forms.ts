// Forms as nobody should send them, and the banner that a page must answer with.

import assert from 'node:assert/strict'
import { all, attr, type Element, type Form, type Page, parsed, textOf } from './visitor.ts'

type Fields = Readonly<Record<string, string>>

const isTyped = ({ tag, type }: Form['controls'][number]): boolean =>
  tag === 'textarea' || (tag === 'input' && !['hidden', 'checkbox', 'radio', 'password', 'file'].includes(type))

/** The fields of a form that somebody types into. */
export const typedFields = ({ controls }: Form): readonly string[] => controls.filter(isTyped).map(({ name }) => name)

const fillWith = (names: readonly string[], text: string): Fields => Object.fromEntries(names.map((name) => [name, text]))
const namesOf = (form: Form, fits: (control: Form['controls'][number]) => boolean): readonly string[] =>
  form.controls.filter(fits).map(({ name }) => name)

/** What a form is filled in with, by what is wrong with it. */
export const wrongs: Readonly<Record<string, (form: Form) => Fields>> = {
  'too long a text': (form) => fillWith(typedFields(form), 'x'.repeat(3000)),
  'a control character': (form) => fillWith(typedFields(form), '#<\u0007"'),
  nothing: (form) => fillWith(typedFields(form), ''),
  'a choice that there is not': (form) =>
    fillWith(
      namesOf(form, ({ tag, type }) => tag === 'select' || type === 'radio'),
      'nonsense',
    ),
  'hidden fields that are no numbers': (form) =>
    fillWith(
      namesOf(form, ({ tag, type, name }) => tag === 'input' && type === 'hidden' && !['csrf', 'do'].includes(name)),
      '1#',
    ),
  'a deed that there is not': (form) =>
    fillWith(
      namesOf(form, ({ name }) => name === 'do'),
      '__proto__',
    ),
  'a revision that is no number': (form) =>
    fillWith(
      namesOf(form, ({ name }) => name === 'revision'),
      '1#',
    ),
}

/** The same form of a page, if it shows it again. */
export const shownAgain = ({ forms }: Page, sent: Form): Form | undefined =>
  forms.find(
    (one) =>
      one.action.split('?')[0] === sent.action.split('?')[0] &&
      ['do', 'item', 'field'].every((name) => one.fields[name] === sent.fields[name]) &&
      typedFields(one).join() === typedFields(sent).join(),
  )

/**
 * Holds a page to its banner: first on the page, an alert that takes the focus, with links to what is there.
 * @returns the ids that it links to
 */
export function holdBanner({ text }: Page, what: string): readonly string[] {
  const elements = all(parsed(text))
  const main = elements.find(({ tagName }) => tagName === 'main')
  const [banner] = main ? all(main).slice(0, 1) : []
  assert.ok(banner && attr(banner, 'id') === 'refusal', `${what}: the banner is the first thing of the page`)
  assert.equal(attr(banner, 'role'), 'alert', what)
  assert.equal(attr(banner, 'tabindex'), '-1', what)
  assert.notEqual(attr(banner, 'autofocus'), undefined, what)
  assert.match(textOf(banner), /problem\s+\S/i, what)
  assert.match(text, /<script src="[^"]*\/assets\/admin-refusal-/, what)
  const ids = elements.flatMap((one) => attr(one, 'id') ?? [])
  assert.equal(new Set(ids).size, ids.length, `${what}: each id is there once`)
  const links = all(banner).filter(({ tagName }) => tagName === 'a')
  return links.map((link) => {
    const id = (attr(link, 'href') ?? '').slice(1)
    const target = elements.find((one) => attr(one, 'id') === id)
    assert.ok(target && takesFocus(target), `${what}: the banner links to ${id}`)
    return id
  })
}

const takesFocus = (element: Element): boolean =>
  ['input', 'textarea', 'select'].includes(element.tagName) || attr(element, 'tabindex') !== undefined
