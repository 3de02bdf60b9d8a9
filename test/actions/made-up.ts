// Actions that tests make up: notes, kept as settings, since those are the plainest objects that there are.

import { Type } from 'typebox'
import { action } from '../../src/actions/call/action.ts'
import { notFound } from '../../src/base/failure.ts'
import type { Change } from '../../src/store/change/change.ts'

const closed = { additionalProperties: false } as const
const key = Type.String({ maxLength: 100 })
/** What the declarations of made-up actions share. */
export const declared = {
  title: 'Test',
  summary: 'For a test.',
  did: 'tested',
  touches: 'site',
  output: Type.Object({}) as never,
  examples: [],
  failures: [],
} as const

const find = (change: Change, name: string) =>
  change.db.selectFrom('setting').selectAll().where('key', '=', name).executeTakeFirst()

/** Sets a note, made where there is none; at a number of bytes, its answer is padded. */
export const put = action('Test.put', {
  ...declared,
  tier: 'content',
  effect: 'write',
  revisioned: true,
  input: Type.Object({ key, value: Type.String(), pad: Type.Optional(Type.Integer()) }, closed),
  async run({ change }, { key: name, value, pad = 0 }) {
    const before = await find(change, name)
    const text = JSON.stringify(value)
    const written = before
      ? await change.update('setting', before, { value: text })
      : { row: await change.insert('setting', { key: name, value: text }), changed: ['value'] }
    const item = { id: name, value, revision: written.row.revision, meta: { length: value.length } }
    return { item, changed: [...written.changed], warnings: [], pad: 'x'.repeat(pad) } as never
  },
})

/** Reads a note. */
export const get = action('Test.get', {
  ...declared,
  tier: 'any',
  effect: 'read',
  input: Type.Object({ key }, closed),
  async run({ db }, { key: name }) {
    const row = await db.selectFrom('setting').selectAll().where('key', '=', name).executeTakeFirst()
    if (!row) throw notFound('note', name)
    return { item: { id: name, value: JSON.parse(row.value) as string, revision: row.revision } } as never
  },
})

/** Acts on something secret: takes one, gives one, and leaves a trace without either. */
export const mint = action('Test.mint', {
  ...declared,
  tier: 'admin',
  effect: 'act',
  secrets: ['password', 'token'],
  input: Type.Object({ name: key, password: Type.Optional(Type.String({ minLength: 12 })) }, closed),
  async run({ change }, { name }) {
    await change.insert('setting', { key: name, value: '1' })
    return { item: { id: name }, token: 'pst_topsecret_topsecret' } as never
  },
})

/** Takes notes away for good. */
export const purge = action('Test.purge', {
  ...declared,
  tier: 'admin',
  effect: 'destroy',
  input: Type.Object({ key, expect: Type.Integer() }, closed),
  async run({ change }, { key: name }) {
    const row = await find(change, name)
    if (!row) throw notFound('note', name)
    await change.remove('setting', row)
    return { done: [name], unchanged: [] } as never
  },
})
