// A day of a made access log, driven through a site with two processes: people who read on, come back and reload, search engines, AI crawlers,
// tools that call themselves browsers, and all that is no visit. What is counted differs from what the log holds by less than 2 %.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agents } from '../statistics/visitor.ts'
import { openSite } from '../site.ts'
import { openTwoWorkers } from '../two-workers.ts'

/** The same numbers in each run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Line {
  readonly path: string
  readonly method: 'GET' | 'HEAD'
  readonly headers: Readonly<Record<string, string>>
}

const pages = Array.from({ length: 25 }, (_, at) => `/page-${at}`)
const people = 700
const browsers = [agents.chrome, agents.firefox, agents.iphone, agents.android, agents.tablet]

interface Day {
  readonly lines: readonly Line[]
  readonly views: number
  readonly byPath: ReadonlyMap<string, number>
  readonly fromNews: number
  readonly byProgram: Readonly<Record<string, number>>
}

function makeDay(): Day {
  const random = createRandom(24)
  const below = (most: number): number => Math.floor(random() * most)
  const lines: { at: number; line: Line }[] = []
  const byPath = new Map<string, number>()
  let views = 0
  let fromNews = 0
  const add = (path: string, headers: Record<string, string>, method: Line['method'] = 'GET') =>
    lines.push({ at: random(), line: { path, method, headers } })
  for (let person = 0; person < people; person++) {
    const browser = browsers[person % browsers.length] ?? agents.chrome
    const own = {
      'x-forwarded-for': `${10 + (person % 90)}.${person >> 3}.${person % 8}.${1 + below(250)}`,
      'user-agent': browser,
      'accept-language': ['de-DE,de;q=0.9', 'en-US,en;q=0.8', 'tr'][below(3)] ?? 'de',
      accept: 'text/html',
      'sec-fetch-dest': 'document',
    }
    const cameFromNews = random() < 0.3
    for (let view = 0; view <= below(6); view++) {
      const path = pages[Math.floor(pages.length * random() ** 3)] ?? '/page-0'
      const referer = view === 0 && cameFromNews ? 'https://news.example.com/today' : `https://shop.example${path}`
      add(path, { ...own, ...(view > 0 || cameFromNews ? { referer } : {}) })
      views += 1
      byPath.set(path, (byPath.get(path) ?? 0) + 1)
      if (view === 0 && cameFromNews) fromNews += 1
    }
    // The same browser loads other things, and pages in advance.
    if (random() < 0.2) add(pages[below(25)] ?? '', { ...own, 'sec-purpose': 'prefetch' })
    if (random() < 0.1) add(`/nothing-${person}`, own)
    if (random() < 0.1) add('/feed', own)
    if (random() < 0.05) add(pages[below(25)] ?? '', { ...own, 'sec-fetch-dest': 'iframe' })
  }
  const programs = { ClaudeBot: 214, GPTBot: 120, Googlebot: 180, '': 160 }
  const agentOf = { ClaudeBot: agents.claude, GPTBot: agents.gpt, Googlebot: agents.google, '': agents.python }
  for (const [name, count] of Object.entries(programs))
    for (let at = 0; at < count; at++)
      add(pages[at % 25] ?? '', { 'x-forwarded-for': `192.0.2.${at % 20}`, 'user-agent': agentOf[name as keyof typeof agentOf] })
  const other = { 'x-forwarded-for': '198.51.100.9', 'user-agent': agents.chrome, accept: 'text/html' }
  for (let at = 0; at < 60; at++) {
    add('/page-1', other, 'HEAD')
    add('/page-2', { ...other, cookie: 'postern=owner' })
    add('/page-3', { ...other, 'sec-gpc': '1' })
  }
  const sorted = lines.toSorted((a, b) => a.at - b.at).map(({ line }) => line)
  return { lines: sorted, views, byPath, fromNews, byProgram: programs }
}

const isNear = (found: number, made: number, what: string): void =>
  assert.ok(Math.abs(found - made) <= 0.02 * made, `${what}: ${found} counted of ${made}`)

test('a day of an access log is counted within 2 % by two processes', async (context) => {
  await using pair = await openTwoWorkers({ POSTERN_RATE_LIMITS: 'off' })
  const { one, two, site } = pair
  for (const [at, path] of pages.entries())
    await one.call('SVC_Content.create', {
      type: 'page',
      title: `Page ${at}`,
      slug: path.slice(1),
      body: 'Text.',
      status: 'published',
    })
  const day = makeDay()
  const sides = [one, two]
  const queues = sides.map((side, at) => ({ side, lines: day.lines.filter((_, place) => place % sides.length === at) }))
  await Promise.all(
    queues.map(async ({ side, lines }) => {
      for (const { path, method, headers } of lines) await side.send(path, { method, headers })
    }),
  )
  // Both processes write what they have counted, and the site starts anew.
  assert.equal(await site.stop(), 0)
  await using again = await openSite({ home: site.home })
  const read = (by: string) => again.call('SVC_Stats.visits', { by, limit: 100 }, { token: site.token })
  const { totals } = await read('day')
  isNear(totals.views, day.views, 'views')
  isNear(totals.visitors, people, 'visitors')
  const byPath = countsOf(await read('path'))
  for (const [path, views] of day.byPath) isNear(byPath.get(path) ?? 0, views, path)
  isNear(countsOf(await read('referrer')).get('news.example.com') ?? 0, day.fromNews, 'the news')
  const programs = new Map([...countsOf(await read('crawler')), ...countsOf(await read('bot'))])
  for (const [name, views] of Object.entries(day.byProgram)) isNear(programs.get(name) ?? 0, views, name || 'other programs')
  assert.ok(
    site.log.every((line) => !line.includes('statistics')),
    'no warning',
  )
  context.diagnostic(`${day.lines.length} lines, ${totals.views} views of ${day.views}, ${totals.visitors} visitors of ${people}`)
})

const countsOf = ({ items }: { items: readonly { value: string | null; views: number }[] }): Map<string, number> =>
  new Map(items.map(({ value, views }) => [value ?? '', views]))
