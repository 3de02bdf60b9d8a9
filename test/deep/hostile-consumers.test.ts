// Attacks 131 to 133: a text that was made to be slow costs no more than its length, one input for each distinct consumer. All inputs of
// all actions are in test/deep. What a body costs to render is spent in the renderer's thread, under its deadline: of such inputs the
// event loop's time is looked at.

import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { assertLinear, hostileKinds, hostileText, spentMs, type Threads } from '../hostile-text.ts'
import { openSite, type ProcessSite } from '../site.ts'

let site: ProcessSite

before(async () => {
  site = await openSite({ ownProcess: true, env: { POSTERN_RATE_LIMITS: 'off' } })
  await site.call('SVC_Content.create', { type: 'page', title: 'About', status: 'published', body: '# About\n\nWho we are.' })
})
after(() => site[Symbol.asyncDispose]())

type Send = (text: string) => Promise<unknown>

/** As much as the head of a request may hold. */
const headLength = 15_000
const textLength = 60_000

/** A request whose target and headers go out as they are: `fetch` mends them. */
function raw(method: string, path: string, headers: Readonly<Record<string, string>> = {}, body?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ port: site.port, method, path, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Only what no request line can hold is escaped; no longer than the text was, and without half an escape at its end. */
function inTarget(text: string): string {
  const escaped = (part: string) => part.replace(/[^\x21\x22\x24-\x7e]/g, encodeURIComponent)
  return escaped(text.slice(0, Math.floor(text.length ** 2 / escaped(text).length)))
}
const inHeader = (text: string): string => text.replace(/[^\x20-\x7e]/g, '')

const path =
  (before: string, behind = ''): Send =>
  (text) =>
    raw('GET', before + inTarget(text) + behind)
const header =
  (name: string, at: string, before = ''): Send =>
  (text) =>
    raw('GET', at, { [name]: before + inHeader(text) })
const field =
  (at: string, name: string, others: Readonly<Record<string, string>> = {}): Send =>
  (text) =>
    raw(
      'POST',
      at,
      { 'content-type': 'application/x-www-form-urlencoded', origin: site.address },
      new URLSearchParams({ ...others, [name]: text }).toString(),
    )
const json =
  (at: string, value: (text: string) => unknown): Send =>
  (text) =>
    raw('POST', at, { 'content-type': 'application/json' }, JSON.stringify(value(text)))
const call =
  (name: string, input: (text: string) => Readonly<Record<string, unknown>>): Send =>
  (text) =>
    site.api(name, input(text))

const heads: Readonly<Record<string, Send>> = {
  'a path': path('/'),
  'a path that ends in a letter': path('/', 'a'),
  'a path below a protected folder': path('/user-content/uploads/protected/'),
  'a path of a plugin': path('/ext/'),
  'a path below .well-known': path('/.well-known/'),
  'a path of the admin': path('/admin/'),
  'a path below /mcp/': path('/mcp/'),
  'a path of Markdown': path('/', '.md'),
  'the page asked for': path('/?page='),
  'where to go after signing in': path('/admin/sign-in?next=/admin/'),
  'an app that asks': path('/oauth/authorize?response_type=code&client_id='),
  'where an app is sent back to': path('/oauth/authorize?response_type=code&client_id=a&redirect_uri=https://'),
  'a query of many parameters': path('/oauth/authorize?a'),
  'the header accept': header('accept', '/about'),
  'the header accept-language': header('accept-language', '/admin/sign-in'),
  'the header authorization': header('authorization', '/mcp/', 'Bearer '),
  'another authorization': header('authorization', '/mcp/'),
  'the header cookie': header('cookie', '/admin/'),
  'the header origin': header('origin', '/mcp/', 'https://'),
  'the header if-none-match': header('if-none-match', '/about'),
  'the header range': header('range', '/about', 'bytes='),
  'the header x-forwarded-for': header('x-forwarded-for', '/about'),
  'the header content-type': header('content-type', '/api/'),
}

const texts: Readonly<Record<string, Send>> = {
  'an e-mail address': field('/admin/sign-in', 'email', { password: 'x' }),
  'where a form leads': (text) => field('/admin/sign-in', 'next', { email: 'a@b', password: 'x' })(`/admin/${text}`),
  'a code': field('/oauth/token', 'code', { grant_type: 'authorization_code' }),
  'a token to be ended': field('/oauth/revoke', 'token'),
  'a form of many fields': (text) => field('/oauth/token', 'grant_type')(text.replaceAll('x', '&a=')),
  'a redirect URI': json('/oauth/register', (text) => ({ redirect_uris: [`https://example.org/${text}`] })),
  "an app's name": json('/oauth/register', (text) => ({ redirect_uris: ['https://example.org/'], client_name: text })),
  'a JSON-RPC method': json('/mcp/', (text) => ({ jsonrpc: '2.0', id: 1, method: text })),
  'a body that is no JSON': (text) => raw('POST', '/api/', { 'content-type': 'application/json' }, text),
  "an action's name": (text) => site.api(text),
  'an unknown argument': call('SVC_Content.get', (text) => ({ arguments: { [text]: 1 } })),
  select: call('SVC_Content.get', (text) => ({ id: '/about', select: text })),
  'an idempotency key': call('SVC_Content.create', (text) => ({ type: 'page', title: 'A', idempotency_key: text })),
  'an id': call('SVC_Content.get', (id) => ({ id })),
  'a section': call('SVC_Content.get', (section) => ({ id: '/about', section })),
  'a parent': call('SVC_Content.create', (text) => ({ type: 'page', title: 'A', parent: text, dry_run: true })),
  'a slug': call('SVC_Content.create', (slug) => ({ type: 'page', title: 'A', slug, dry_run: true })),
  'a title': call('SVC_Content.create', (title) => ({ type: 'page', title, dry_run: true })),
  'a date': call('SVC_Content.create', (text) => ({ type: 'page', title: 'A', published_at: text, dry_run: true })),
  'a cursor': call('SVC_Content.list', (cursor) => ({ cursor })),
  'an order': call('SVC_Content.list', (sort) => ({ sort })),
  'a condition': call('SVC_Content.list', (text) => ({ where: { slug: text } })),
  'what is looked for in the documents': call('SVC_Docs.search', (query) => ({ query })),
  'a text to be found': call('SVC_Content.edit', (find) => ({ id: '/about', edits: [{ find, replace: '' }] })),
  'front matter': call('SVC_Content.put', (text) => ({
    path: '/file',
    markdown: `---\ntitle: ${text.slice(0, 16_000)}\n---\n`,
    dry_run: true,
  })),
  'a line of front matter': call('SVC_Content.put', (text) => ({
    path: '/file',
    markdown: `---${text.slice(0, 16_000)}`,
    dry_run: true,
  })),
  'a skill': call('SVC_Skills.put', (text) => ({ slug: 'a', when: 'Before writing', text, dry_run: true })),
  'a setting': call('SVC_Settings.set', (title) => ({ values: { title }, dry_run: true })),
  'a plugin': call('SVC_Plugins.install', (base64) => ({ base64, dry_run: true })),
}

const spent = (threads: Threads, send: () => Promise<unknown>): Promise<number> => spentMs(site.process, threads, send)

const tables = [
  ['131, 132', heads, headLength],
  ['131', texts, textLength],
] as const
for (const [attack, table, length] of tables)
  for (const [what, send] of Object.entries(table))
    test(`attack ${attack}: ${what} costs linear time, whatever it holds`, async () => {
      for (const kind of hostileKinds)
        await assertLinear(`${what} of ${kind}`, length, (size) => spent('all', () => send(hostileText(kind, size))))
    })

test('attack 131: a return path of thirty letters does not stop the process', async () => {
  assert.equal(await raw('GET', `/admin/sign-in?next=/admin/${'a'.repeat(30)}!`), 200)
})

/** Ways to read a body, and to change it by its sections. */
const readings: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
  outline: (id) => site.api('SVC_Content.get', { id, format: 'outline' }),
  text: (id) => site.api('SVC_Content.get', { id, format: 'text' }),
  HTML: (id) => site.api('SVC_Content.get', { id, format: 'html' }),
  Markdown: (id) => site.api('SVC_Content.get', { id }),
  section: (id) => site.api('SVC_Content.get', { id, section: 'one' }),
  'edit by section': (id) => site.api('SVC_Content.edit', { id, edits: [{ section: 'one', text: 'new' }], dry_run: true }),
}

for (const kind of ['brackets', 'backticks', 'stars', 'quotations', 'pipes', 'comments', 'lists in lists'])
  test(`attack 133: a body of ${kind} leaves the event loop free, however it is read`, async () => {
    const ids = new Map<number, string>()
    const write = async (size: number) => {
      const body = hostileText(kind, size)
      const made = await site.api('SVC_Content.create', { type: 'page', title: kind, body })
      // What takes too long to render is refused; then nothing can read it either.
      if (made.json.success) ids.set(size, made.json.data.item.id)
    }
    await assertLinear(`a body of ${kind}, written`, textLength, (size) => spent('event loop', () => write(size)))
    if (!ids.has(textLength)) return
    await write(textLength / 2)
    for (const [how, read] of Object.entries(readings))
      await assertLinear(`a body of ${kind}, read as ${how}`, textLength, (size) =>
        spent('event loop', () => read(ids.get(size) ?? '/about')),
      )
  })
