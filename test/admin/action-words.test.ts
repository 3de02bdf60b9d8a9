// An action tells what it is called, what it does, and what it did. Each language of the admin says the same; activity, approvals and notices take the
// words from there. Differences name fields as their forms do.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Action, callName } from '../../src/actions/call/action.ts'
import { allActions } from '../../src/actions/all.ts'
import { about, aboutLinked, actionKey, actionParts, doneWord, wordOf } from '../../src/admin/action-words.ts'
import { proposalTitle, proposalWords } from '../../src/admin/activity/proposal-words.ts'
import * as de from '../../src/admin/messages/de/index.ts'
import { fieldName, formRows } from '../../src/admin/parts/field-names.ts'
import { objectPath } from '../../src/admin/parts/object-link.ts'
import { wordsOf } from '../../src/admin/words.ts'
import { html } from '../../src/doors/shared/html.ts'

type Reader = Parameters<typeof proposalWords>[0]

const actions = allActions()
const actionOf = (call: string): Action => {
  const found = actions.find((action) => callName(action) === call)
  if (!found) throw new Error(`There is no ${call}.`)
  return found
}
const visit = (language: string): Reader =>
  ({
    t: wordsOf({ header: () => language }),
    site: { registry: { all: actions, find: (name: string) => actions.find((action) => callName(action) === name) } },
  }) as unknown as Reader

test('each word of each action has its twin in the other languages, and no twin is without its action', () => {
  const wanted = actions.flatMap((action) =>
    actionParts.filter((part) => part !== 'did' || action.effect !== 'read').map((part) => actionKey(action, part)),
  )
  const twins = Object.values(de).flatMap((group) =>
    Object.keys(group).filter((key) => key.includes('.') && !key.startsWith('field.')),
  )
  assert.deepEqual(twins.toSorted(), wanted.toSorted())
})

test('the twin of a word has a place for the object where the word has one', () => {
  const hasPlace = (text: string) => text.includes('{title}')
  const differing = actions.flatMap((action) =>
    actionParts
      .filter((part) => hasPlace(wordOf(visit('en').t, action, part)) !== hasPlace(wordOf(visit('de').t, action, part)))
      .map((part) => actionKey(action, part)),
  )
  assert.deepEqual(differing, [])
})

test('a word of an action is a whole phrase with and without an object', () => {
  const broken = ['en', 'de'].flatMap((language) =>
    actions.flatMap((action) =>
      (['title', 'did'] as const)
        .flatMap((part) => [about(wordOf(visit(language).t, action, part)), about(wordOf(visit(language).t, action, part), 'X')])
        .filter((text) => !/^[\p{Lu}].*[^ :]$/u.test(text) || /[[\]{}|]| {2}/.test(text)),
    ),
  )
  assert.deepEqual(broken, [])
})

test('the page of an object is one of the admin', () => {
  const kinds = new Set(actions.flatMap(({ object }) => (object ? [object.kind] : [])))
  for (const kind of kinds) assert.match(objectPath({ basePath: '' }, { kind, id: '1' }) ?? kind, /^\/admin\/\S+\?id=1$/)
})

test('activity says what was done to which object in the language of the page', () => {
  const said = (call: string, summary: string) =>
    ['en', 'de'].map((language) => about(doneWord(visit(language), { call, summary }), '“Home”'))
  const summaryOf = (call: string) => actionOf(call).summary
  assert.deepEqual(said('SVC_Content.edit', summaryOf('SVC_Content.edit')), [
    'Changed the text of “Home”',
    'Text von “Home” geändert',
  ])
  assert.deepEqual(said('SVC_Accounts.update', 'Changes a password.'), [
    'Changed the password of “Home”',
    'Passwort von “Home” geändert',
  ])
  assert.equal(
    aboutLinked(wordOf(visit('en').t, actionOf('SVC_Content.publish'), 'did'), html`<a>R&amp;D</a>`).toString(),
    'Published <a>R&amp;D</a>',
  )
  assert.equal(about(wordOf(visit('de').t, actionOf('SVC_Content.publish'), 'did')), 'Eintrag veröffentlicht')
})

test('a record with a summary of its own keeps it in activity, before the object', () => {
  const summary = 'Ends a thing that was used twice.'
  assert.equal(about(doneWord(visit('en'), { call: 'SVC_Apps.revoke', summary }), 'A'), 'Ends a thing that was used twice: A')
  assert.equal(doneWord(visit('en'), { call: 'PLG_Shop.sell', summary: 'Sells a thing, for money.' }), 'Sells a thing')
})

test('a proposal is called by what it would do, in the language of the page; a title of its own stays', () => {
  const create = { action: 'SVC_Content.create' }
  const reindex = { class: 'SVC_Search', action: 'reindex' }
  const called = (language: string, title: string, calls: Parameters<typeof proposalWords>[2]) =>
    proposalWords(visit(language), title, calls)
  assert.equal(called('en', 'Creates an entry: Hours: winter', [create]), 'Create “Hours: winter”')
  assert.equal(
    called('de', 'Creates an entry: Hours, and 2 more', [create, reindex, reindex]),
    '„Hours“ anlegen und 2 weitere Aufrufe',
  )
  assert.equal(called('de', 'Creates an entry', [create]), 'Eintrag anlegen')
  assert.equal(called('de', 'Creates an entry: Hours', [reindex]), 'Creates an entry: Hours')
  assert.equal(called('de', 'Winter', [create]), 'Winter')
})

test('a title that was made from a call is read without the calls', () => {
  const called = (language: string, title: string) => proposalTitle(visit(language), title)
  assert.equal(called('de', 'Creates an entry: Hours, and 2 more'), '„Hours“ anlegen und 2 weitere Aufrufe')
  assert.equal(called('en', 'Creates an entry: Hours'), 'Create “Hours”')
  assert.equal(called('de', 'Creates an entry'), 'Eintrag anlegen')
  assert.equal(called('de', 'Winter: snow, and 2 more'), 'Winter: snow, and 2 more')
})

test('the label and the help of each field have their twins in the other languages, and no twin is without its field', () => {
  const wanted = formRows.flatMap(({ name, live, ...words }) => [
    ...partsOf(`field.${name}`, words),
    ...partsOf(`field.${name}.live`, live ?? {}),
  ])
  const twins = Object.values(de).flatMap((group) => Object.keys(group).filter((key) => key.startsWith('field.')))
  assert.deepEqual(twins.toSorted(), wanted.toSorted())
})

const partsOf = (key: string, words: object): readonly string[] =>
  ['label', 'help'].filter((part) => part in words).map((part) => `${key}.${part}`)

test('a difference names fields as their forms do, own fields by their labels, and others by their names', () => {
  const types = [{ fields: [{ name: 'price', kind: 'number', label: 'Preis in Euro' }] }] as const
  const named = ['seo.title', 'staged.cover', 'fields.price', 'fields.gone', 'constructor'].map((name) =>
    fieldName(visit('de').t, types, name),
  )
  assert.deepEqual(named, ['Titel in Suchergebnissen', 'Titelbild', 'Preis in Euro', 'fields.gone', 'constructor'])
})
