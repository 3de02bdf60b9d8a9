// What a limited caller is told before it is refused: its limits in welcome, the list of actions without those that the limits
// always refuse, the annotation of the tool, and in each answer that waits for a person who decides where.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSite, type TestSite } from '../site.ts'

type Input = Readonly<Record<string, unknown>>

let site: TestSite
before(async () => {
  site = await openSite()
})
after(() => site[Symbol.asyncDispose]())

async function makeToken(limits: Input, scope = 'content', more: Input = {}): Promise<string> {
  const made = await site.call('SVC_Tokens.create', { name: `limited ${Math.random()}`, scope, limits, ...more })
  return made.token as string
}
const as = async (token: string, call: string, input: Input = {}) => {
  const { json, text } = await site.api(call, input, { token })
  assert.equal(json.success, true, text)
  return json.data
}
const limitsOf = async (token: string) => (await as(token, 'SVC_API.welcome')).you.limits
const namesOf = async (token: string): Promise<string[]> =>
  (await as(token, 'SVC_API.list-actions', { arguments: { full: true } })).items.map(
    (one: { class: string; action: string }) => `${one.class}.${one.action}`,
  )
const callTool = async (token: string) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const headers = { 'content-type': 'application/json' }
  const { json } = await site.send('/mcp/', { method: 'POST', headers, body, token })
  return json.result.tools[2]
}

/** Limits, and what welcome says about them. */
const rows: readonly { limits: Input; data: Input; says: RegExp }[] = [
  { limits: {}, data: {}, says: /^You may do all that your tier allows\. At most \d+ calls a minute\.$/ },
  {
    limits: { drafts_only: true },
    data: { drafts_only: true },
    says: /^You write drafts\..*propose a publication with SVC_Proposals/,
  },
  {
    limits: { ask: ['SVC_Content.*'] },
    data: { asks_first: ['SVC_Content.*'] },
    says: /A person approves first: SVC_Content\.\*\./,
  },
  { limits: { ask: ['*'] }, data: { asks_first: ['*'] }, says: /A person approves first: whatever you change\./ },
  { limits: { types: ['post'] }, data: { types: ['post'] }, says: /only entries of the types post\./ },
  {
    limits: { classes: ['SVC_Content'] },
    data: { classes: ['SVC_Content'] },
    says: /only actions of SVC_Content, SVC_API, SVC_Docs\./,
  },
  { limits: { addresses: ['127.0.0.1'] }, data: { addresses: ['127.0.0.1'] }, says: /from 127\.0\.0\.1 only\./ },
  { limits: { per_minute: 50 }, data: { calls_per_minute: 50 }, says: /At most 50 calls a minute\.$/ },
]
for (const { limits, data, says } of rows)
  test(`welcome says ${JSON.stringify(limits)} in words and as data`, async () => {
    const { says: said, calls_per_minute: perMinute, calls_left: _, ...told } = await limitsOf(await makeToken(limits))
    assert.match(said, says)
    const { calls_per_minute: expected = perMinute, ...others } = data
    assert.deepEqual([told, perMinute], [others, expected])
  })

test('welcome says how many calls are left, also when the rest of it is answered from memory', async () => {
  const token = await makeToken({ per_minute: 50 })
  const first = await limitsOf(token)
  const second = await limitsOf(token)
  assert.deepEqual([first.calls_left, second.calls_left], [49, 48])
})

test('limits that tighten are told at once, and a contributor is told those of the role', async () => {
  const made = await site.call('SVC_Tokens.create', { name: 'tightens', scope: 'content' })
  await limitsOf(made.token as string)
  await site.call('SVC_Tokens.update', { id: made.item.id, limits: { types: ['post'] } })
  assert.deepEqual((await limitsOf(made.token as string)).types, ['post'])
  await site.call('SVC_Accounts.create', { email: 'con@example.org', name: 'Con', role: 'contributor' })
  const token = await makeToken({ types: ['page'] }, 'content', { account: 'con@example.org' })
  const told = await limitsOf(token)
  assert.deepEqual([told.drafts_only, told.own_entries_only, told.types], [true, true, ['page']])
})

test('list-actions leaves out what the limits always refuse and counts it; it is described, and refused by its rule', async () => {
  const token = await makeToken({ drafts_only: true }, 'admin')
  const all = await namesOf(site.token)
  const mine = await namesOf(token)
  const { left_out: leftOut } = await as(token, 'SVC_API.list-actions')
  assert.equal(leftOut, all.length - mine.length)
  for (const name of ['SVC_Settings.update', 'SVC_Menus.create', 'SVC_Proposals.approve', 'SVC_Accounts.update']) {
    assert.ok(all.includes(name) && !mine.includes(name), name)
    assert.equal((await as(token, 'SVC_API.describe-action', { arguments: { action: name } })).action, name.split('.')[1])
  }
  assert.ok(mine.includes('SVC_Content.publish'), 'what limits refuse for some entries only is listed')
  const { json } = await site.api('SVC_Menus.create', { slug: 'm', name: 'M' }, { token })
  assert.deepEqual([json.error.code, /drafts_only/.test(json.error.rule)], ['refused', true])
  assert.match(json.error.hint, /^Do what your limits allow/)
  assert.equal((await as(token, 'SVC_API.list-actions', { arguments: { class: 'SVC_Content' } })).left_out, undefined)
  const searched = await as(token, 'SVC_API.list-actions', { arguments: { search: 'SVC_Menus' } })
  assert.ok(searched.left_out > 0, 'a search counts them too')
})

test('attack 78: the count tells of nothing beyond the tier of the caller, and of no class that is hidden from it', async () => {
  const full = { arguments: { full: true } }
  const plain = await as(await makeToken({}), 'SVC_API.list-actions', full)
  assert.equal(plain.left_out, undefined)
  const asking = await as(await makeToken({ ask: ['*'] }), 'SVC_API.list-actions', full)
  assert.equal(asking.left_out, undefined)
  assert.equal(asking.items.length, plain.items.length)
  const one = await as(await makeToken({ classes: ['SVC_Content'] }), 'SVC_API.list-actions')
  assert.equal(one.left_out, undefined)
  // In the tier content, drafts_only refuses the terms, menus and files of the site, and nothing that only an admin may call counts.
  const token = await makeToken({ drafts_only: true })
  const { left_out: leftOut } = await as(token, 'SVC_API.list-actions')
  assert.equal(leftOut, plain.items.length - (await namesOf(token)).length)
  const settings = await site.api('SVC_Settings.update', { set: {} }, { token })
  assert.equal(settings.json.error.code, 'unknown_action')
})

test('the call tool is annotated as reading for a caller who can only read, and nothing else differs', async () => {
  const [writer, reader, drafter] = [
    await callTool(site.token),
    await callTool(await makeToken({}, 'read')),
    await callTool(await makeToken({ drafts_only: true })),
  ]
  assert.deepEqual(
    [writer, reader, drafter].map(({ annotations }) => [annotations.readOnlyHint, annotations.destructiveHint]),
    [
      [false, true],
      [true, false],
      [false, true],
    ],
  )
  const { annotations: _of, ...rest } = writer
  const { annotations: _other, ...others } = reader
  assert.deepEqual(others, rest)
})

test('each answer that waits for a person has a sentence, the page where it is decided and the call that shows the state', async () => {
  const { item } = await site.call('SVC_Content.create', { type: 'page', title: 'Waits', status: 'published', body: 'Here.' })
  const [asking, drafter] = [await makeToken({ ask: ['*'] }), await makeToken({ drafts_only: true })]
  const answers = [
    await as(asking, 'SVC_Content.update', { id: item.id, title: 'Proposed' }),
    await as(asking, 'SVC_Content.publish', { id: item.id }),
    await as(drafter, 'SVC_Content.update', { id: item.id, excerpt: 'Staged' }),
    await as(drafter, 'SVC_Content.replace-all', { find: 'Here', replace: 'There', expect: 1 }),
    await as(drafter, 'SVC_Content.create', { type: 'page', title: 'A draft' }),
    await as(site.token, 'SVC_Content.update', { id: item.id, body: 'Staged too.', stage: true }),
    await as(drafter, 'SVC_Content.update-many', { ids: [item.id], set: { excerpt: 'Many' }, expect: 1 }),
    await as(drafter, 'SVC_Proposals.create', {
      title: 'x',
      calls: [{ action: 'SVC_Content.publish', arguments: { id: item.id } }],
    }),
  ]
  for (const { waits } of answers) {
    assert.match(waits.says, /not public yet|Nothing is (?:changed or )?public yet/)
    assert.ok(
      waits.says.includes(waits.decide_at) && waits.decide_at.startsWith(`${new URL(site.base).origin}/admin/`),
      waits.says,
    )
    const [call, input = '{}'] = waits.next.split(/ (.*)/s)
    await as(asking, call, JSON.parse(input))
  }
  assert.equal((await as(site.token, 'SVC_Content.update', { id: item.id, excerpt: 'At once' })).waits, undefined)
})

test('a drafts-only client that may not publish is told to propose, and the proposal publishes what was shown', async () => {
  const token = await makeToken({ drafts_only: true })
  const { item } = await as(token, 'SVC_Content.create', { type: 'page', title: 'Mine' })
  const refused = await site.api('SVC_Content.publish', { id: item.id }, { token })
  assert.match(refused.json.error.hint, /propose this call with SVC_Proposals\.create/)
  const calls = [{ action: 'SVC_Content.publish', arguments: { id: item.id } }]
  const proposed = await as(token, 'SVC_Proposals.create', { title: 'Publish it', calls })
  const { digest } = (await site.call('SVC_Proposals.get', { id: proposed.item.id })).item
  await site.call('SVC_Proposals.approve', { id: proposed.item.id, digest })
  assert.equal((await site.call('SVC_Content.get', { id: item.id })).item.status, 'published')
})
