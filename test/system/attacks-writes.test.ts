// Attacks through writes on the running service, each by its number: tiers, keys, races, cursors, text that means harm.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readRows } from '../rows.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
const tokens = { read: '', content: '' }
before(async () => {
  site = await openSite()
  for (const scope of ['read', 'content'] as const)
    tokens[scope] = (await site.call('SVC_Tokens.create', { name: scope, scope })).token as string
})
after(() => site[Symbol.asyncDispose]())

const as = (token: string) => ({ token })

const mcpCall = (name: string, args: Record<string, unknown>, token: string) =>
  site.send('/mcp/', {
    method: 'POST',
    token,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })

test('attack 78: a hidden action is told in the same bytes as an invented one, through call, describe, batch and search, on both doors', async () => {
  const tell = async (action: string, token: string) => {
    const [ofClass, name] = action.split('.')
    const answers = [
      await site.api(action, {}, { token }),
      await site.api(action, { id: 'x', dry_run: true, if_revision: 3, surely_no_option: 1 }, { token }),
      await site.api('SVC_API.describe-action', { arguments: { class: ofClass, action: name } }, { token }),
      await site.api('SVC_API.describe-action', { arguments: { action: ['SVC_API.welcome', action] } }, { token }),
      await site.api('SVC_API.batch', { calls: [{ action: 'SVC_API.welcome' }, { action, arguments: {} }] }, { token }),
      await site.api('SVC_API.list-actions', { search: name }, { token }),
      await mcpCall('SVC_API__call-action', { action }, token),
      await mcpCall('SVC_API__describe-action', { action }, token),
    ]
    return answers.map(({ status, text }) => `${status} ${text.replaceAll(action, 'ASKED').replaceAll(name ?? '', 'NAME')}`)
  }
  for (const [hidden, invented] of [
    ['SVC_Tokens.rotate', 'SVC_Tokens.rotaxe'],
    ['SVC_Settings.update', 'SVC_Settings.opdate'],
    ['SVC_Content.purge', 'SVC_Content.gurpe'],
  ] as const) {
    assert.deepEqual(await tell(hidden, tokens.read), await tell(invented, tokens.read), hidden)
  }
})

test('attack 85: “content” neither undoes an admin’s action nor batches one, and nothing of the batch is kept', async () => {
  const { activity_id: id } = await site.call('SVC_Settings.update', { set: { site_title: 'Renamed' } })
  const undone = await site.api('SVC_Activity.undo', { ids: [id as string] }, as(tokens.content))
  assert.equal(undone.json.success, false)
  assert.ok(['not_found', 'unknown_action'].includes(undone.json.error.code as string), undone.text)
  const rows = await readRows(site.home)
  const calls = [
    { action: 'SVC_Content.create', arguments: { type: 'post', title: 'Batched' } },
    { action: 'SVC_Settings.update', arguments: { set: { site_title: 'Taken' } } },
  ]
  const batched = await site.api('SVC_API.batch', { calls }, as(tokens.content))
  assert.equal(batched.json.error.message, 'Unknown tool: SVC_Settings.update')
  assert.deepEqual(await readRows(site.home), rows)
  assert.equal(
    (await site.call('SVC_Settings.list')).items.find((one: { key: string }) => one.key === 'site_title').value,
    'Renamed',
  )
})

test('attack 85: a batch goes into no batch, and an undo revives no revoked token', async () => {
  const nested = await site.api('SVC_API.batch', { calls: [{ action: 'SVC_API.batch', arguments: { calls: [] } }] })
  assert.equal(nested.json.error.code, 'refused')
  const made = await site.call('SVC_Tokens.create', { name: 'short-lived', scope: 'read' })
  const revoked = await site.call('SVC_Tokens.revoke', { ids: [made.item.id as string], expect: 1 })
  const undo = await site.api('SVC_Activity.undo', { ids: [revoked.activity_id as string] })
  assert.equal(undo.json.success, false)
  assert.equal((await site.call('SVC_API.welcome', {}, as(made.token as string))).you.token, null)
})

test('attack 86: another caller’s idempotency_key gets an answer of its own; the same key with another body is 409', async () => {
  const call = (title: string, token: string) =>
    site.api('SVC_Content.create', { type: 'post', title, idempotency_key: 'one-key' }, { token })
  const [first, again, other, changed] = [
    await call('Once', site.token),
    await call('Once', site.token),
    await call('Once', tokens.content),
    await call('Twice', site.token),
  ]
  assert.deepEqual(again.json, first.json)
  assert.notEqual(other.json.data.item.id, first.json.data.item.id)
  assert.equal(changed.status, 409)
  assert.equal(changed.json.error.code, 'key_reused')
})

test('attack 86: of ten writes at once under one key one runs, and all hear its answer', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => site.api('SVC_Content.create', { type: 'post', title: 'Raced', idempotency_key: 'race' })),
  )
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.equal((await site.call('SVC_Content.list', { where: { title: 'Raced' }, count: true })).total, 1)
})

test('attack 86: a token minted under a key is answered once; the replay comes without it', async () => {
  const mint = () => site.call('SVC_Tokens.create', { name: 'keyed', scope: 'read', idempotency_key: 'mint' })
  const [first, again] = [await mint(), await mint()]
  assert.match(first.token as string, /^pst_/)
  assert.equal(again.item.id, first.item.id)
  assert.equal(again.token, undefined)
})

test('attack 88: of two writes with one if_revision one succeeds and one is a conflict that tells what changed', async () => {
  const { item } = await site.call('SVC_Content.create', { type: 'page', title: 'Contested' })
  const answers = await Promise.all(
    ['one', 'two'].map((body) => site.api('SVC_Content.update', { id: item.id as string, body, if_revision: 1 })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const conflict = answers.find(({ status }) => status === 409)?.json.error
  assert.equal(conflict.code, 'conflict')
  assert.equal(conflict.revision, 2)
  assert.deepEqual(conflict.changes[0].fields, ['body'])
})

test('what is purged is in no row any more, and no undo brings it back', async () => {
  const secret = 'qzx-purged-for-good'
  const { item, activity_id: created } = await site.call('SVC_Content.create', { type: 'post', title: 'Purged', body: secret })
  const { activity_id: updated } = await site.call('SVC_Content.update', { id: item.id as string, body: `${secret} twice` })
  await site.call('SVC_Content.delete', { ids: [item.id as string] })
  await site.call('SVC_Content.purge', { ids: [item.id as string], expect: 1 })
  assert.ok(!JSON.stringify(await readRows(site.home)).includes(secret))
  for (const id of [updated, created] as string[]) {
    assert.equal((await site.api('SVC_Activity.undo', { ids: [id] })).json.success, false)
  }
})

test('if_revision of something that is gone is a conflict, and nothing is made in its place', async () => {
  const rows = await readRows(site.home)
  const answer = await site.api('SVC_Content.put', { path: '/never-was', markdown: '# New', if_revision: 4 })
  assert.equal(answer.json.error.code, 'conflict')
  const calls = [{ action: 'SVC_Content.put', arguments: { path: '/never-was', markdown: '# New' }, if_revision: 4 }]
  assert.equal((await site.api('SVC_API.batch', { calls })).json.error.code, 'conflict')
  assert.deepEqual(await readRows(site.home), rows)
})

for (const [what, call, input] of [
  ['a filter on a hidden column', 'SVC_Content.list', { where: { password_hash: { has: '$' } } }],
  ['a filter on a token’s hash', 'SVC_Tokens.list', { where: { hash: { has: 'a' } } }],
  ['a sort by a hidden column', 'SVC_Tokens.list', { sort: 'hash' }],
  ['a sort with a quote', 'SVC_Content.list', { sort: "title'; drop table entry; --" }],
  ['a field name with a quote', 'SVC_Content.list', { where: { 'title" or 1=1 --': 'x' } }],
  ['an operator that is SQL', 'SVC_Content.list', { where: { title: { like: '%' } } }],
] as const) {
  test(`attacks 90, 91: ${what} is invalid`, async () => {
    const answer = await site.api(call, input)
    assert.equal(answer.status, 400)
    assert.equal(answer.json.error.code, 'invalid')
    assert.ok(!/sqlite|select |from /i.test(answer.text), answer.text)
  })
}

for (const [what, input] of [
  ['a limit of 1e9', { limit: 1e9 }],
  ['an edited cursor', { cursor: 'eyJhIjoxfQ.AAAA' }],
  ['a foreign status', { where: { status: 'deleted' } }],
  ['a number where a text is wanted', { search: 9007199254740993 }],
] as const) {
  test(`attack 93: ${what} is invalid`, async () => {
    assert.equal((await site.api('SVC_Content.list', input)).json.error.code, 'invalid')
  })
}

test('attack 93: an id that is no text is invalid', async () => {
  const answer = await site.send('/api/', { method: 'POST', body: '{"action":"SVC_Content.get","id":9007199254740993}' })
  assert.equal(answer.json.error.code, 'invalid')
})

test('attack 96: hostile titles, headings, alternatives and fence words are text on the page', async () => {
  const hostile = '"><img src=x onerror=alert(1)><script>alert(1)</script>'
  const { item } = await site.call('SVC_Content.create', {
    type: 'post',
    title: hostile,
    slug: 'hostile',
    status: 'published',
    excerpt: hostile,
    seo: { title: hostile, description: hostile },
    body: `# ${hostile}\n\n\`\`\`${hostile}\ncode\n\`\`\`\n\n![${hostile}](/x.png "${hostile}")\n\n</script><script>alert(2)</script>`,
  })
  for (const path of [item.path as string, '/']) {
    const { text } = await site.send(path)
    assert.ok(!/<img[^>]*onerror/i.test(text), path)
    // The only script is the JSON-LD block, and nothing in it ends it early.
    const scripts = [...text.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/gi)]
    for (const [whole, inner = ''] of scripts) {
      assert.match(whole, /^<script type="application\/ld\+json">/)
      assert.doesNotThrow(() => JSON.parse(inner))
    }
  }
})

for (const slug of ['MCP', 'mcp', '.Well-Known', 'ｍｃｐ', 'oauth/x', 'a/../admin', 'Api', 'user-content', 'ADMIN', 'feed']) {
  test(`attack 99: the slug ${JSON.stringify(slug)} is taken by no entry`, async () => {
    const rows = await readRows(site.home)
    const answer = await site.api('SVC_Content.create', { type: 'page', title: 'Shadow', slug })
    assert.ok([400, 422].includes(answer.status), answer.text)
    assert.deepEqual(await readRows(site.home), rows)
  })
}

test('attack 99: a reserved slug is 422 and named; before 0.10 there is no such guard, and still no entry shadows a route', async () => {
  const answer = await site.api('SVC_Content.create', { type: 'page', title: 'Shadow', slug: 'mcp' })
  assert.equal(answer.status, 422)
  assert.equal(answer.json.error.code, 'refused')
  await using old = await openSite({ release: '0.9' })
  await old.call('SVC_Content.create', { type: 'page', title: 'Shadow', slug: 'api', status: 'published' })
  assert.equal((await old.api('SVC_API.welcome')).json.success, true)
})

test('attack 125: texts made to be slow are saved and rendered, or refused, while others are served', async () => {
  const shapes = {
    stars: `http://a/${'*'.repeat(70_000)}`,
    brackets: '['.repeat(50_000),
    quotes: '>'.repeat(10_000),
    mails: 'mailto:a@b '.repeat(5_000),
  }
  for (const [slug, body] of Object.entries(shapes)) {
    const write = site.api('SVC_Content.create', { type: 'page', title: slug, slug, status: 'published', body })
    const meanwhile = await site.api('SVC_API.welcome')
    assert.equal(meanwhile.status, 200)
    assert.ok([200, 422].includes((await write).status), slug)
    assert.ok([200, 404, 422, 500, 503].includes((await site.send(`/${slug}`)).status), slug)
  }
})
