// SVC_Content.edit by section: headings are looked for before the transaction, and what was found is held to the entry's revision.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Renderer } from '../../src/content/markdown/render.ts'
import { openContentSite } from './content-site.ts'

const body = '# One\n\nalpha\n\n# Two\n\nbeta\n'

/** Runs something after a section was replaced, and before what asked for it goes on. */
function afterSection(renderer: Renderer, run: () => Promise<unknown>): void {
  const replaceSection = renderer.replaceSection.bind(renderer)
  renderer.replaceSection = async (...asked) => {
    const replaced = await replaceSection(...asked)
    await run()
    return replaced
  }
}

test('attack 133: while a section is looked for, others write; an entry that changed meanwhile is a conflict', async () => {
  await using site = await openContentSite()
  const { item } = await site.ok('create', { type: 'page', title: 'About', body })
  let written = 0
  // Would wait for ever if the section were looked for under the writer.
  afterSection(site.services.renderer, () => site.ok('update', { id: item.id, title: `About ${++written}` }))
  const failure = await site.fails('edit', { id: item.id, edits: [{ section: 'one', text: 'new' }] })
  assert.deepEqual([failure.code, failure.revision, written], ['conflict', 2, 1])
  const after = await site.ok('get', { id: item.id })
  assert.deepEqual([after.item.title, after.item.body], ['About 1', body])
})

test('an edit by section, and others before and after it, are made in their order', async () => {
  await using site = await openContentSite()
  const { item } = await site.ok('create', { type: 'page', title: 'About', body })
  const edits = [{ find: '# Two', replace: '# Three' }, { section: 'three', text: 'gamma' }, { append: 'end' }]
  await site.ok('edit', { id: item.id, edits })
  assert.equal((await site.ok('get', { id: item.id })).item.body, '# One\n\nalpha\n\n# Three\n\ngamma\n\nend')
})

test('an edit by section that is sent again with its key is answered as before', async () => {
  await using site = await openContentSite()
  const { item } = await site.ok('create', { type: 'page', title: 'About', body })
  const call = {
    id: item.id,
    edits: [
      { section: 'one', text: 'new' },
      { find: 'beta', replace: 'gone' },
    ],
    idempotency_key: 'once',
  }
  const first = await site.ok('edit', call)
  assert.deepEqual((await site.ok('edit', call)).item, first.item)
})

test('a failure of an edit by section names the edit, and changes nothing', async () => {
  await using site = await openContentSite()
  const { item } = await site.ok('create', { type: 'page', title: 'About', body })
  const failure = await site.fails('edit', { id: item.id, edits: [{ append: 'x' }, { section: 'nine', text: 'new' }] })
  assert.deepEqual([failure.code, failure.field, failure.expected], ['invalid', 'edits.1.section', ['one', 'two']])
  assert.equal((await site.ok('get', { id: item.id })).item.body, body)
})
