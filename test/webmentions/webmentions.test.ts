// Webmentions between this site and real servers on loopback: what comes is checked, held and follows its source; what is published
// is told once for each revision (attack 171).

import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { runWebmentions } from '../../src/actions/webmentions/webmentions-turn.ts'
import { openTestSite, type TestSite } from '../identity/open-test-site.ts'
import { listen, type Listening, on, outboundTo, publicAddress } from '../outbound/open-outbound.ts'
import { type OwnServer, serveSite } from '../site/own-server.ts'

type Answer = { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }

interface OtherSite extends AsyncDisposable {
  readonly url: string
  readonly server: Listening
  /** The answers by path; 404 for others. */
  readonly pages: Record<string, Answer>
  /** The webmentions that it got, as `source → target`. */
  readonly got: string[]
}

/** Another site, whose endpoint is `/mention`. */
async function openOther(name: string, address = publicAddress): Promise<OtherSite> {
  const pages: Record<string, Answer> = {}
  const got: string[] = []
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const page = pages[request.url ?? '']
    const headers = { 'content-type': 'text/html; charset=utf-8', ...page?.headers }
    response.writeHead(page ? (page.status ?? 200) : 404, headers).end(page?.body ?? '')
  }
  const server = await listen((request, response) => {
    if (request.method !== 'POST') return answer(request, response)
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(parts).toString())
      got.push(`${form.get('source')} → ${form.get('target')}`)
      answer(request, response)
    })
  }, address)
  return { url: `http://${name}:${server.port}`, server, pages, got, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

interface MentionSite extends TestSite {
  readonly server: OwnServer
  readonly blog: OtherSite
  readonly inner: OtherSite
  turn(): Promise<number>
  mention(source: string, target?: string): Promise<{ status: number; text: string }>
  comments(): Promise<readonly { id: string; name: string; body: string; website: string; status: string; source: string }[]>
  /** The page as visitors get it. */
  page(): Promise<string>
}

const soup = 'https://example.org/soup'

async function openMentionSite(settings: Record<string, unknown>): Promise<MentionSite> {
  const site = await openTestSite({ POSTERN_BASE_URL: 'https://example.org' })
  const [blog, inner] = await Promise.all([openOther('blog.example'), openOther('inner.example', '127.0.0.1')])
  const outbound = outboundTo({ 'blog.example': [[publicAddress]], 'inner.example': [['127.0.0.1']] })
  const ports = on(blog.server, inner.server)
  Object.assign(site.site, {
    outbound: { ...outbound, fetch: (url: string, options = {}) => outbound.fetch(url, { ...options, ...ports }) },
  })
  const server = await serveSite(site.site)
  await site.ok('SVC_Settings.update', { set: { comments: ['post'], ...settings } })
  await site.ok('SVC_Content.create', { type: 'post', title: 'Soup', body: 'a', status: 'published' })
  return {
    ...site,
    server,
    blog,
    inner,
    turn: async () => (await runWebmentions(site.site, new AbortController().signal)).tried,
    mention: (source, target = soup) => server.post('/webmention', { source, target }),
    comments: async () => (await site.ok('SVC_Comments.list', {})).items,
    page: async () => (await server.get('/soup')).text,
    async [Symbol.asyncDispose]() {
      for (const one of [server, blog, inner]) await one[Symbol.asyncDispose]()
      await site[Symbol.asyncDispose]()
    },
  }
}

const linking = (said: string, author = 'Bea') =>
  `<!doctype html><title>A page</title><article class="h-entry"><a class="p-author h-card" href="/bea">${author}</a>
  <div class="e-content"><p>${said} <a href="${soup}">soup</a></p></div></article>`

test('the endpoint is announced where webmentions come in, and a mention is held, then shown like a comment', async () => {
  await using site = await openMentionSite({ webmentions: false })
  const { blog } = site
  blog.pages['/post'] = { body: linking('I liked <b>this</b> &lt;i&gt; <script>alert(1)</script>', 'Bea &lt;u&gt;') }
  assert.equal((await site.mention(`${blog.url}/post`)).status, 404)
  assert.equal((await site.server.get('/soup')).headers.get('link'), null)
  await site.ok('SVC_Settings.update', { set: { webmentions: true } })
  const announced = await site.server.get('/soup')
  const endpoint = /^<([^>]+)>; rel="webmention"$/.exec(announced.headers.get('link') ?? '')?.[1] ?? assert.fail()
  assert.ok(announced.text.includes(`<link rel="webmention" href="${endpoint}"`))
  assert.equal(new URL(endpoint).pathname, '/webmention')
  for (let twice = 0; twice < 2; twice++) assert.equal((await site.mention(`${blog.url}/post`)).status, 202)
  assert.deepEqual(blog.server.asked, [], 'the request itself asks nobody')
  assert.equal(await site.turn(), 1, 'the same pair is one')
  assert.deepEqual(blog.server.asked, ['GET /post'])
  const [held] = await site.comments()
  assert.deepEqual(
    [held?.name, held?.body, held?.website, held?.status, held?.source],
    ['Bea <u>', 'I liked this <i> soup', `${blog.url}/post`, 'pending', 'webmention'],
  )
  assert.doesNotMatch(await site.page(), /Bea/)
  await site.ok('SVC_Comments.moderate', { ids: [held?.id], status: 'approved' })
  const text = await site.page()
  assert.ok(text.includes(`<a href="${blog.url}/post" rel="nofollow ugc">Bea &lt;u&gt;</a>`))
  assert.ok(text.includes('I liked this &lt;i&gt; soup'))
  const { from_strangers: marked } = await site.ok('SVC_Comments.list', {})
  assert.deepEqual(marked, ['name', 'email', 'website', 'body'])
})

test('a source that changes waits again, one that drops the link or is gone leaves the page; a moderator has the last word', async () => {
  await using site = await openMentionSite({ webmentions: true })
  const { blog } = site
  const source = `${blog.url}/post`
  const again = async (answer: Answer) => {
    blog.pages['/post'] = answer
    assert.equal((await site.mention(source)).status, 202)
    await site.turn()
    return (await site.comments())[0]
  }
  const approve = async (status = 'approved') =>
    site.ok('SVC_Comments.moderate', { ids: [(await site.comments())[0]?.id], status })
  await again({ body: linking('Nice.') })
  await approve()
  assert.equal((await again({ body: linking('Nice.') }))?.status, 'approved', 'nothing has changed')
  const changed = await again({ body: linking('Buy things.') })
  assert.deepEqual([changed?.status, changed?.body], ['pending', 'Buy things. soup'])
  assert.doesNotMatch(await site.page(), /Nice|Buy/)
  await approve()
  assert.equal((await again({ status: 503 }))?.status, 'approved', 'a site that is down has deleted nothing')
  assert.equal((await again({ status: 403 }))?.status, 'approved')
  assert.equal(await again({ body: 'No link any more.' }), undefined)
  assert.doesNotMatch(await site.page(), /Buy/)
  const [record] = (await site.ok('SVC_Activity.list', { limit: 1 })).items
  await site.ok('SVC_Activity.undo', { ids: [record.id] })
  assert.match(await site.page(), /Buy/, 'the owner can take it back')
  assert.equal(await again({ status: 410 }), undefined)
  await again({ body: linking('Back.') })
  await approve('trash')
  assert.equal((await again({ body: linking('Still back.') }))?.status, 'trash')
})

test('attack 171: a source that lies, a target elsewhere, a private address, a page without end and a thousand links bring nothing', async () => {
  await using site = await openMentionSite({ webmentions: true })
  const { blog, inner } = site
  const lies: Record<string, Answer> = {
    '/text': { body: `Only words: ${soup}` },
    '/comment': { body: `<!-- <a href="${soup}">x</a> -->` },
    '/image': { body: `<img src="${soup}"><link href="${soup}"><form action="${soup}"></form>` },
    '/near': { body: `<a href="${soup}2">x</a><a href="${soup}?a">y</a><a href="https://example.com/soup">z</a>` },
    '/plain': { headers: { 'content-type': 'text/plain' }, body: `<a href="${soup}">x</a>` },
    '/long': { body: `${'x'.repeat(1024 ** 2)}<a href="${soup}">x</a>` },
    '/to-inner': { status: 302, headers: { location: `${inner.url}/secret` } },
  }
  Object.assign(blog.pages, lies)
  inner.pages['/secret'] = { body: linking('The secret of the network.') }
  for (const path of Object.keys(lies)) assert.equal((await site.mention(blog.url + path)).status, 202)
  assert.equal((await site.mention(`${inner.url}/secret`)).status, 202, 'the answer says nothing of what can be reached')
  for (let turn = 0; turn < 6; turn++) {
    await site.turn()
    site.clock.at += 24 * 3_600_000
  }
  assert.deepEqual(await site.comments(), [])
  assert.deepEqual(inner.server.asked, [])
  const rows = await site.site.store.read.selectFrom('webmention').select(['source', 'state']).execute()
  assert.deepEqual(new Set(rows.map(({ state }) => state)), new Set(['gone', 'failed']))
  const refused: readonly (readonly [string, string])[] = [
    [`${blog.url}/text`, 'https://elsewhere.example/soup'],
    [`${blog.url}/text`, 'https://example.org/nothing'],
    [`${blog.url}/text`, 'https://example.org/admin/'],
    [`${blog.url}/text`, 'https://example.org/%ff'],
    [soup, soup],
    ['https://example.org/other', soup],
    ['javascript:alert(1)', soup],
    ['file:///etc/passwd', soup],
    ['http://user:secret@blog.example/', soup],
    [`${blog.url}/${'x'.repeat(2100)}`, soup],
    ['', ''],
  ]
  for (const [source, target] of refused) assert.equal((await site.mention(source, target)).status, 400, `${source} → ${target}`)
  blog.pages['/many'] = {
    body: `<base href="https://example.org/">${'<a href="https://spam.example/">x</a>'.repeat(1000)}<a href="soup">s</a>`,
  }
  await site.mention(`${blog.url}/many`)
  await site.turn()
  const [held] = await site.comments()
  assert.equal(held?.status, 'pending')
  assert.ok((held?.body.length ?? 0) <= 501)
  await site.ok('SVC_Content.update', { id: '/soup', comments: 'closed' })
  assert.equal((await site.mention(`${blog.url}/text`)).status, 400)
  await site.ok('SVC_Content.update', { id: '/soup', comments: null })
  let last = 0
  for (let n = 0; n < 40 && last !== 429; n++) last = (await site.mention(`${blog.url}/${n}`)).status
  assert.equal(last, 429)
})

test('pages that an entry links to are told of each revision once, by the endpoint that they name', async () => {
  await using site = await openMentionSite({ webmentions_send: true })
  const { blog, inner } = site
  await site.turn()
  blog.pages['/by-header'] = { headers: { link: '</x>; rel=preload, </mention?a=1>; rel="other Webmention"' } }
  blog.pages['/by-link'] = { body: '<a rel="nofollow webmention" href="mention">x</a><link rel="webmention" href="/wrong">' }
  blog.pages['/none'] = { body: '<a href="/mention">webmention</a>' }
  blog.pages['/inward'] = { headers: { link: `<${inner.url}/mention>; rel="webmention"` } }
  for (const path of ['/mention', '/mention?a=1']) blog.pages[path] = { status: 202 }
  const links = ['by-header', 'by-link', 'none', 'inward'].map((path) => `[${path}](${blog.url}/${path})`)
  const body = `${links.join(' ')} [own](/soup)`
  const { item } = await site.ok('SVC_Content.create', { type: 'post', title: 'Links', body })
  await site.turn()
  assert.equal(blog.server.asked.length, 0, 'a draft tells nobody')
  await site.ok('SVC_Content.publish', { id: item.id })
  await site.turn()
  const told = ['by-header', 'by-link'].map((path) => `https://example.org/links → ${blog.url}/${path}`)
  assert.deepEqual([...blog.got].sort(), told)
  assert.ok(blog.server.asked.includes('POST /mention?a=1'))
  assert.deepEqual(inner.server.asked, [], 'the guard keeps endpoints out of the own network')
  blog.got.length = 0
  await site.turn()
  assert.deepEqual(blog.got, [], 'once')

  blog.pages['/mention'] = { status: 503 }
  await site.ok('SVC_Content.update', { id: item.id, body: links[1] })
  await site.turn()
  assert.deepEqual([...blog.got].sort(), told, 'a page whose link is gone is told, too')
  blog.got.length = 0
  blog.pages['/mention'] = { status: 202 }
  site.clock.at += 60_000
  await site.turn()
  assert.deepEqual(blog.got, [told[1]], 'what failed is tried again')
  blog.got.length = 0
  await site.ok('SVC_Content.delete', { ids: [item.id] })
  await site.turn()
  assert.deepEqual([...blog.got].sort(), told, 'and of a page that is gone')

  blog.got.length = 0
  await site.ok('SVC_Settings.update', { set: { webmentions_send: false } })
  await site.ok('SVC_Content.create', { type: 'post', title: 'Off', body, status: 'published' })
  await site.turn()
  assert.deepEqual(blog.got, [])
})
