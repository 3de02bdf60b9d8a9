// The cases of the benchmark: one row per case, with its request, the expected answer, and the aim.

import { postern } from './site.mjs'
import { authorizations, exchanges, refreshes, registrations } from './sign-in.mjs'

export const entryCount = 10_000

/** The requests of one case rotate among this many entries, so that memory has to hold more than one. */
const spread = 200

export const pathOf = (number) => `/entry-${String(number).padStart(5, '0')}`

/** Text of every entry, about 1.5 KB of Markdown. */
export const entryBody = [
  'A paragraph with *emphasis*, a [link](https://example.org/), and some words to read.',
  '## Opening hours',
  ...['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'].map(
    (day) => `- **${day}**: from nine in the morning to five in the afternoon, and later by appointment.`,
  ),
  '## How to find us',
  'From the station it is a walk of ten minutes along the river; the bus stops before the door. '.repeat(8),
].join('\n\n')

const json = { 'content-type': 'application/json' }
const mcpHeaders = {
  ...json,
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
}

const toolCall = (action, input) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'SVC_API__call-action', arguments: { action, ...(input ? { arguments: input } : {}) } },
  })

const mcp = (action, input) => ({
  method: 'POST',
  path: '/mcp/',
  headers: mcpHeaders,
  body: toolCall(action, input),
  signed: true,
})
const api = (action, input) => ({
  method: 'POST',
  path: '/api/',
  headers: json,
  body: JSON.stringify({ action, ...input }),
  signed: true,
})
const get = (path) => ({ method: 'GET', path, headers: {} })

/** Entries from all over the site, as many as a case rotates among. */
function spreadOver(count) {
  const all = Math.min(spread, count)
  return Array.from({ length: all }, (_, place) => pathOf(1 + Math.floor((place * count) / all)))
}

/** The feed of a site that has posts. */
async function feedOfPosts({ address, home }) {
  const headers = { ...json, authorization: `Bearer ${(await postern(home, ['token', 'create', '--name', 'feed'])).trim()}` }
  const calls = Array.from({ length: 25 }, (_, place) => ({
    action: 'SVC_Content.create',
    arguments: { type: 'post', title: `Post ${place}`, status: 'published', body: entryBody },
  }))
  const body = JSON.stringify({ action: 'SVC_API.batch', calls })
  await (await fetch(`${address}/api/`, { method: 'POST', headers, body })).text()
  return { requests: [get('/feed.xml')] }
}

/** Pages below the signed link of a preview. */
async function coldPages({ address, home }) {
  const headers = {
    ...json,
    authorization: `Bearer ${(await postern(home, ['token', 'create', '--name', 'cold pages'])).trim()}`,
  }
  const body = JSON.stringify({ action: 'SVC_Themes.preview', id: 'default', path: '/entry' })
  const { data } = await (await fetch(`${address}/api/`, { method: 'POST', headers, body })).json()
  const prefix = new URL(data.url).pathname.replace(/\/entry$/, '')
  return { requests: spreadOver(1000).map((path) => get(prefix + path)) }
}

const succeeded = ({ status, text }) => status === 200 && JSON.parse(text).success === true
const toolSucceeded = ({ status, text }) => status === 200 && JSON.parse(text).result?.structuredContent?.success === true

/**
 * `requests(count)`: the requests for a site with that many entries. `good`: returns true if an answer is the expected one.
 * `sdk`: the case is also compared with the SDK's server. `aim`, `sdkAim`: requests per second as a multiple of the other
 * server's. `cpuAim`: the bare server's processor time per request, divided by the service's. `fresh`: each request has a
 * different text. `open({ address, home })`: instead of `requests`, if something must exist first. If it returns `prepare`, that
 * is called before each round. A `body` that is a function is called before each request, and `took` with the text of each
 * answer.
 */
export const cases = [
  {
    name: 'welcome',
    cpuAim: 0.55,
    what: 'tools/call of welcome',
    requests: () => [mcp('SVC_API.welcome')],
    good: (answer) => toolSucceeded(answer) && answer.text.includes('"you"'),
    sdk: true,
    aim: 0.6,
    sdkAim: 10,
  },
  {
    name: 'entry',
    cpuAim: 0.5,
    what: 'tools/call of one entry',
    requests: (count) => spreadOver(count).map((path) => mcp('SVC_Content.get', { id: path })),
    good: (answer) => toolSucceeded(answer) && answer.text.includes('Opening hours'),
    sdk: true,
    aim: 0.5,
  },
  {
    name: 'api-read',
    what: '/api/ one entry',
    requests: (count) => spreadOver(count).map((path) => api('SVC_Content.get', { id: path })),
    good: (answer) => succeeded(answer) && answer.text.includes('Opening hours'),
  },
  {
    name: 'api-list',
    what: '/api/ list of 25',
    requests: () => [api('SVC_Content.list', { limit: 25 })],
    good: (answer) => succeeded(answer) && JSON.parse(answer.text).data.items.length === 25,
    aim: 0.2,
  },
  {
    // No cache answers this, so it measures the query itself.
    name: 'api-list-anew',
    what: '/api/ list, never asked before',
    requests: () => [api('SVC_Content.list', { limit: 25, where: { slug: { ne: '[<id>]' } } })],
    good: (answer) => succeeded(answer) && JSON.parse(answer.text).data.items.length === 25,
    fresh: true,
  },
  {
    name: 'challenge',
    cpuAim: 0.55,
    what: '401 of /mcp/',
    requests: () => [{ ...mcp('SVC_API.welcome'), signed: false }],
    status: 401,
    good: ({ status, text }) => status === 401 && JSON.parse(text).error.code === -32001,
  },
  {
    name: 'page',
    cpuAim: 0.75,
    what: 'public page',
    requests: (count) => spreadOver(count).map(get),
    good: ({ status, text }) => status === 200 && text.includes('How to find us'),
    aim: 0.7,
  },
  {
    // The pages of a preview are not cached, so each is made anew: its rows, its data, and the theme.
    name: 'page-cold',
    what: 'public page, made anew',
    open: coldPages,
    good: ({ status, text }) => status === 200 && text.includes('How to find us'),
  },
  {
    name: 'feed',
    what: 'feed of 20 posts',
    open: feedOfPosts,
    good: ({ status, text }) => status === 200 && text.split('<item>').length === 21,
    aim: 0.7,
  },
  {
    name: 'discovery',
    what: 'protected-resource document',
    requests: () => [get('/.well-known/oauth-protected-resource')],
    good: ({ status, text }) => status === 200 && JSON.parse(text).resource.endsWith('/mcp/'),
    aim: 0.7,
  },
  {
    name: 'register',
    what: 'registration of a client',
    open: registrations,
    status: 201,
    good: ({ status, text }) => status === 201 && JSON.parse(text).client_id.includes('.'),
  },
  {
    name: 'authorize',
    what: 'authorize, the sign-in form',
    open: authorizations,
    good: ({ status, text }) => status === 200 && text.includes('name="password"'),
  },
  {
    name: 'exchange',
    what: 'a code for tokens',
    open: exchanges,
    good: ({ status, text }) => status === 200 && JSON.parse(text).access_token.startsWith('psa_'),
  },
  {
    name: 'refresh',
    what: 'a refresh',
    open: refreshes,
    good: ({ status, text }) => status === 200 && JSON.parse(text).refresh_token.startsWith('psr_'),
  },
]
