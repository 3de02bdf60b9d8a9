// Which events a commit is, in the words of plugins.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventsOf } from '../../src/plugins/events.ts'
import type { RowChange } from '../../src/store/change/change.ts'

type State = { status?: string; title?: string } | null
const rows: readonly { what: string; before: State; after: State; events: readonly string[] }[] = [
  { what: 'a new draft', before: null, after: { status: 'draft' }, events: ['entry.created'] },
  {
    what: 'one that is public at once',
    before: null,
    after: { status: 'published' },
    events: ['entry.created', 'entry.published'],
  },
  { what: 'another title', before: { title: 'a' }, after: { title: 'b' }, events: ['entry.updated'] },
  { what: 'published', before: { status: 'draft' }, after: { status: 'published' }, events: ['entry.published'] },
  {
    what: 'published by its schedule',
    before: { status: 'scheduled' },
    after: { status: 'published' },
    events: ['entry.published'],
  },
  { what: 'taken off', before: { status: 'published' }, after: { status: 'draft' }, events: ['entry.unpublished'] },
  { what: 'into the trash', before: { status: 'published' }, after: { status: 'trash' }, events: ['entry.deleted'] },
  { what: 'and out of it', before: { status: 'trash' }, after: { status: 'draft' }, events: ['entry.restored'] },
  { what: 'scheduled', before: { status: 'draft' }, after: { status: 'scheduled' }, events: ['entry.updated'] },
  { what: 'gone for good', before: { status: 'trash' }, after: null, events: ['entry.purged'] },
]

for (const { what, before, after, events } of rows) {
  test(`an entry: ${what}`, () => {
    const record: RowChange = { kind: 'entry', id: 'e1', before, after, revision: 1 }
    assert.deepEqual(
      eventsOf([record], 0),
      events.map((event) => ({ event, id: 'e1', at: '1970-01-01T00:00:00.000Z' })),
    )
  })
}

test('a setting is told as such, an account as nothing', () => {
  const record = { id: 'x', before: null, after: {}, revision: 1 } as const
  assert.deepEqual(
    eventsOf([{ ...record, kind: 'setting' }], 0).map(({ event }) => event),
    ['settings.updated'],
  )
  assert.deepEqual(eventsOf([{ ...record, kind: 'account' }], 0), [])
})
