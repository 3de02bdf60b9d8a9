// Texts from before sections existed: lines that begin with `:::` are found by the check of entries and by the site's health.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainColonLines } from '../../src/content/sections/section-place.ts'
import { openSite } from '../site.ts'

for (const [text, lines] of [
  ['::: hero\n## A\n:::', []],
  ['::: note\nA\n:::', []],
  ['::: cards\n::: card\nA\n:::\n:::', []],
  ['::: hero\n## A', [1]],
  ['text\n:::', [2]],
  ['::: spoiler\nA\n:::', [1, 3]],
  ['::: card\nA\n:::', [1, 3]],
  ['::::', [1]],
  ['::: hero\n::: text\nA\n:::\n:::', [2, 4]],
  ['```\n::: spoiler\n```\n> ::: hero\n\n    ::: hero', []],
] as const)
  test(`${JSON.stringify(text)} has plain lines ${JSON.stringify(lines)}`, () => {
    assert.deepEqual(plainColonLines(text), lines)
  })

test('the check and the health of the site name the entries and the lines, also at the command line', async () => {
  await using site = await openSite()
  const well = await site.call('SVC_Health.check', { only: ['sections'] })
  assert.equal(well.items[0].state, 'ok')
  const body = 'Before.\n\n::: spoiler\nThe end.\n:::\n'
  await site.call('SVC_Content.create', { type: 'page', title: 'Old "film"', slug: 'film', body, status: 'published' })
  await site.call('SVC_Content.create', { type: 'page', title: 'New', body: '::: quote {by="A"}\nB\n:::', status: 'published' })
  const { items } = await site.call('SVC_Content.check', { where: {}, rules: ['sections'] })
  assert.deepEqual(
    items.map(({ path, place }: Record<string, string>) => [path, place]),
    [
      ['/film', 'body: line 3'],
      ['/film', 'body: line 5'],
    ],
  )
  const told = await site.postern(['call', 'SVC_Health.check', '--json-input', '{"only":["sections"],"outside":false}'])
  const [found] = (JSON.parse(told.stdout) as { data: { items: { state: string; message: string }[] } }).data.items
  assert.equal(found?.state, 'warning')
  assert.match(found?.message ?? '', /"Old \\"film\\"" at \/film \(lines 3, 5\)\./)
})
