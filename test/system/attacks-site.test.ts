// Attacks on the public site of the running service, each by its number. Raw sockets where a client library would tidy the path.

import assert from 'node:assert/strict'
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { usesPostgres } from '../postgres.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
before(async () => {
  site = await openSite()
  await site.call('SVC_Content.create', { type: 'page', title: 'About', status: 'published', body: 'Who we are.' })
})
after(() => site[Symbol.asyncDispose]())

/** A GET whose path is sent as it is written; the whole answer as text. */
export function rawGet(port: number, path: string, headers: readonly string[] = []): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.setTimeout(5000, () => socket.destroy(new Error(`no answer to ${path}`)))
    socket.on('data', (part) => (answer += part.toString('latin1')))
    socket.on('end', () => resolve(answer))
    socket.on('error', reject)
    socket.write([`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Connection: close', ...headers, '', ''].join('\r\n'))
  })
}

const statusOf = (answer: string): number => Number(answer.slice(9, 12))

test('attack 23: a path that begins with two slashes or a backslash is never redirected to another host', async () => {
  for (const path of [
    '//evil.example',
    '//evil.example/',
    '/%5cevil.example/',
    '/%5Cevil.example',
    '/\\evil.example/',
    '//about/',
    '/%2fevil.example/',
  ]) {
    const answer = await rawGet(site.port, path)
    assert.ok([400, 404].includes(statusOf(answer)), `${path}: ${answer.slice(0, 80)}`)
    assert.ok(!/^location:/im.test(answer), path)
  }
  const slash = await site.send('/about/')
  assert.equal(slash.status, 301)
  assert.equal(slash.headers.get('location'), '/about')
})

test('attack 144: a draft that takes a former path, moves on from it, or goes into the trash leaves the public redirect', async () => {
  const limits = { drafts_only: true }
  const { token } = await site.call('SVC_Tokens.create', { name: 'drafts', scope: 'content', limits })
  const { item } = await site.call('SVC_Content.create', { type: 'page', title: 'Prices', status: 'published', slug: 'prices' })
  await site.call('SVC_Content.update', { id: item.id, slug: 'what-it-costs' })
  const leads = async (step: string) => {
    const { status, headers } = await site.send('/prices', { token: null })
    assert.deepEqual([status, headers.get('location')], [301, '/what-it-costs'], step)
    const answer = await site.call('SVC_Content.get', { id: '/prices' }, { token: null })
    assert.equal(answer.moved_to, '/what-it-costs', step)
  }
  await leads('before')
  const draft = (await site.call('SVC_Content.create', { type: 'page', title: 'Mine', slug: 'prices' }, { token })).item
  await leads('taken by a draft')
  const below = { type: 'page', title: 'Below', slug: 'below', parent: draft.id }
  const child = (await site.call('SVC_Content.create', below, { token })).item
  await site.call('SVC_Content.update', { id: draft.id, slug: 'elsewhere' }, { token })
  await leads('moved on')
  await site.call('SVC_Content.update', { id: child.id, parent: null, slug: 'prices' }, { token })
  await site.call('SVC_Content.delete', { ids: [child.id] }, { token })
  await leads('in the trash')
  const { activity_id: taken } = await site.call('SVC_Content.update', { id: draft.id, slug: 'prices' }, { token })
  await site.call('SVC_Activity.undo', { ids: [taken] }, { token })
  await leads('undone')
  // Whoever is unpublished for a while gets its redirect back.
  await site.call('SVC_Content.unpublish', { id: item.id })
  await site.call('SVC_Content.update', { id: draft.id, slug: 'prices' }, { token })
  await site.call('SVC_Content.delete', { ids: [draft.id] }, { token })
  await site.call('SVC_Content.publish', { id: item.id })
  await leads('published again')
})

test('attack 24: headers that name another address or host do not change a page, now or for the next reader', async () => {
  const clean = await site.send('/about')
  const poison = {
    'x-original-url': '/admin/',
    'x-rewrite-url': '/mcp/',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-prefix': '/evil',
    'x-http-method-override': 'DELETE',
    forwarded: 'host=evil.example',
  }
  const poisoned = await site.send('/about', { headers: poison })
  assert.equal(poisoned.text, clean.text)
  assert.equal((await site.send('/about')).text, clean.text)
  assert.ok(!clean.text.includes('evil.example'))
})

test('attack 89: what is not published is on no public page, nor in any form or warm cache of one', async () => {
  const secret = 'qzx-unpublished'
  const make = (title: string, status: string, more: Record<string, unknown> = {}) =>
    site.call('SVC_Content.create', { type: 'post', title, body: `${secret} body`, status, ...more })
  await make(`${secret} draft`, 'draft')
  await make(`${secret} private`, 'private')
  await make(`${secret} scheduled`, 'published', { published_at: '2099-01-01' })
  const { item } = await make(`${secret} withdrawn`, 'published')
  const warm = await site.send(item.path as string)
  assert.equal(warm.status, 200)
  await site.call('SVC_Content.unpublish', { id: item.id as string })
  const trashed = await make(`${secret} trashed`, 'published')
  await site.send('/')
  await site.call('SVC_Content.delete', { ids: [trashed.item.id as string] })

  const entries = (await site.call('SVC_Content.list', { limit: 100 })).items as { id: string; path: string; title: string }[]
  const hidden = entries.filter(({ title }) => title.startsWith(secret))
  assert.equal(hidden.length, 4)
  const missing = await site.send('/no-such-entry', { token: null })
  for (const { path, id } of [...hidden, { path: trashed.item.path as string, id: trashed.item.id as string }]) {
    for (const form of [path, `${path}.md`, `${path}/`]) {
      const answer = await site.send(form, { token: null })
      assert.equal(answer.status, 404, form)
      assert.equal(answer.text.replaceAll(form, '/no-such-entry'), missing.text, form)
    }
    assert.equal((await site.send(path, { headers: { accept: 'text/markdown' }, token: null })).status, 404)
    for (const named of [id, path]) {
      const answer = await site.api('SVC_Content.get', { id: named }, { token: null })
      assert.equal(answer.status, 404, named)
      assert.equal(answer.json.error.code, 'not_found')
    }
  }
  for (const input of [
    {},
    { search: secret },
    { where: { status: 'draft' } },
    { where: { status: 'trash' } },
    { where: { title: { has: secret } }, count: true },
  ]) {
    const answer = await site.api('SVC_Content.list', input, { token: null })
    assert.ok(!answer.text.replace(JSON.stringify(input).slice(1, -1), '').includes(secret), answer.text)
    if (answer.json.success && 'total' in answer.json.data) assert.equal(answer.json.data.total, 0)
  }
  for (const path of ['/', '/index.md', '/?page=2', '/about'])
    assert.ok(!(await site.send(path, { token: null })).text.includes(secret), path)
  // Without what the query repeats, a search for the words of hidden entries is answered like one for words that nobody wrote.
  for (const [query, other] of [
    ['qzx', 'qyx'],
    ['unpublished', 'unfurnished'],
    ['unpublishd', 'unfurnishd'],
  ] as const) {
    const [found, none] = [await searchPage(query), await searchPage(other)]
    assert.equal(found.text.replaceAll(query, other), none.text)
    const answer = await site.api('SVC_Search.query', { query }, { token: null })
    assert.deepEqual([answer.json.data.items, answer.json.data.did_you_mean], [[], null])
  }
})

const searchPage = (query: string, more = '') => site.send(`/search?q=${encodeURIComponent(query)}${more}`, { token: null })

test('the search page shows results with their words marked, and another spelling of a query that finds nothing', async () => {
  const body = 'The **granite** lighthouse <b onclick="x()">&amp;</b> its `<keeper>`.'
  await site.call('SVC_Content.create', { type: 'post', title: 'On <granite>', status: 'published', body })
  const found = await searchPage('granite KEEPER')
  assert.equal(found.status, 200)
  assert.equal(found.headers.get('cache-control'), 'no-store')
  assert.match(found.text, /<meta name="robots" content="noindex" \/>/)
  assert.match(found.text, /<a href="[^"]*\/on-granite">On &lt;granite&gt;<\/a>/)
  assert.match(found.text, /The <mark>granite<\/mark> lighthouse &amp; its &lt;<mark>keeper<\/mark>&gt;\./)
  const other = await searchPage('granit')
  assert.match(other.text, /Did you mean: <a href="[^"]*\/search\?q=granite">granite<\/a>/)
  assert.match((await site.send('/search', { token: null })).text, /<form class="search" role="search"/)
})

test('pages of the search page lead to each other', async () => {
  for (let number = 0; number < 12; number++)
    await site.call('SVC_Content.create', { type: 'post', title: `Pebble ${number}`, status: 'published', body: 'On the beach.' })
  const titles = (text: string) => [...text.matchAll(/>(Pebble \d+)</g)].map(([, title]) => title)
  const first = await searchPage('pebble')
  assert.match(first.text, /<a class="next" href="[^"]*\/search\?q=pebble&amp;page=2" rel="next">/)
  const second = await searchPage('pebble', '&page=2')
  assert.match(second.text, /<a class="previous" href="[^"]*\/search\?q=pebble" rel="prev">/)
  assert.equal(new Set([...titles(first.text), ...titles(second.text)]).size, 12)
  assert.equal((await searchPage('pebble', '&page=99')).status, 200)
})

test('attack 92: the search page takes any query as words, and shows it as text', async () => {
  const hostile = [
    '"',
    'a-b',
    'NEAR(',
    'title:x',
    '\0',
    '*',
    "' or 1=1",
    '</title><script>alert(1)</script>',
    '"><img src=x>',
    'x'.repeat(4000),
  ]
  for (const query of hostile) {
    const answer = await searchPage(query)
    assert.equal(answer.status, 200, query)
    assert.ok(!answer.text.includes('<script') && !answer.text.includes('<img'), query)
    assert.match(answer.text, /Nothing was found|value=""/)
  }
})

test('attack 100: a file name after a machine door is not that door, and pages say that Markdown makes a difference', async () => {
  for (const path of ['/admin/x.css', '/api/a.js', '/mcp/a.js', '/about/a.css']) {
    const answer = await site.send(path)
    assert.equal(answer.status, 404, path)
    // Below `/api/` every failure is JSON, without a word of the site.
    assert.ok(!answer.text.includes('"success":true'), path)
    assert.equal(answer.text.startsWith('{"success":false,"error":{"code":"not_found"'), path.startsWith('/api/'), path)
    assert.equal(answer.headers.get('cache-control'), 'no-store', path)
  }
  for (const accept of ['text/html', 'text/markdown']) {
    const answer = await site.send('/about', { headers: { accept } })
    assert.match(answer.headers.get('content-type') ?? '', new RegExp(accept))
    assert.match(answer.headers.get('vary') ?? '', /accept/i)
  }
})

const protectedSpellings = (base: string): string[] =>
  ['logs', 'skills', 'uploads/protected'].flatMap((folder) => {
    const [head, ...rest] = folder.split('/')
    const tail = rest.length > 0 ? `/${rest.join('/')}` : ''
    return [
      `/user-content/${folder}`,
      `/user-content/${folder}/`,
      `/user-content/${folder}/x.log`,
      `/User-Content/${folder.toUpperCase()}/x`,
      `//user-content//${head}${tail}//x`,
      `/user-content/./${folder}/x`,
      `/x/../user-content/${folder}/x`,
      `/user-content/%2e%2e/user-content/${folder}/x`,
      `/user-content%2F${folder.replace('/', '%2F')}%2Fx`,
      `/user-content/${folder.replace('s', '%73')}/x`,
      `/user-content\\${folder.replace('/', '\\')}\\x`,
      `/user-content/${folder};a=b/x`,
      `/user-content/${folder}./x`,
      `/user-content/${folder}%20/x`,
      `/user-content;/${folder}/x`,
      `/user-content./${folder}/x`,
      `/user-content%5C${folder.replace('/', '%5c')}%5Cx`,
    ].map((path) => base + path)
  })

test('attack 129: the protected folders are 403 in every spelling, and nothing is decoded twice', async () => {
  await mkdir(join(site.home, 'user-content', 'logs'), { recursive: true })
  await writeFile(join(site.home, 'user-content', 'logs', 'x.log'), 'planted secret')
  for (const path of protectedSpellings('')) {
    const answer = await rawGet(site.port, path)
    assert.equal(statusOf(answer), 403, `${path}: ${answer.slice(0, 60)}`)
    assert.ok(!answer.includes('planted secret'), path)
  }
  for (const path of ['/user-content/%256c%256f%2567%2573/x', '/user-content/logsx', '/blog/user-content/logs/x']) {
    assert.ok([403, 404].includes(statusOf(await rawGet(site.port, path))), path)
  }
})

test('attack 129: and below the slug of a subdirectory install', async () => {
  await using below = await openSite({ basePath: '/blog', bare: true })
  for (const path of protectedSpellings('/blog')) assert.equal(statusOf(await rawGet(below.port, path)), 403, path)
})

test('attack 130: nothing of the home or the checkout is served, and its files are for their owner alone', async () => {
  for (const path of [
    '/.git/config',
    '/data/',
    '/data/postern.db',
    '/data/postern.db-wal',
    '/postern.db-wal',
    '/data/site.key',
    '/theme-assets../data/site.key',
    '/assets../data/site.key',
    '/backup.zip',
    '/postern.db.bak',
    '/package.json',
    '/src/app/main.ts',
    '/user-content/plugins/x',
  ]) {
    assert.equal(statusOf(await rawGet(site.port, path)), 404, path)
  }
  const mode = async (...path: string[]) => ((await stat(join(site.home, ...path))).mode & 0o777).toString(8)
  assert.equal(await mode('data'), '700')
  if (!usesPostgres) for (const file of ['postern.db', 'postern.db-wal']) assert.equal(await mode('data', file), '600')
  assert.equal(await mode('data', 'site.key'), '600')
})

test('attack 121: a site key that others can read stops the start with one line', async () => {
  await using first = await openSite({ bare: true })
  await first.stop()
  await chmod(join(first.home, 'data', 'site.key'), 0o644)
  await assert.rejects(
    openSite({ home: first.home, bare: true }),
    (error: Error) => /site\.key/.test(error.message) && error.message.includes("can't start"),
  )
})
