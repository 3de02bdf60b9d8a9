// What a model or a script meets that writes a call a little differently, or asks for a lot: hints, short forms, and answers that fit a turn.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
before(async () => {
  site = await openSite()
})
after(() => site[Symbol.asyncDispose]())

const tool = async (name: string, input: object) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } })
  return (await site.send('/mcp/', { method: 'POST', headers: { 'content-type': 'application/json' }, body })).json
}
const post = (body: object) => site.send('/api/', { method: 'POST', body: JSON.stringify(body) })

/** The failure of a call, as both doors tell it. */
async function refusalOf(call: { class?: string; action: string; arguments?: object }) {
  const { error } = (await post(call)).json
  const { result } = await tool('SVC_API__call-action', call)
  assert.deepEqual(result.structuredContent.error, error)
  return error
}

const options = { dry_run: true, select: ['title'], if_revision: 1, idempotency_key: 'k' }
for (const [name, value] of Object.entries(options)) {
  test(`${name} inside arguments is refused with the hint to move it out, on both doors`, async () => {
    const error = await refusalOf({ action: 'SVC_Content.update', arguments: { id: '/x', title: 'X', [name]: value } })
    assert.deepEqual([error.code, error.field], ['invalid', name])
    assert.match(error.hint, new RegExp(`^\`${name}\` is an option .*beside \`action\` and \`arguments\`.*not inside`))
  })
}

test('an option inside of a call of a batch is refused with the hint where it belongs', async () => {
  const calls = [{ action: 'SVC_Content.update', dry_run: true, arguments: { id: '/x' } }]
  const error = await refusalOf({ action: 'SVC_API.batch', arguments: { calls } })
  assert.equal(error.field, 'calls.0.dry_run')
  assert.match(error.hint, /`dry_run` is an option/)
})

for (const action of ['SVC_Content__get', 'SVC_Content__no-such', 'NO_Such__thing']) {
  test(`${action}, the spelling of the tools, is answered with that of actions, whether or not there is such an action`, async () => {
    const dotted = action.replace('__', '.')
    const error = await refusalOf({ action, arguments: { id: '/x' } })
    assert.deepEqual(
      [error.code, error.message, error.hint],
      ['unknown_action', `Unknown tool: ${action}`, `Actions are named with a dot: ${dotted}`],
    )
    const twice = await refusalOf({ class: 'SVC_Content', action, arguments: { id: '/x' } })
    assert.equal(twice.hint, `Actions are named with a dot: ${dotted}`)
    const described = await refusalOf({ action: 'SVC_API.describe-action', arguments: { action } })
    assert.equal(described.hint, `Actions are named with a dot: ${dotted}`)
    const inBatch = await refusalOf({ action: 'SVC_API.batch', arguments: { calls: [{ action }] } })
    assert.equal(inBatch.hint, `Actions are named with a dot: ${dotted}`)
    const { error: asTool } = await tool(action, { id: '/x' })
    assert.equal(asTool.code, -32602)
    assert.equal(
      asTool.message,
      `Unknown tool: ${action}. Call SVC_API__call-action with {"action": "${dotted}", "arguments": {"id":"/x"}}`,
    )
  })
}

test('describe-action answers input and output as short types, and with `full` as JSON Schema', async () => {
  const { items } = await site.call('SVC_API.list-actions', { full: true })
  const all = items.map((one: { class: string; action: string }) => `${one.class}.${one.action}`)
  const describe = (action: unknown, more: object = {}) =>
    site.call('SVC_API.describe-action', { arguments: { action, ...more } })
  const sizes = { short: 0, full: 0 }
  for (const action of all) {
    const [short, full] = [await describe(action), await describe(action, { full: true })]
    assert.equal(typeof short.output, 'string', action)
    assert.equal(typeof full.output, 'object', action)
    assert.deepEqual([typeof short.input, typeof full.input], ['string', 'object'], action)
    assert.deepEqual({ ...short, input: full.input, output: full.output }, full, 'nothing else differs')
    sizes.short += JSON.stringify(short).length
    sizes.full += JSON.stringify(full).length
  }
  assert.ok(sizes.short < 0.42 * sizes.full, JSON.stringify(sizes))
  const { output } = await describe('SVC_Docs.list')
  assert.match(output, /^\{ items: \{ doc: string; /)
  const several = await describe(['SVC_Content.get', 'SVC_Content.list'], { full: true })
  assert.ok(several.items.every((one: { output: unknown }) => typeof one.output === 'object'))
})

/** What actions need besides `ids`. */
const needs = { expect: 1, set: { position: 1 }, into: 'category/x', status: 'spam' }

test('every action that takes `ids` takes one `id`, and one of both where it needs them', async () => {
  const { items } = await site.call('SVC_API.list-actions', { full: true })
  const found: string[] = []
  for (const one of items) {
    const action = `${one.class}.${one.action}`
    const { input } = await site.call('SVC_API.describe-action', { arguments: { action, full: true } })
    if (!('ids' in input.properties)) continue
    found.push(action)
    assert.equal(input.properties.id?.type, 'string', action)
    const given = Object.entries(needs).filter(([name]) => name in input.properties)
    const needed = Object.fromEntries(given)
    const both = await site.api(action, { id: 'x', ids: ['x'], ...needed })
    assert.deepEqual([both.json.error.code, both.json.error.field], ['invalid', 'id'], action)
    const neither = await site.api(action, needed)
    assert.deepEqual([neither.json.error.code, neither.json.error.field], ['invalid', 'ids'], action)
    const nothing = await site.api(action, { id: 'no-such-thing', ...needed })
    assert.ok(['not_found', 'unknown_action'].includes(nothing.json.error.code), `${action}: ${nothing.text}`)
  }
  assert.ok(found.length >= 7, found.join(', '))
})

test('`id` does what `ids` with one does: delete, restore, purge, undo, and in a batch', async () => {
  const { item, activity_id: made } = await site.call('SVC_Content.create', { type: 'page', title: 'One' })
  assert.deepEqual((await site.call('SVC_Content.delete', { id: item.id })).done, [item.id])
  assert.deepEqual((await site.call('SVC_Content.restore', { id: '/one' })).done, [item.id])
  const calls = [
    { action: 'SVC_Content.create', arguments: { type: 'page', title: 'Two' } },
    { action: 'SVC_Content.delete', arguments: { id: '$0.item.id' } },
  ]
  const { results } = await site.call('SVC_API.batch', { calls })
  assert.deepEqual(results[1].done, [results[0].item.id])
  assert.deepEqual((await site.call('SVC_Content.purge', { id: results[0].item.id, expect: 1 })).done, [results[0].item.id])
  assert.deepEqual((await site.call('SVC_Activity.undo', { id: made, force: true })).done, [made])
})

test('publish takes the date by the name that create has for it, and by the old one', async () => {
  const at = '2099-01-01T09:00:00.000Z'
  const dates = await Promise.all(
    ['published_at', 'at'].map(async (name) => {
      const { item } = await site.call('SVC_Content.create', { type: 'post', title: `By ${name}` })
      return (await site.call('SVC_Content.publish', { id: item.id, [name]: at })).item.published_at
    }),
  )
  assert.deepEqual(dates, [at, at])
  const both = await site.api('SVC_Content.publish', { id: '/by-at', published_at: at, at })
  assert.deepEqual([both.json.error.code, both.json.error.field], ['invalid', 'at'])
  const wrong = await site.api('SVC_Content.publish', { id: '/by-at', published_at: 'noon' })
  assert.equal(wrong.json.error.field, 'published_at')
})

test('the dry run of a long undo fits a turn: counts, the first of each kind, and how one is seen', async () => {
  const since = new Date(Date.now() - 1).toISOString()
  const body = 'A paragraph of some length, as pages have them. '.repeat(60)
  for (let at = 0; at < 3; at++)
    await site.call('SVC_API.batch', {
      calls: Array.from({ length: 15 }, (_, number) => ({
        action: 'SVC_Content.create',
        arguments: { type: 'post', title: `Long ${at} ${number}`, body },
      })),
    })
  for (let at = 0; at < 25; at++) await site.call('SVC_Content.update', { id: '/long-0-0', title: `Long, ${at}` })
  const answer = await site.api('SVC_Activity.undo', { since, by: 'owner@example.org', dry_run: true })
  const { done, counts, diff, truncated, diff_summary: summary } = answer.json.data
  assert.ok(answer.text.length / 4 < 3000, `${answer.text.length / 4} tokens`)
  assert.deepEqual([truncated, done.length, counts.done], [true, 20, 28])
  assert.equal(summary.things, 45)
  const kinds = diff.map((row: { field: string }) => row.field)
  assert.equal(new Set(kinds).size, kinds.length)
  assert.ok(summary.counts.some((one: { kind: string; field: string; rows: number }) => one.field === 'body' && one.rows === 45))
  const one = await site.call('SVC_Activity.undo', { id: done[0], dry_run: true })
  assert.equal(one.truncated, undefined, summary.hint)
  assert.deepEqual(
    one.diff.map((row: { field: string }) => row.field),
    ['title'],
  )

  const { items } = await site.call('SVC_Activity.list', { where: { call: 'SVC_API.batch' }, limit: 1 })
  const record = await site.call('SVC_Activity.get', { id: items[0].id })
  assert.equal(record.item.truncated, true)
  assert.match(record.item.diff_summary.hint, /`object`/)
  const object = record.item.diff[0].id
  const whole = (await site.call('SVC_Activity.get', { id: items[0].id, object })).item
  assert.equal(whole.truncated, false)
  assert.ok(whole.diff.length > 5 && whole.diff.every((row: { id: string }) => row.id === object))
  assert.ok(
    whole.diff.some((row: { after: unknown }) => String(row.after).length > 1000),
    'in full',
  )
  const none = await site.api('SVC_Activity.get', { id: items[0].id, object: 'nothing' })
  assert.equal(none.json.error.code, 'not_found')

  const real = await site.call('SVC_Activity.undo', { since, by: 'owner@example.org' })
  assert.equal(real.done.length, 28, 'what was done is told whole')
})
