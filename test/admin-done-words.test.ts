// Activity says what was done, and approvals what would be: each action that writes has words of its own, in each language of the admin. Differences
// name fields as their forms do.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callName } from '../src/actions/action.ts'
import { allActions } from '../src/actions/all.ts'
import { doneByCall, doneWords } from '../src/admin/activity/done-words.ts'
import { askedByCall, proposalWords } from '../src/admin/activity/proposal-words.ts'
import { fieldName } from '../src/admin/parts/field-names.ts'
import { wordsOf } from '../src/admin/words.ts'

type Reader = Parameters<typeof doneWords>[0]

const actions = allActions()
const visit = (language: string): Reader =>
  ({
    t: wordsOf({ header: () => language }),
    site: { registry: { find: (name: string) => actions.find((action) => callName(action) === name) } },
  }) as unknown as Reader

test('activity has words for each action that writes, and for no other', () => {
  const writing = actions.filter(({ effect }) => effect !== 'read').map(callName)
  const worded = Object.keys(doneByCall)
  assert.deepEqual(
    {
      missing: writing.filter((name) => !worded.includes(name)),
      needless: worded.filter((name) => !writing.includes(name)),
    },
    { missing: [], needless: [] },
  )
})

test('activity says what was done in the language of the page', () => {
  const said = (call: string, summary: string) => ['en', 'de'].map((language) => doneWords(visit(language), { call, summary }))
  const summaryOf = (call: string) => actions.find((action) => callName(action) === call)?.summary ?? ''
  assert.deepEqual(said('SVC_Content.update', summaryOf('SVC_Content.update')), ['changed', 'geändert'])
  assert.deepEqual(said('SVC_Accounts.update', 'Changes a password.'), ['password changed', 'Passwort geändert'])
})

test('a record with a summary of its own keeps it in activity', () => {
  const summary = 'Ends a connection whose code was used twice.'
  assert.equal(doneWords(visit('en'), { call: 'SVC_Apps.revoke', summary }), 'Ends a connection whose code was used twice')
  assert.equal(doneWords(visit('en'), { call: 'PLG_Shop.sell', summary: 'Sells a thing, for money.' }), 'Sells a thing')
})

test('approvals have words for each action that activity has words for', () => {
  assert.deepEqual(Object.keys(askedByCall).sort(), Object.keys(doneByCall).sort())
})

test('a proposal is called by what it is about, with the deed in the language of the page; a title of its own stays', () => {
  const create = { action: 'SVC_Content.create' }
  const reindex = { class: 'SVC_Search', action: 'reindex' }
  const called = (language: string, title: string, calls: Parameters<typeof proposalWords>[2]) =>
    proposalWords(visit(language), title, calls)
  assert.deepEqual(called('en', 'Creates an entry: Hours: winter', [create]), { heading: 'Hours: winter', deed: 'New entry' })
  assert.deepEqual(called('de', 'Creates an entry: Hours, and 2 more', [create, reindex, reindex]), {
    heading: 'Hours',
    deed: 'Neuer Eintrag und 2 weitere Aufrufe',
  })
  assert.deepEqual(called('de', 'Creates an entry', [create]), { heading: 'Neuer Eintrag' })
  assert.deepEqual(called('de', 'Creates an entry: Hours', [reindex]), { heading: 'Creates an entry: Hours' })
  assert.deepEqual(called('de', 'Winter', [create]), { heading: 'Winter' })
})

test('a difference names fields as their forms do, own fields by their labels, and others by their names', () => {
  const types = [{ fields: [{ name: 'price', kind: 'number', label: 'Preis in Euro' }] }] as const
  const named = ['seo.title', 'staged.cover', 'fields.price', 'fields.gone', 'constructor'].map((name) =>
    fieldName(visit('de').t, types, name),
  )
  assert.deepEqual(named, ['Titel in Suchergebnissen', 'Titelbild', 'Preis in Euro', 'fields.gone', 'constructor'])
})
