// A declared form: its rows make the controls with values and faults, and the input of the action is read back by the schema.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { controlsOf, type FormRows } from '../../src/admin/parts/declared-form.ts'
import { inputFrom } from '../../src/admin/parts/form-input.ts'
import { wordsOf } from '../../src/admin/words.ts'
import { nullable } from '../../src/actions/call/write-answer.ts'
import { Failure } from '../../src/base/failure.ts'
import { closed } from '../../src/base/schema.ts'
import { all, attr, parsed, textOf } from './visitor.ts'
import { fieldsOf } from './visit.ts'

const input = closed({
  id: Type.Optional(Type.String()),
  name: Type.String({ minLength: 1 }),
  slug: Type.Optional(Type.String()),
  to: Type.Optional(nullable(Type.String())),
  text: Type.Optional(Type.String()),
  status: Type.Optional(Type.Enum([301, 302])),
  limit: Type.Optional(Type.Integer()),
  feed: Type.Optional(Type.Boolean()),
  types: Type.Optional(nullable(Type.Array(Type.String()))),
  tags: Type.Optional(Type.Array(Type.String())),
})

const rows: FormRows = [
  [
    { name: 'name', label: 'structure.name', required: true },
    { name: 'slug', label: 'structure.slug', help: 'structure.short_name_help', placeholder: 'footer' },
  ],
  { heading: 'people.profile' },
  { name: 'to', at: 'item.to', label: 'structure.to' },
  { name: 'text', control: 'exact', label: 'structure.text' },
  { name: 'status', control: 'select', label: 'structure.status_kind', blank: '302' },
  { name: 'limit', control: 'number', label: 'structure.items' },
  { name: 'feed', control: 'box', label: 'structure.type_feed' },
  { name: 'types', control: 'boxes', label: 'structure.taxonomy_types' },
  { name: 'tags', control: 'boxes', label: 'structure.taxonomies' },
]
const form = { does: 'save', rows, action: { input } }
const choices = {
  status: ['301', '302'].map((value) => ({ value, label: value })),
  types: ['page', 'post'].map((value) => ({ value, label: value })),
}
const t = wordsOf(undefined)

const elementsOf = (filling: Parameters<typeof controlsOf>[2]) =>
  all(parsed(controlsOf(t, form, { choices, ...filling }).toString())).filter(({ tagName }) =>
    ['input', 'select', 'textarea'].includes(tagName),
  )
const named = (filling: Parameters<typeof controlsOf>[2], name: string) =>
  elementsOf(filling).filter((one) => attr(one, 'name') === name)
const chosen = (filling: Parameters<typeof controlsOf>[2], name: string) =>
  named(filling, name)
    .flatMap((one) => (one.tagName === 'select' ? all(one) : [one]))
    .filter((one) => attr(one, 'checked') !== undefined || attr(one, 'selected') !== undefined)
    .map((one) => attr(one, 'value'))

for (const { rule, sent, read } of [
  { rule: 'a text without the space around it', sent: { name: ' Ann ' }, read: { name: 'Ann' } },
  { rule: 'several lines as they are', sent: { text: ' a\n b ' }, read: { text: ' a\n b ' } },
  { rule: 'an empty text that the action needs', sent: { name: ' ' }, read: { name: '' } },
  { rule: 'an empty text that may be left out: nothing', sent: { slug: ' ' }, read: {} },
  { rule: 'an empty text that may be null: null', sent: { to: ' ' }, read: { to: null } },
  { rule: 'an emptied text of several lines: no text', sent: { text: '' }, read: { text: '' } },
  { rule: 'a choice among numbers: the number', sent: { status: '302' }, read: { status: 302 } },
  { rule: 'a choice that there is not: the text, which the action refuses', sent: { status: 'x' }, read: { status: 'x' } },
  { rule: 'a number', sent: { limit: ' 7 ' }, read: { limit: 7 } },
  { rule: 'a text instead of a number: the text, which the action refuses', sent: { limit: 'x' }, read: { limit: 'x' } },
  { rule: 'a ticked box', sent: { feed: 'yes' }, read: { feed: true } },
  {
    rule: 'several ticked boxes',
    sent: { types: ['page', 'post'], tags: ['a'] },
    read: { types: ['page', 'post'], tags: ['a'] },
  },
  { rule: 'the id of the object', sent: { id: 'x' }, read: { id: 'x' } },
  { rule: 'no field that the form does not have', sent: { other: 'x', csrf: 'y', do: 'save' }, read: {} },
] as const)
  test(`a form is read as ${rule}`, () => {
    assert.deepEqual(inputFrom(form, fieldsOf(sent)), { feed: false, types: null, tags: [], ...read })
  })

test('a form for a new object has no values but the blank ones, and no list without choices', () => {
  assert.equal(attr(named({}, 'name')[0]!, 'value'), undefined)
  assert.deepEqual(chosen({}, 'status'), ['302'])
  assert.deepEqual(chosen({}, 'feed'), [])
  assert.equal(named({}, 'tags').length, 0)
  assert.equal(named({ without: ['slug'] }, 'slug').length, 0)
  assert.equal(attr(named({}, 'slug')[0]!, 'placeholder'), 'footer')
})

test('a form for an object has its values', () => {
  const item = { name: 'A "b"', slug: null, text: '\nx', status: 301, limit: 5, feed: true, types: ['post'] }
  assert.equal(attr(named({ item }, 'name')[0]!, 'value'), 'A "b"')
  assert.equal(attr(named({ item }, 'slug')[0]!, 'value'), '')
  assert.equal(textOf(named({ item }, 'text')[0]!), '\nx')
  assert.equal(attr(named({ item }, 'limit')[0]!, 'value'), '5')
  assert.deepEqual(
    [chosen({ item }, 'status'), chosen({ item }, 'feed'), chosen({ item }, 'types')],
    [['301'], ['yes'], ['post']],
  )
})

const item = { name: 'Stored', feed: true, types: ['post'] }
const failure = new Failure('invalid', 'No.', { field: 'name' })
const refusedWith = (values: Parameters<typeof fieldsOf>[0], why = failure) => ({ fields: fieldsOf(values), failure: why })

test('a refused form shows what was filled in, with its fault at the field and in the banner', () => {
  const refused = refusedWith({ do: 'save', name: '<b>', types: 'page' })
  const [name] = named({ item, refused }, 'name')
  assert.deepEqual(
    [attr(name!, 'value'), attr(name!, 'aria-invalid'), attr(name!, 'aria-describedby')],
    ['<b>', 'true', 'e-name'],
  )
  assert.deepEqual([chosen({ item, refused }, 'feed'), chosen({ item, refused }, 'types')], [[], ['page']])
  const { refusals } = controlsOf(t, form, { item, refused, choices })
  assert.deepEqual(refusals, [{ sentence: 'No.', at: { id: 'f-name', label: 'Name', typed: '<b>' } }])
})

test('a fault is shown at the field that the failure names, also by a name of its own and by one of its members', () => {
  for (const [field, at] of [
    ['item.to', 'f-to'],
    ['types.0', 'f-types'],
    ['nothing', undefined],
  ] as const) {
    const refused = refusedWith({ do: 'save', name: 'x' }, new Failure('invalid', 'No.', { field }))
    assert.equal(controlsOf(t, form, { refused, choices }).refusals[0]?.at?.id, at, field)
  }
})

test('the refusal of another form of the page leaves this one as it is', () => {
  for (const refused of [refusedWith({ do: 'other', name: 'Typed' }), refusedWith({ do: 'save', other: 'Typed' })]) {
    assert.equal(attr(named({ item, refused }, 'name')[0]!, 'value'), 'Stored')
    assert.deepEqual(chosen({ item, refused }, 'feed'), ['yes'])
    assert.deepEqual(controlsOf(t, form, { item, refused, choices }).refusals, [])
  }
})
