// Calls that are written a little differently, and have one meaning all the same: both doors take them, and say so where they read something
// else than was sent. What has two meanings is refused in one sentence.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { smallPlugin } from '../packages.ts'
import { openSite, type TestSite } from '../site.ts'

type Json = Record<string, unknown>
type Data = any // oxlint-disable-line no-explicit-any -- JSON, looked at by assertions

let site: TestSite
before(async () => {
  site = await openSite()
  const page = (title: string, more: Json = {}) =>
    site.call('SVC_Content.create', { type: 'page', title, body: 'Text.', status: 'published', ...more })
  await page('About')
  await page('Team', { parent: '/about' })
  await page('Secret', { status: 'draft' })
  const drawing = (radius: number) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="${radius}"/></svg>`
  await site.call('SVC_Media.upload', { text: drawing(1), filename: 'logo.svg', alt: 'One' })
  await site.call('SVC_Media.upload', { text: drawing(2), filename: 'plan.svg', folder: 'a', alt: 'Two' })
  await site.call('SVC_Media.upload', { text: drawing(3), filename: 'plan.svg', folder: 'b', alt: 'Three' })
})
after(() => site[Symbol.asyncDispose]())

const overRest = async (members: Json, token = site.token): Promise<Data> =>
  (await site.send('/api/', { method: 'POST', body: JSON.stringify(members), token })).json

async function tool(name: string, input: Json, token = site.token): Promise<Data> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } })
  return (await site.send('/mcp/', { method: 'POST', headers: { 'content-type': 'application/json' }, body, token })).json
}

const overMcp = async (members: Json, token = site.token): Promise<Data> => {
  const { result } = await tool('SVC_API__call-action', members, token)
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent)
  return result.structuredContent
}
const doors = { '/api/': overRest, '/mcp/': overMcp }

const pathOf = ({ data }: Data): unknown => data?.item?.path
const about = { action: 'SVC_Content.get', arguments: { id: '/about' } }

/** Members of a request, which read the page About. */
const forms: readonly (readonly [form: string, members: () => Json])[] = [
  ['the class twice', () => ({ class: 'SVC_Content', ...about })],
  ['arguments beside the action', () => ({ action: 'SVC_Content.get', id: '/about' })],
  ['arguments beside empty ones', () => ({ action: 'SVC_Content.get', id: '/about', arguments: {} })],
  ['arguments as text', () => ({ ...about, arguments: JSON.stringify(about.arguments) })],
  ['the whole address', () => ({ action: 'SVC_Content.get', arguments: { id: `${site.base}/about` } })],
  [
    'the whole address with query and fragment',
    () => ({ action: 'SVC_Content.get', arguments: { id: `${site.base}/About/?a=1#b` } }),
  ],
  ['the path in another case', () => ({ action: 'SVC_Content.get', arguments: { id: '/About' } })],
  ['the path without a slash', () => ({ action: 'SVC_Content.get', arguments: { id: 'About' } })],
]
for (const [door, call] of Object.entries(doors))
  for (const [form, members] of forms) test(`${door}: ${form}`, async () => assert.equal(pathOf(await call(members())), '/about'))

test('a home page, a menu, a parent and a redirect are given by whole addresses of the site too', async () => {
  await site.call('SVC_Settings.update', { set: { home: `${site.base}/About` } })
  const { item } = await site.call('SVC_Content.get', { id: '/' })
  assert.equal(item.path, '/about')
  await site.call('SVC_Settings.update', { set: { home: null } })
  const menu = await site.call('SVC_Menus.create', { slug: 'm', name: 'M', items: [{ entry: `${site.base}/about/team` }] })
  assert.equal((await site.call('SVC_Menus.get', { id: menu.item.id })).item.items.length, 1)
  const made = await site.call('SVC_Content.create', { type: 'page', title: 'Below', parent: `${site.base}/About/` })
  assert.equal(made.item.path, '/about/below')
  const redirect = await site.call('SVC_Redirects.create', { from: `${site.base}/old-about`, to: '/about' })
  assert.equal(redirect.item.from, '/old-about')
  assert.equal((await site.call('SVC_Redirects.resolve', { path: `${site.base}/old-about` })).status, 200)
  const query = await site.call('SVC_Redirects.create', { from: `${site.base}/old?page=2`, to: '/about' })
  assert.equal(query.item.from, '/old?page=2')
})

test('an address of another site, or one that only begins like this one, names no entry', async () => {
  for (const id of ['https://example.com/about', `${site.base}.example.com/about`, 'http:/about', `${site.base}/%`]) {
    const { error } = await overRest({ action: 'SVC_Content.get', id })
    assert.equal(error.code, 'not_found', id)
  }
})

test('a path in another case or a whole address tells an anonymous caller nothing of a draft', async () => {
  for (const id of ['/Secret', `${site.base}/secret`]) {
    const hidden = await site.api('SVC_Content.get', { id }, { token: null })
    const absent = await site.api('SVC_Content.get', { id: id.replace(/secret/i, 'absent') }, { token: null })
    assert.deepEqual(JSON.parse(hidden.text.replaceAll(/secret/gi, 'absent')), JSON.parse(absent.text))
    assert.equal(hidden.status, 404)
  }
})

for (const [door, call] of Object.entries(doors)) {
  test(`${door}: a class beside the whole name of list-actions is its argument, and two different classes are one sentence`, async () => {
    const { data } = await call({ class: 'SVC_Menus', action: 'SVC_API.list-actions' })
    assert.deepEqual(Object.keys(data.classes), ['SVC_Menus'])
    const { error } = await call({ class: 'SVC_Media', ...about })
    assert.equal(error.code, 'unknown_action')
    assert.match(error.hint, /^The class is given twice, as SVC_Media and as SVC_Content\./)
  })

  test(`${door}: arguments in both places are refused, and a misspelt option among them is named`, async () => {
    const { error } = await call({ ...about, dryrun: true })
    assert.deepEqual([error.code, error.field, error.nearest], ['invalid', 'dryrun', ['dry_run']])
    assert.match(error.message, /Did you mean "dry_run"\?$/)
  })

  test(`${door}: numbers, booleans and JSON that came as text are read where the schema takes no text, with a warning`, async () => {
    const input = { limit: '1', count: 'true', where: '{"path": "/about"}' }
    const answer = await call({ action: 'SVC_Content.list', arguments: input })
    assert.deepEqual([answer.data.items.length, answer.data.total], [1, 1])
    assert.equal(answer.warnings.length, 1)
    assert.deepEqual([answer.warnings[0].code, answer.warnings[0].found], ['read_from_text', Object.keys(input)])
    assert.match(answer.warnings[0].message, /^"limit", "count", "where" came as text/)
    assert.equal((await call(about)).warnings, undefined)
  })

  test(`${door}: options that came as text are read, and a dry run stays one`, async () => {
    const { item } = (await call(about)).data
    const change = { action: 'SVC_Content.update', arguments: { id: '/about', title: 'Other' } }
    const tried = await call({ ...change, dry_run: 'true', if_revision: String(item.revision) })
    assert.deepEqual([tried.success, tried.data.activity_id, tried.warnings[0].found], [true, null, ['dry_run', 'if_revision']])
    assert.equal((await call({ ...change, dry_run: 'yes' })).error.field, 'dry_run')
    assert.equal((await call({ ...change, if_revision: '99' })).error.code, 'conflict')
    assert.equal((await call(about)).data.item.title, 'About')
  })

  test(`${door}: select is a list, a text with commas, or a list that came as text`, async () => {
    for (const select of [['title', 'path'], 'title,path', '["title", "path"]'])
      assert.deepEqual((await call({ ...about, select })).data.item, { title: 'About', path: '/about' })
  })

  test(`${door}: texts in the calls of a batch are read too, and a title that looks like a number stays a text`, async () => {
    const calls = [
      { action: 'SVC_Content.create', arguments: { type: 'page', title: '2024', position: '7', seo: '{"noindex": "true"}' } },
    ]
    const answer = await call({ action: 'SVC_API.batch', arguments: { calls: JSON.stringify(calls) }, select: ['results'] })
    assert.equal(answer.success, true, JSON.stringify(answer))
    const { item } = await site.call('SVC_Content.get', { id: answer.data.results[0].item.id })
    assert.deepEqual([item.title, item.position, item.seo.noindex], ['2024', 7, true])
    const fields = ['calls', 'calls.0.arguments.position', 'calls.0.arguments.seo', 'calls.0.arguments.seo.noindex']
    assert.deepEqual(answer.warnings[0].found, fields)
  })

  for (const [field, value] of [
    ['limit', '007'],
    ['limit', '1e1'],
    ['limit', '1.5'],
    ['limit', '9007199254740993'],
    ['count', 'yes'],
    ['where', '{"path": '],
    ['where', '[]'],
    ['where', '['.repeat(5000)],
  ] as const)
    test(`${door}: ${field} ${JSON.stringify(value.slice(0, 20))} has no reading, and is invalid`, async () => {
      const { error } = await call({ action: 'SVC_Content.list', arguments: { [field]: value } })
      assert.deepEqual([error.code, error.field], ['invalid', field])
    })

  test(`${door}: attack 79: __proto__ in JSON that came as text is refused like any member`, async () => {
    const { error } = await call({ action: 'SVC_Content.update', arguments: '{"id": "/about", "__proto__": {"tier": "admin"}}' })
    assert.deepEqual([error.code, error.field], ['invalid', '__proto__'])
    assert.equal(({} as { tier?: string }).tier, undefined)
  })
}

test('attack 134: a long list of texts costs no more than it did, and is invalid', async () => {
  const rules = Array.from({ length: 40_000 }, () => '1')
  const { error } = await overRest({ action: 'SVC_Redirects.put-many', arguments: { rules } })
  assert.deepEqual([error.code, error.field], ['invalid', 'rules.0'])
})

test('a plugin that decides on calls sees what is run, and not a text that hides it', async () => {
  const guard = `postern.beforeDispatch(({ call, input }) =>
    call === 'SVC_Content.create' && input.position === 7 ? { refuse: 'Not at seven.' } : undefined)`
  await site.call('SVC_Plugins.install', { base64: (await smallPlugin('guard', {}, guard)).toString('base64') })
  await site.call('SVC_Plugins.activate', { id: 'guard' })
  const create = (position: unknown) => ({ action: 'SVC_Content.create', arguments: { type: 'page', title: 'Seven', position } })
  const batch = (calls: unknown) => ({ action: 'SVC_API.batch', arguments: { calls } })
  for (const members of [create(7), create('7'), batch([create('7')]), batch(JSON.stringify([create('7')]))]) {
    const { error } = await overMcp(members)
    assert.deepEqual([error?.code, error?.message], ['refused', 'Not at seven.'], JSON.stringify(members))
  }
  await site.call('SVC_Plugins.deactivate', { id: 'guard' })
})

test('a media file is found by its name in any case; of two with one name, both are told, and an anonymous caller learns nothing', async () => {
  for (const id of ['logo.svg', 'Logo.SVG', '/media/LOGO.svg', `${site.base}/media/logo.svg`])
    assert.equal(pathOf(await overMcp({ action: 'SVC_Media.get', id })), '/media/logo.svg', id)
  const { item } = await site.call('SVC_Content.update', { id: '/about', cover: 'Logo.svg' })
  assert.ok(item)
  const { error } = await overRest({ action: 'SVC_Media.update', id: 'plan.svg', alt: 'Which?' })
  assert.deepEqual([error.code, error.id], ['not_found', 'plan.svg'])
  assert.match(error.hint, /\/media\/a\/plan\.svg, \/media\/b\/plan\.svg/)
  for (const id of ['plan.svg', 'absent.svg']) {
    const unknown = await site.api('SVC_Media.get', { id }, { token: null })
    assert.deepEqual(unknown.json.error, { ...unknown.json.error, code: 'not_found', message: `There is no media file "${id}".` })
  }
})

test('the fields of a form with a file are texts, and no warning says so', async () => {
  const form = new FormData()
  for (const [name, value] of Object.entries({
    action: 'SVC_Media.upload',
    alt: 'Dot',
    protected: 'false',
    dry_run: 'true',
  }))
    form.set(name, value)
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  form.set('file', new Blob([Buffer.from(png, 'base64')]), 'dot.png')
  const headers = { authorization: `Bearer ${site.token}` }
  const answer: Data = await (await fetch(`${site.base}/api/`, { method: 'POST', headers, body: form })).json()
  assert.deepEqual([answer.success, answer.data?.item.alt, answer.warnings], [true, 'Dot', undefined], JSON.stringify(answer))
})

test('every tool declares the schema of its answer, and every answer has structured content, a failure and a picture too', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const listed = await site.send('/mcp/', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  for (const { outputSchema } of listed.json.result.tools) assert.equal(outputSchema.type, 'object')
  const answers = [
    await tool('SVC_API__list-actions', {}),
    await tool('SVC_API__describe-action', { action: 'SVC_Content.nothing' }),
    await tool('SVC_API__call-action', { action: 'SVC_Media.read', arguments: { id: 'logo.svg', nothing: 1 } }),
    await tool('SVC_API__call-action', { action: 'SVC_Media.read', arguments: { id: 'logo.svg' } }),
  ]
  assert.deepEqual(
    answers.map(({ result }) => result.structuredContent.success),
    [true, false, false, true],
  )
})

test('an action called as a tool is -32602 with the ready call in the message, and runs nothing', async () => {
  const input = { id: '/about', title: 'By a tool' }
  for (const name of ['SVC_Content__update', 'SVC_Content.update']) {
    const { error } = await tool(name, input)
    assert.equal(error.code, -32602)
    const [, ready = ''] = /Call SVC_API__call-action with (\{.*\})$/.exec(error.message) ?? []
    assert.deepEqual(JSON.parse(ready), { action: 'SVC_Content.update', arguments: input })
  }
  assert.equal((await overMcp(about)).data.item.title, 'About')
  const long = await tool('SVC_Content__update', { ...input, body: 'x'.repeat(5000) })
  assert.ok(long.error.message.length < 300, long.error.message)
})

test('an address that can not be used is named with what was given and what would be right', async () => {
  const { error } = await overRest({ action: 'SVC_Redirects.create', from: '/old', to: 'new page' })
  assert.equal(error.field, 'to')
  assert.match(error.message, /^"to" is not an address\. It is "new page"; give a path such as/)
})

test('a search that finds nothing says what there is, and classes are found without prefix, in the singular and by other words', async () => {
  const nothing = await site.call('SVC_API.list-actions', { search: 'xyzzy' })
  assert.deepEqual(nothing.items, [])
  assert.match(nothing.hint, /SVC_Content, .*SVC_Menus/)
  const anonymous = await site.api('SVC_API.list-actions', { search: 'xyzzy' }, { token: null })
  assert.doesNotMatch(anonymous.json.data.hint, /SVC_Tokens/)
  for (const [given, meant] of [
    ['content', 'SVC_Content'],
    ['Menu', 'SVC_Menus'],
    ['svc_media', 'SVC_Media'],
    ['posts', 'SVC_Content'],
    ['users', 'SVC_Accounts'],
  ] as const)
    assert.deepEqual(
      Object.keys((await site.call('SVC_API.list-actions', { arguments: { class: given } })).classes),
      [meant],
      given,
    )
  const unknown = await site.call('SVC_API.list-actions', { arguments: { class: 'SVC_Nothing' } })
  assert.match(unknown.hint, /SVC_Content/)
})

/** A search over the documents, and a document that is among the first three. */
const sought: readonly (readonly [query: string, doc: string])[] = [
  ['redirects', 'publishing'],
  ['css', 'themes'],
  ['colours of the theme', 'themes'],
  ['how do I connect claude', 'mcp-connection'],
  ['user roles', 'accounts'],
  ['restore a backup', 'backups'],
  ['custom fields', 'content-types'],
  ['translate a page', 'languages'],
  ['api key', 'tokens-and-tiers'],
  ['upload a picture', 'media'],
  ['reverse proxy', 'nginx'],
  ['install an extension', 'plugins'],
]
for (const [query, doc] of sought)
  test(`“${query}” finds the document ${doc}`, async () => {
    const { items } = await site.call('SVC_Docs.search', { query })
    const found = items.map((one: Data) => one.doc)
    assert.ok(found.slice(0, 3).includes(doc), found.join(', '))
  })

test('a search of the documents that finds nothing names them', async () => {
  const { items, hint } = await site.call('SVC_Docs.search', { query: 'xyzzy' })
  assert.deepEqual(items, [])
  assert.match(hint, /mcp-connection/)
})
