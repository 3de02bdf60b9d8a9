// What a person's browser is told at the authorization endpoint when a request fails below the protocol: a page. Programs that ask for JSON get it.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sendOver } from '../front-send.ts'
import { authorizeUrl, register } from '../doors/oauth/flow.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
let address: string
before(async () => {
  site = await openSite()
  address = authorizeUrl(site.base, await register(site), { resource: 'https://blog.example.org/mcp/' }).href.slice(
    site.base.length,
  )
})
after(() => site[Symbol.asyncDispose]())

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const proxied = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }
const ask = (path: string, headers: Readonly<Record<string, string>>) =>
  sendOver({ port: site.port, certificate: undefined }, path, { host: 'blog.example.org', headers: { ...proxied, ...headers } })

const setting = 'POSTERN_BASE_URL=https://blog.example.org'

for (const [who, accept] of [
  ['a browser', browser],
  ['a browser that takes JSON too', `${browser},application/json`],
  ['whoever says nothing', undefined],
  ['whoever takes anything', '*/*'],
] as const) {
  test(`behind a proxy, without POSTERN_BASE_URL, ${who} gets a page with the setting to copy`, async () => {
    const { status, headers, text } = await ask(address, accept === undefined ? {} : { accept })
    assert.equal(status, 403, text)
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'; style-src 'sha256-[^']+'; form-action 'none'/)
    assert.ok(text.includes(`>${setting}</code>`), text)
    assert.match(
      text.replace(/\s+/g, ' '),
      /If https:\/\/blog\.example\.org is its address, add this line to \/etc\/postern\/postern\.env/,
    )
  })
}

test('behind a proxy, without POSTERN_BASE_URL, whoever asks for JSON gets JSON, with the same setting', async () => {
  const { status, headers, json } = await ask(address, { accept: 'application/json' })
  assert.deepEqual([status, headers.get('content-type'), json.error], [403, 'application/json', 'access_denied'])
  assert.ok(json.error_description.endsWith(`: ${setting}`), json.error_description)
})

test('a host with markup in it is refused before it could stand on that page', async () => {
  const { status, text } = await ask(address, { accept: browser, host: 'a<b>.example' })
  assert.equal(status, 400)
  assert.ok(!text.includes('<b>'), text)
})

test('the pages of the admin, too, show the setting to copy', async () => {
  const { status, text } = await ask('/admin/sign-in', { accept: browser })
  assert.equal(status, 403)
  assert.ok(text.includes(`>${setting}</code>`), text)
})

test('what else fails at the authorization endpoint, before or after the request was understood, is a page; elsewhere JSON', async () => {
  await using named = await openSite({ env: { POSTERN_BASE_URL: 'https://blog.example.org' } })
  const rows = [
    ['GET', '/oauth/authorize', { host: 'other.example' }, 421, 'text/html; charset=utf-8'],
    ['GET', '/oauth/consent', { host: 'other.example' }, 421, 'text/html; charset=utf-8'],
    ['DELETE', '/oauth/authorize', {}, 405, 'text/html; charset=utf-8'],
    ['DELETE', '/oauth/authorize', { accept: 'application/json' }, 405, 'application/json'],
    ['GET', '/oauth/token', { host: 'other.example' }, 421, 'application/json'],
    ['GET', '/oauth/token', {}, 405, 'application/json'],
  ] as const
  for (const [method, path, headers, status, type] of rows) {
    const sent = { method, headers: { accept: browser, ...headers }, host: 'blog.example.org' }
    const answer = await sendOver({ port: named.port, certificate: undefined }, path, sent)
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [status, type], `${method} ${path}: ${answer.text}`)
  }
})
