// The answers in which a client discovers what there is: an assistant reads them before it does anything, so each has a limit.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
before(async () => {
  site = await openSite()
  await site.call('SVC_Themes.create', { slug: 'ours', from: 'default' })
  await site.call('SVC_Themes.configure', { id: 'ours', settings: { accent: '#1d5a99' } })
})
after(() => site[Symbol.asyncDispose]())

const kib = 1024

/** The most bytes of each answer to an admin of a new site. */
const limits: readonly (readonly [call: string, input: Record<string, unknown>, most: number])[] = [
  ['SVC_API.welcome', {}, 1.5 * kib],
  ['SVC_API.list-actions', {}, 6 * kib],
  ['SVC_API.list-actions', { names: true }, 2 * kib],
  ['SVC_API.list-actions', { class: 'SVC_Content' }, 3.5 * kib],
  ['SVC_API.list-actions', { search: 'rename a page' }, 2.5 * kib],
  ['SVC_Docs.list', {}, 2 * kib],
  ['SVC_Docs.search', { query: 'redirect' }, 4 * kib],
  ['SVC_Themes.list', {}, 2 * kib],
  ['SVC_Themes.get', { id: 'default' }, 1.5 * kib],
  ['SVC_Themes.get', { id: 'ours' }, 2 * kib],
  ['SVC_Settings.list', {}, 3 * kib],
  ['SVC_API.describe-action', { action: 'SVC_Content.create' }, 3.5 * kib],
  ['SVC_API.describe-action', { action: 'SVC_Menus.create' }, 3 * kib],
]

for (const [call, input, most] of limits)
  test(`${call} ${JSON.stringify(input)} answers at most ${most} bytes`, async () => {
    const bytes = Buffer.byteLength(JSON.stringify(await site.call(call, { arguments: input })))
    assert.ok(bytes <= most, `${bytes} bytes`)
    assert.ok(bytes > most / 5, `${bytes} bytes: the limit is far away`)
  })

test('no description of an action is longer than 4 KiB, and all together have at most 190', async () => {
  const { items } = (await site.call('SVC_API.list-actions', { full: true })) as { items: { class: string; action: string }[] }
  let all = 0
  for (const { class: ofClass, action } of items) {
    const described = await site.call('SVC_API.describe-action', { arguments: { class: ofClass, action } })
    const bytes = Buffer.byteLength(JSON.stringify(described))
    assert.ok(bytes <= 4 * kib, `${ofClass}.${action}: ${bytes} bytes`)
    all += bytes
  }
  assert.ok(all <= 190 * kib, `${all} bytes`)
})
