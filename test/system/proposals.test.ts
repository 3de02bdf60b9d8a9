// Calls that wait for an admin: a token whose limits say so proposes instead of writing, on both doors and by every way around. An admin approves or
// rejects, and the approval runs exactly what was proposed, or nothing.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
let asking: string
before(async () => {
  site = await openSite()
  await site.call('SVC_Content.create', { type: 'page', title: 'Contact', status: 'published', body: 'Call 555 0100.' })
  asking = await makeToken({ ask: ['SVC_Content.*'] })
})
after(() => site[Symbol.asyncDispose]())

async function makeToken(limits: Readonly<Record<string, unknown>>, scope = 'content'): Promise<string> {
  const name = `asks ${Math.random()}`
  return ((await site.call('SVC_Tokens.create', { name, scope, limits })) as { token: string }).token
}

/** Approves what `get` shows, as somebody does who looked. */
async function approve(id: string, more: Readonly<Record<string, unknown>> = {}, token = site.token) {
  const { item } = await site.call('SVC_Proposals.get', { id })
  return site.api('SVC_Proposals.approve', { id, digest: item.digest ?? 'none', ...more }, { token })
}

async function approved(id: string, more: Readonly<Record<string, unknown>> = {}) {
  const { json, text } = await approve(id, more)
  assert.equal(json.success, true, text)
  return json.data
}

const bodyOf = async (id: string): Promise<string> => (await site.call('SVC_Content.get', { id })).item.body
const edit = { id: '/contact', edits: [{ find: '555 0100', replace: '555 0199' }] }
const waits = async (call: string, input: Readonly<Record<string, unknown>>, token = asking) => {
  const answer = await site.api(call, input, { token })
  assert.deepEqual([answer.status, answer.json.success, answer.json.data?.pending], [202, true, true], answer.text)
  return answer.json.data as { proposal: { id: string }; diff: { field: string; before: string; after: string }[] }
}

test('a write waits, tells what it would change, and runs as it was proposed once an admin approves it', async () => {
  const { proposal, diff } = await waits('SVC_Content.edit', edit)
  assert.deepEqual(
    diff.map(({ field }) => field),
    ['body'],
  )
  assert.equal(await bodyOf('/contact'), 'Call 555 0100.')
  const { item } = await site.call('SVC_Proposals.get', { id: proposal.id })
  assert.deepEqual([item.state, item.stale, item.problem, item.diff[0].after], ['waiting', false, null, 'Call 555 0199.'])
  const done = await approved(proposal.id, { note: 'Thanks.' })
  assert.equal(await bodyOf('/contact'), 'Call 555 0199.')
  const seen = await site.api('SVC_Proposals.get', { id: proposal.id }, { token: asking })
  assert.deepEqual([seen.json.data.item.state, seen.json.data.item.answer], ['approved', 'Thanks.'])
  const [revision] = (await site.call('SVC_Content.revisions', { id: '/contact', limit: 1 })).items
  assert.match(revision.token_name, /^asks/)
  assert.deepEqual([revision.by, revision.accepted_by], ['Owner', 'Owner'])
  const record = await site.call('SVC_Activity.get', { id: done.activity_id })
  assert.match(record.item.input.proposed_through, /^asks/)
  assert.deepEqual(
    [record.item.by, record.item.token_name, record.item.accepted_by],
    [revision.by, revision.token_name, revision.accepted_by],
    'revisions and activity name the same author',
  )
  const again = await approve(proposal.id)
  assert.equal(again.json.error.code, 'refused')
  await site.call('SVC_Activity.undo', { ids: [done.activity_id] })
  assert.equal(await bodyOf('/contact'), 'Call 555 0100.')
  assert.equal((await site.call('SVC_Proposals.get', { id: proposal.id })).item.state, 'waiting')
  await site.call('SVC_Proposals.reject', { id: proposal.id, note: 'Not now.' })
})

test('over MCP the answer is no error, and says that it waits', async () => {
  const params = { name: 'SVC_API__call-action', arguments: { action: 'SVC_Content.edit', arguments: edit } }
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const { json } = await site.send('/mcp/', { method: 'POST', headers, body, token: asking })
  assert.notEqual(json.result.isError, true)
  assert.equal(json.result.structuredContent.data.pending, true)
  await site.call('SVC_Proposals.reject', { id: json.result.structuredContent.data.proposal.id })
})

test('a call that would fail fails at once, and nothing is stored', async () => {
  const count = async () => (await site.call('SVC_Proposals.list', { count: true })).total
  const before = await count()
  const rows: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
    ['SVC_Content.edit', { id: '/nowhere', edits: edit.edits }, 'not_found'],
    ['SVC_Content.edit', { ...edit, edits: [{ find: 'nothing like it', replace: '' }] }, 'conflict'],
    ['SVC_Content.create', { type: 'page' }, 'invalid'],
    ['SVC_Settings.update', { set: { site_title: 'x' } }, 'unknown_action'],
  ]
  for (const [call, input, code] of rows) {
    const { json, text } = await site.api(call, input, { token: asking })
    assert.equal(json.error?.code, code, text)
  }
  assert.equal(await count(), before)
})

test('attack 140: no way around: a batch, an undo, and a token that the token makes wait as well', async () => {
  const { proposal } = await waits('SVC_API.batch', {
    calls: [{ action: 'SVC_API.welcome' }, { action: 'SVC_Content.edit', arguments: edit }],
  })
  await site.call('SVC_Proposals.reject', { id: proposal.id })
  const made = await site.call('SVC_Content.create', { type: 'page', title: 'Taken back?' })
  await waits('SVC_Activity.undo', { ids: [made.activity_id] })
  assert.equal((await site.call('SVC_Content.get', { id: made.item.id })).item.status, 'draft')
  const admin = await makeToken({ ask: ['SVC_Content.*'] }, 'admin')
  const wider = { name: 'wider', scope: 'content', limits: { ask: ['SVC_Content.create'] } }
  assert.equal((await site.api('SVC_Tokens.create', wider, { token: admin })).json.error.code, 'refused')
  const same = { name: 'same', scope: 'content', limits: { ask: ['*'] } }
  assert.equal((await site.api('SVC_Tokens.create', same, { token: admin })).json.success, true)
  const own = await waits('SVC_Content.edit', edit, admin)
  assert.equal((await approve(own.proposal.id, {}, admin)).json.error.code, 'refused')
  assert.equal(await bodyOf('/contact'), 'Call 555 0100.')
  await site.call('SVC_Proposals.reject', { id: own.proposal.id })
})

test('what has changed since is a conflict, and nothing is done', async () => {
  const { proposal } = await waits('SVC_Content.edit', edit)
  await site.call('SVC_Content.update', { id: '/contact', title: 'Contact us' })
  assert.equal((await site.call('SVC_Proposals.get', { id: proposal.id })).item.stale, true)
  const { json, status } = await approve(proposal.id)
  assert.deepEqual([status, json.error.code, json.error.changes[0].kind], [409, 'conflict', 'entry'])
  assert.equal(await bodyOf('/contact'), 'Call 555 0100.')
})

test('changes that wait for an entry count: a proposal of such changes is not run on others', async () => {
  const stage = { id: '/contact', body: 'Call 555 0122.', stage: true }
  const { proposal } = await waits('SVC_Content.update', stage)
  await site.call('SVC_Content.update', { id: '/contact', body: 'Write to us.', stage: true })
  assert.equal((await site.call('SVC_Proposals.get', { id: proposal.id })).item.stale, true)
  const refused = await approve(proposal.id)
  assert.deepEqual([refused.json.error.code, refused.json.error.changes[0].kind], ['conflict', 'entry'])
  await site.call('SVC_Proposals.reject', { id: proposal.id })
  const again = await waits('SVC_Content.update', stage)
  await approved(again.proposal.id)
  await site.call('SVC_Content.discard', { id: '/contact' })
})

test('of several proposed calls some can be chosen, and one key proposes once', async () => {
  const page = (title: string) => ({ action: 'SVC_Content.create', arguments: { type: 'page', title } })
  const input = { calls: [page('First of two'), page('Second of two')] }
  const { proposal } = await waits('SVC_API.batch', { ...input, idempotency_key: 'twice' })
  const again = await waits('SVC_API.batch', { ...input, idempotency_key: 'twice' })
  assert.equal(again.proposal.id, proposal.id)
  const others: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['SVC_API.batch', { calls: [page('First of two'), page('Third of two')] }],
    ['SVC_Content.create', { type: 'page', title: 'First of two' }],
    ['SVC_Terms.create', { taxonomy: 'tag', name: 'Needs no approval' }],
  ]
  for (const [call, given] of others) {
    const { json } = await site.api(call, { ...given, idempotency_key: 'twice' }, { token: asking })
    assert.equal(json.error?.code, 'key_reused', call)
  }
  await site.api('SVC_Terms.create', { taxonomy: 'tag', name: 'Direct', idempotency_key: 'direct' }, { token: asking })
  const crossed = await site.api('SVC_Content.create', { ...others[1]?.[1], idempotency_key: 'direct' }, { token: asking })
  assert.equal(crossed.json.error?.code, 'key_reused')
  assert.equal((await approve(proposal.id, { only: [7] })).json.error.code, 'invalid')
  await approved(proposal.id, { only: [1] })
  const { items } = await site.call('SVC_Content.list', { where: { title: { has: 'of two' } } })
  assert.deepEqual(
    items.map(({ title }: { title: string }) => title),
    ['Second of two'],
  )
})

test('attack 84: a reader sees no proposal whose calls it could not make, and the proposer sees its own', async () => {
  const account = { email: 'reader@example.org', name: 'Reader', role: 'read' }
  await site.call('SVC_Accounts.create', account)
  const made = await site.call('SVC_Tokens.create', { name: 'reader', scope: 'read', account: account.email })
  const reader = (made as { token: string }).token
  const { proposal } = await waits('SVC_Content.edit', edit)
  assert.equal((await site.api('SVC_Proposals.get', { id: proposal.id }, { token: reader })).json.error.code, 'not_found')
  assert.deepEqual((await site.api('SVC_Proposals.list', {}, { token: reader })).json.data.items, [])
  assert.equal((await site.api('SVC_Proposals.get', { id: proposal.id }, { token: asking })).json.success, true)
})

test('what can not wait is refused: calls with secrets, and work that outlasts a call', async () => {
  const all = await makeToken({ ask: ['*'] }, 'admin')
  const { json } = await site.api('SVC_Backup.create', {}, { token: all })
  assert.equal(json.error.code, 'refused')
  assert.match(json.error.message, /can't wait/)
})

test('an unknown action in limits.ask is invalid, and the nearest is named', async () => {
  const { json } = await site.api('SVC_Tokens.create', { name: 'x', scope: 'content', limits: { ask: ['SVC_Content.edt'] } })
  assert.deepEqual([json.error.code, json.error.field, json.error.nearest[0]], ['invalid', 'limits.ask.0', 'SVC_Content.edit'])
})

test('ask refuses at once what could never be approved, and stores nothing', async () => {
  const all = await makeToken({ ask: ['*'] }, 'admin')
  const uploads = await makeToken({ ask: ['SVC_Media.upload'] })
  const count = async () => (await site.call('SVC_Proposals.list', { count: true })).total
  const before = await count()
  const page = { action: 'SVC_Content.create', arguments: { type: 'page', title: 'Nested' } }
  const link = { filename: 'a.svg', bytes: 100 }
  const { upload_id: file } = await site.call('SVC_Media.begin-upload', { ...link, keep: true })
  const rows: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
    ['SVC_Media.begin-upload', link, all],
    ['SVC_Media.begin-upload', { ...link, keep: true }, all],
    ['SVC_Proposals.create', { title: 'Proposed twice', calls: [page] }, all],
    ['SVC_Proposals.approve', { id: 'x' }, all],
    ['SVC_Plugins.activate', { id: 'x', may: [] }, all],
    ['SVC_Media.upload', { upload_id: file, filename: 'a.svg' }, all],
    ['SVC_Media.upload', { upload_id: file, filename: 'a.svg' }, uploads],
    ['SVC_Media.begin-upload', link, uploads],
    // By a proposal, it is the same.
    [
      'SVC_Proposals.create',
      { title: 'A batch in a batch', calls: [{ action: 'SVC_API.batch', arguments: { calls: [page] } }] },
      site.token,
    ],
    ['SVC_Proposals.create', { title: 'A link', calls: [{ action: 'SVC_Media.begin-upload', arguments: link }] }, site.token],
  ]
  for (const [call, input, token] of rows) {
    const { json, text } = await site.api(call, input, { token })
    assert.equal(json.error?.code, 'refused', `${call}: ${text}`)
  }
  assert.equal(await count(), before)
  const kept = await site.api('SVC_Media.begin-upload', { ...link, keep: true }, { token: uploads })
  assert.equal(kept.json.success, true, 'a file that another call uses')
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>').toString('base64')
  const { proposal } = await waits('SVC_Media.upload', { base64: svg, filename: 'waits.svg' }, all)
  assert.equal((await approve(proposal.id)).json.success, true)
})
