// The calls that become of a person's choice: what is left out, what is changed, and references that name the new places.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChosenParts, chosenCalls, partsOf, textOfPart } from '../../src/admin/activity/proposal-parts.ts'
import type { Visit } from '../../src/admin/visit.ts'
import { allActions } from '../../src/actions/all.ts'
import { callName } from '../../src/actions/call/action.ts'
import type { Registry } from '../../src/actions/call/registry.ts'

const registry = { find: (name: string) => allActions().find((one) => callName(one) === name) } as unknown as Registry
const reader = { site: { registry }, t: (key: string) => key } as unknown as Pick<Visit, 'site' | 't'>

type Input = Readonly<Record<string, unknown>>
const call = (action: string, given: Input) => ({ action, arguments: given })

/** The choice that leaves out these, as `0` or `0.title`, and fills in these texts. */
const choice = (left: readonly string[], texts: Readonly<Record<string, string>> = {}): ChosenParts => ({
  keepsCall: (place) => !left.includes(String(place)),
  keepsPart: (place, { whole }) => !left.includes([place, ...whole].join('.')),
  text: (place, { path }) => texts[[place, ...path].join('.')],
})

const update = call('SVC_Content.update', { id: '/a', title: 'T', body: 'B', seo: { title: 'S', description: 'D' } })
const edit = call('SVC_Content.edit', {
  id: '/a',
  edits: [{ find: 'x', replace: 'y' }, { append: 'z' }, { find: 'p', replace: 'q' }],
})
const create = call('SVC_Content.create', { type: 'page', title: 'New' })
const below = call('SVC_Content.create', { type: 'page', title: 'Below', parent: '$1.item.id' })

const rows: Readonly<Record<string, readonly [calls: readonly object[], chosen: ChosenParts, expected: unknown]>> = {
  'nothing left out is the same': [[update, edit], choice([]), [update, edit]],
  'a field': [
    [update],
    choice(['0.title']),
    [call('SVC_Content.update', { id: '/a', body: 'B', seo: { title: 'S', description: 'D' } })],
  ],
  'a member of a field': [
    [update],
    choice(['0.title', '0.body', '0.seo.title']),
    [call('SVC_Content.update', { id: '/a', seo: { description: 'D' } })],
  ],
  'all members of a field': [
    [update],
    choice(['0.title', '0.seo.title', '0.seo.description']),
    [call('SVC_Content.update', { id: '/a', body: 'B' })],
  ],
  'the first and last edit': [
    [edit],
    choice(['0.edits.0', '0.edits.2']),
    [call('SVC_Content.edit', { id: '/a', edits: [{ append: 'z' }] })],
  ],
  'all fields of a step leave out the step': [
    [update, create],
    choice(['0.title', '0.body', '0.seo.title', '0.seo.description']),
    [create],
  ],
  'a required field stays': [[create], choice(['0.title']), [create]],
  'a changed text': [
    [create],
    choice([], { '0.title': 'Newer' }),
    [call('SVC_Content.create', { type: 'page', title: 'Newer' })],
  ],
  'a changed edit': [
    [edit],
    choice(['0.edits.0', '0.edits.2'], { '0.edits.1.append': 'zz' }),
    [call('SVC_Content.edit', { id: '/a', edits: [{ append: 'zz' }] })],
  ],
  'a typed text that looks like a reference is a text': [
    [create],
    choice([], { '0.title': '$0.item.id' }),
    [call('SVC_Content.create', { type: 'page', title: '$$0.item.id' })],
  ],
  'references name the new places': [
    [update, create, below],
    choice(['0']),
    [create, call('SVC_Content.create', { type: 'page', title: 'Below', parent: '$0.item.id' })],
  ],
  'all is left out': [[update, create], choice(['0', '1']), []],
}
for (const [what, [calls, chosen, expected]] of Object.entries(rows))
  test(`a choice: ${what}`, () => assert.deepEqual(chosenCalls(reader, calls as never, chosen).calls, expected))

test('attack 151: a step whose result another one needs can’t be left out alone', () => {
  assert.throws(() => chosenCalls(reader, [update, create, below] as never, choice(['1'])), { code: 'invalid' })
})

test('a value that is no text stays JSON', () => {
  const typed = call('SVC_Content.update', { id: '/a', terms: ['category/news'] })
  const changed = chosenCalls(reader, [typed] as never, choice([], { '0.terms': '["category/old"]' })).calls
  assert.deepEqual(changed, [call('SVC_Content.update', { id: '/a', terms: ['category/old'] })])
  assert.throws(() => chosenCalls(reader, [typed] as never, choice([], { '0.terms': 'old' })), { code: 'invalid' })
})

test('an escaped text is shown as it is meant, and stays as it was stored when nobody changed it', () => {
  const stored = call('SVC_Content.update', { id: '/a', excerpt: '$$0.item.id' })
  const [part] = partsOf(registry, stored)
  assert.equal(part && textOfPart(part), '$0.item.id')
  assert.deepEqual(chosenCalls(reader, [stored] as never, choice([], { '0.excerpt': '$0.item.id' })).calls, [stored])
})
