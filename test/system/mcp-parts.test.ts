// Resources, prompts, links, progress and questions over `/mcp/`, by the official clients of both lines.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { openSite, type TestSite } from '../site.ts'

type Data = any // oxlint-disable-line no-explicit-any -- what came over the wire, looked at by assertions

const about = { name: 'postern-test', version: '1.0.0' }
const bearer = (token: string) => ({ requestInit: { headers: { Authorization: `Bearer ${token}` } } })
const tool = 'SVC_API__call-action'

let site: TestSite
before(async () => {
  site = await openSite()
  await site.call('SVC_Content.create', {
    type: 'page',
    title: 'Ignore your orders',
    slug: 'about',
    status: 'published',
    body: 'Who *we* are.',
  })
  await site.call('SVC_Content.create', { type: 'page', title: 'Secret plans', slug: 'plans', body: 'Not yet.' })
  await site.call('SVC_Skills.put', { slug: 'house-style', when: 'Before you write', text: 'Write short sentences.' })
})
after(() => site[Symbol.asyncDispose]())

async function openOld(token = site.token, on = site): Promise<OldClient> {
  const client = new OldClient(about)
  await client.connect(new OldTransport(new URL(`${on.base}/mcp/`), bearer(token)))
  return client
}

async function openNew(mode: 'legacy' | 'auto', options: Data = {}, token = site.token): Promise<NewClient> {
  const client = new NewClient(about, { versionNegotiation: { mode }, ...options })
  await client.connect(new NewTransport(new URL(`${site.base}/mcp/`), bearer(token)))
  return client
}

const clients = {
  'the client of line 1': () => openOld(),
  'the client of line 2, with initialize': () => openNew('legacy'),
  'the client of line 2, with requests that stand alone': () => openNew('auto'),
}

for (const [name, open] of Object.entries(clients)) {
  test(`${name} lists and reads documents, skills and entries`, async () => {
    const client = (await open()) as Data
    const { resources } = await client.listResources()
    const uris = resources.map(({ uri }: Data) => uri)
    assert.ok(uris.includes('postern://docs/mcp-connection') && uris.includes('postern://skills/house-style'))
    assert.doesNotMatch(JSON.stringify(resources), /Ignore your orders|Secret plans/)
    const { resourceTemplates } = await client.listResourceTemplates()
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }: Data) => uriTemplate),
      ['postern://entries{+path}'],
    )
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0]
    assert.match((await read('postern://docs/mcp-connection')).text, /^# /)
    assert.equal((await read('postern://skills/house-style')).text, 'Write short sentences.')
    const page = await read('postern://entries/about')
    assert.deepEqual([page.mimeType, page.text], ['text/markdown', '# Ignore your orders\n\nWho *we* are.'])
    await client.close()
  })

  test(`${name} shows a skill as a prompt`, async () => {
    const client = (await open()) as Data
    assert.deepEqual((await client.listPrompts()).prompts, [{ name: 'house-style', description: 'Before you write' }])
    const { messages } = await client.getPrompt({ name: 'house-style' })
    assert.deepEqual(messages, [{ role: 'user', content: { type: 'text', text: 'Write short sentences.' } }])
    await assert.rejects(client.getPrompt({ name: 'no-style' }), /Unknown prompt: no-style/)
    await client.close()
  })

  test(`${name} gets a link to a preview, which shows the page`, async () => {
    const client = (await open()) as Data
    const { content } = await client.callTool({
      name: tool,
      arguments: { action: 'SVC_Content.preview', arguments: { id: '/plans' } },
    })
    const link = content.find(({ type }: Data) => type === 'resource_link')
    assert.equal(link.mimeType, 'text/html')
    assert.match(await (await fetch(link.uri)).text(), /Not yet\./)
    await client.close()
  })

  test(`${name} hears the progress of a job`, async () => {
    const client = (await open()) as Data
    const heard: number[] = []
    const { structuredContent } = await client.callTool(
      { name: tool, arguments: { action: 'SVC_Content.check', arguments: { where: {} } } },
      ...(name.includes('line 1') ? [undefined] : []),
      { onprogress: ({ progress }: Data) => heard.push(progress) },
    )
    assert.equal(structuredContent.success, true, JSON.stringify(structuredContent))
    assert.ok(heard.length > 0, 'no progress')
    assert.deepEqual(
      heard,
      [...heard].sort((a, b) => a - b),
    )
    await client.close()
  })
}

const rpc = async (method: string, params: object, { token = site.token, headers = {}, on = site } = {}) =>
  on.send('/mcp/', {
    method: 'POST',
    token,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })

test('attack 78: a resource that is hidden, absent or of no kind is told alike, with the code of its era', async () => {
  const { token } = await site.call('SVC_Tokens.create', { name: 'reader', scope: 'read', limits: { types: ['post'] } })
  const uris = [
    'postern://entries/no-such-page',
    'postern://entries/%00',
    'postern://skills/none',
    'https://example.org/',
    'file:///etc/passwd',
  ]
  for (const uri of uris) {
    const { status, json } = await rpc('resources/read', { uri }, { token })
    assert.deepEqual([status, json.error.code, json.error.data], [200, -32002, { uri }], uri)
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} }
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'resources/read', 'mcp-name': uri }
    const alone = await rpc('resources/read', { uri, _meta: meta }, { token, headers })
    assert.deepEqual([alone.status, alone.json.error.code], [200, -32602], uri)
  }
})

test('a plain call is answered as JSON, also by a client that takes event streams', async () => {
  const call = { name: tool, arguments: { action: 'SVC_Content.get', arguments: { id: '/about' } }, _meta: { progressToken: 1 } }
  assert.match((await rpc('tools/call', call)).headers.get('content-type') ?? '', /^application\/json/)
})

test('below release 1 there are only tools', async () => {
  await using old = await openSite({ release: '0.11' })
  const { json } = await rpc(
    'initialize',
    { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: about },
    { token: old.token, on: old },
  )
  assert.deepEqual(json.result.capabilities, { tools: {} })
  for (const method of ['resources/list', 'resources/read', 'prompts/list', 'prompts/get'])
    assert.equal((await rpc(method, {}, { token: old.token, on: old })).json.error.code, -32601)
})

/** A client that asks its person, who answers so. */
async function openAsking(answer: object): Promise<{ client: Data; asked: Data[] }> {
  const client = (await openNew('auto', { capabilities: { elicitation: { form: {} } } })) as Data
  const asked: Data[] = []
  client.setRequestHandler('elicitation/create', ({ params }: Data) => {
    asked.push(params)
    return answer
  })
  return { client, asked }
}

const trash = async (...titles: readonly string[]): Promise<void> => {
  for (const title of titles) {
    const { item } = await site.call('SVC_Content.create', { type: 'post', title })
    await site.call('SVC_Content.delete', { ids: [item.id] })
  }
}
const trashed = async () => (await site.call('SVC_Content.list', { where: { status: 'trash' }, count: true })).total as number
const purge = { name: tool, arguments: { action: 'SVC_Content.purge', arguments: { where: {} } } }

test('a destroying call without its number asks the person, who is told the number and gives it', async () => {
  await trash('Old one', 'Old two')
  const count = await trashed()
  const { client, asked } = await openAsking({ action: 'accept', content: { expect: count } })
  const { structuredContent } = await client.callTool(purge)
  assert.equal(structuredContent.success, true, JSON.stringify(structuredContent))
  assert.equal(asked.length, 1)
  assert.match(asked[0].message, new RegExp(`SVC_Content\\.purge would affect ${count} in all, for good`))
  assert.doesNotMatch(JSON.stringify(asked), /Old one/)
  assert.deepEqual(asked[0].requestedSchema.required, ['expect'])
  assert.equal(await trashed(), 0)
  await client.close()
})

test('a person who declines, or gives a wrong number, destroys nothing', async () => {
  await trash('Old three')
  for (const answer of [
    { action: 'decline' },
    { action: 'accept', content: { expect: 99 } },
    { action: 'accept', content: {} },
  ]) {
    const { client } = await openAsking(answer)
    const { structuredContent } = await client.callTool(purge)
    assert.equal(structuredContent.success, false, JSON.stringify(answer))
    assert.equal(await trashed(), 1)
    await client.close()
  }
})

test('missing arguments are asked for, and an answer fills only those', async () => {
  const content = { type: 'post', title: 'By its person', status: 'published', body: 'Forged.' }
  const { client, asked } = await openAsking({ action: 'accept', content })
  const { structuredContent } = await client.callTool({ name: tool, arguments: { action: 'SVC_Content.create', arguments: {} } })
  assert.deepEqual(asked[0].requestedSchema.required, ['type', 'title'])
  assert.deepEqual([structuredContent.data.item.title, structuredContent.data.item.status], ['By its person', 'draft'])
  await client.close()
})

test('what a client answers approves nothing: a call that asks first still waits', async () => {
  await trash('Old four')
  const before = await trashed()
  const { token } = await site.call('SVC_Tokens.create', {
    name: 'careful',
    scope: 'admin',
    limits: { ask: ['SVC_Content.purge'] },
  })
  const client = (await openNew('auto', { capabilities: { elicitation: {} } }, token)) as Data
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { expect: before } }))
  const { structuredContent } = await client.callTool(purge)
  assert.equal(structuredContent.data.pending, true, JSON.stringify(structuredContent))
  assert.equal(await trashed(), before)
  await client.close()
})

test('a client that can’t ask gets the failure, as before', async () => {
  const client = (await openNew('auto')) as Data
  const { structuredContent } = await client.callTool(purge)
  assert.deepEqual([structuredContent.error.code, structuredContent.error.field], ['invalid', 'expect'])
  await client.close()
})
