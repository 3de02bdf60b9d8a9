// Routes: slash, letter case, methods, parameters, the base path; and addresses made from them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../properties.ts'
import { HttpFailure } from '../../src/http/failure.ts'
import { text } from '../../src/http/reply.ts'
import { placeOf } from '../../src/http/request.ts'
import type { Request } from '../../src/http/request.ts'
import { href } from '../../src/http/route.ts'
import type { Handler, Methods, Route } from '../../src/http/route.ts'
import { createRouter } from '../../src/http/router.ts'
import { readTarget } from '../../src/http/target.ts'

const say =
  (words: string): Handler =>
  (_request, params) =>
    text(200, [words, ...Object.values(params)].join(' '))
const get = (words: string): Methods => ({ GET: say(words) })

const router = createRouter(
  [
    { path: '/mcp/', slash: 'either', letterCase: 'any', door: 'mcp', methods: { POST: say('mcp'), GET: say('orientation') } },
    {
      path: '/old/',
      slash: 'redirect',
      letterCase: 'exact',
      methods: get('old'),
      redirectHeaders: { 'x-redirect-by': 'Postern' },
    },
    { path: '/exact', slash: 'exact', letterCase: 'exact', methods: get('exact') },
    { path: '/ext/:id', slash: 'either', letterCase: 'exact', methods: get('ext') },
    { path: '/media/:id/:size', slash: 'redirect', letterCase: 'any', methods: get('media') },
    { path: '/user-content/*', slash: 'exact', letterCase: 'exact', methods: get('files') },
    { path: '/.well-known/x/blog', slash: 'either', letterCase: 'exact', outside: true, methods: get('inserted') },
    { path: '/', slash: 'exact', letterCase: 'exact', methods: get('home') },
  ],
  { methods: get('site'), door: 'site' },
)

/** What a request comes to: status and body, the place of a redirect, or the failure's code. */
async function ask(method: string, url: string, basePath = ''): Promise<string> {
  const target = readTarget(url)
  const asked = { method, target: url, suspicious: target.suspicious, ...placeOf(target, basePath) } as Request
  const { handler, params } = router.match(asked)
  try {
    const reply = await handler(asked, params)
    return reply.status === 302
      ? `to ${String(reply.headers['location'])}`
      : reply.body && 'text' in reply.body
        ? reply.body.text
        : ''
  } catch (error) {
    assert.ok(error instanceof HttpFailure)
    return [error.code, error.headers?.['allow']].filter(Boolean).join(' ')
  }
}

const rows: readonly (readonly [rule: string, method: string, url: string, is: string, basePath?: string])[] = [
  ['either form is the same', 'POST', '/mcp', 'mcp'],
  ['either form, with the slash', 'POST', '/mcp/', 'mcp'],
  ['any letter case', 'POST', '/MCP', 'mcp'],
  ["a query isn't path", 'POST', '/mcp?a=/b', 'mcp'],
  ['HEAD comes with GET', 'HEAD', '/mcp/', 'orientation'],
  ['another method is told what is taken', 'DELETE', '/mcp/', 'wrong_method POST, GET, HEAD'],
  ['OPTIONS without a handler too', 'OPTIONS', '/exact', 'wrong_method GET, HEAD'],
  ['the other form is sent to this one, whatever the method', 'POST', '/old?a=1', 'to /old/?a=1'],
  ['in exact case only', 'GET', '/OLD/', 'site'],
  ['exact means no other form', 'GET', '/exact/', 'site'],
  ['two slashes are nowhere', 'POST', '/mcp//', 'not_found'],
  ['a parameter is one segment', 'GET', '/ext/abc', 'ext abc'],
  ['a parameter is decoded once', 'GET', '/ext/a%2520b%20c', 'ext a%20b c'],
  ["a parameter isn't empty", 'GET', '/ext/', 'site'],
  ["a parameter isn't two segments", 'GET', '/ext/a/b', 'site'],
  ['a parameter with a slash form', 'GET', '/ext/abc/', 'ext abc'],
  ['parameters keep their case', 'GET', '/MEDIA/Ab/cD', 'media Ab cD'],
  ['a redirect of parameters encodes them', 'GET', '/media/a%20b/c/', 'to /media/a%20b/c'],
  ['the rest may be of several segments', 'GET', '/user-content/a/b.png', 'files a/b.png'],
  ['the rest may be empty', 'GET', '/user-content/', 'files '],
  ['without its slash there is no rest', 'GET', '/user-content', 'site'],
  ['the fallback has methods of its own', 'POST', '/no-such-page', 'wrong_method GET, HEAD'],
  ['below the base path', 'POST', '/blog/mcp', 'mcp', '/blog'],
  ['the base path itself is home', 'GET', '/blog', 'home', '/blog'],
  ['the base path with a slash is home', 'GET', '/blog/', 'home', '/blog'],
  ['beside the base path there is nothing', 'POST', '/mcp/', 'not_found', '/blog'],
  ['a longer name is beside it', 'POST', '/blogx/mcp', 'not_found', '/blog'],
  ['an outside route is beside it', 'GET', '/.well-known/x/blog', 'inserted', '/blog'],
  ["an outside route isn't below it", 'GET', '/blog/.well-known/x/blog', 'site', '/blog'],
  ['without a base path an outside route is any route', 'GET', '/.well-known/x/blog/', 'inserted'],
  ["names of Object's own are paths like any", 'GET', '/constructor', 'site'],
  ['__proto__ is no method', '__proto__', '/exact', 'wrong_method GET, HEAD'],
]

for (const [rule, method, url, is, basePath] of rows) {
  test(`${method} ${basePath ?? ''} ${url}: ${rule}`, async () => assert.equal(await ask(method, url, basePath), is))
}

test('an address of a route leads to it, whatever the parameters', () =>
  fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (id) => {
      const route: Pick<Route, 'path'> = { path: '/ext/:id' }
      // eslint-disable-next-line no-control-regex
      fc.pre(id.isWellFormed() && !/[\x00-\x1f\x7f-\x9f/\\]|^\.{1,2}$/.test(id))
      assert.equal(await ask('GET', href(route, '', { id })), `ext ${id}`)
    }),
  ))

test('an address names base and rest, and misses no parameter', () => {
  assert.equal(
    href({ path: '/user-content/*' }, 'https://example.org/blog', { rest: 'a b/c' }),
    'https://example.org/blog/user-content/a%20b/c',
  )
  assert.throws(() => href({ path: '/ext/:id' }, ''), /needs the parameter id/)
})

test('a path is what URL makes of it, or is refused, or suspicious', () =>
  fc.assert(
    fc.property(fc.webPath(), fc.webQueryParameters(), (path, query) => {
      const sent = `${path.startsWith('/') ? path : `/${path}`}?${query}`.replace(/#/g, '%23')
      let target
      try {
        target = readTarget(sent)
      } catch (error) {
        assert.ok(error instanceof HttpFailure)
        return
      }
      if (target.suspicious) return
      const url = new URL(sent, 'http://localhost')
      assert.equal(target.path, decodeURIComponent(url.pathname))
      assert.deepEqual([...new URLSearchParams(`?${target.query}`)], [...url.searchParams])
    }),
  ))

test('a target is read or refused, never anything else', () =>
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('/', '.', '%', '2', 'e', 'f', 'F', '5', 'c', '\\', '?', '#', 'a', ';', '\0', 'é', ':', 'http'),
      }),
      (sent) => {
        try {
          const { path, suspicious } = readTarget(sent)
          assert.ok(path.startsWith('/'))
          if (!suspicious) assert.ok(!/\/\/|\\|\/\.{1,2}(\/|$)/.test(path), path)
        } catch (error) {
          assert.ok(error instanceof HttpFailure && error.status === 400)
        }
      },
    ),
    { numRuns: 2000 },
  ))
