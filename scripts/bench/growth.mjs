// `npm run bench -- --entries N`: how long reads take in a site of so many entries. Each question is asked one at a time and never twice the same, so
// that no cache answers it. `--entries` can be repeated to compare sizes.

import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load, words } from './load.mjs'
import { startService } from './servers.mjs'
import { makeToken } from './site.mjs'

const rounds = 300
const warmUps = 30

/** In milliseconds. */
const aims = { list: { p50: 3, p99: 10 }, search: { p50: 10, p99: 30 } }

let asked = 0
/** A condition that every entry meets, and that no earlier question had. */
const fresh = () => ({ position: { gt: -1000 - (asked += 1) } })
const list = (input) => () => ({ action: 'SVC_Content.list', limit: 25, where: { slug: { ne: `none-${(asked += 1)}` } }, ...input })
const drafts = () => ({ action: 'SVC_Content.list', limit: 25, count: true, where: { status: 'draft', slug: { ne: `none-${(asked += 1)}` } } })
const search = (text) => list({ search: text })

/** One row per question. `ask(place, site)` is the arguments of a call; `path` that of a page instead. */
const questions = [
  { what: 'page', path: (place, count) => `/entry-${pick(place, count)}` },
  { what: 'one entry', ask: (place, count) => ({ action: 'SVC_Content.get', id: `/entry-${pick(place, count)}` }), missing: true },
  { what: 'list, newest', ask: list({}), aim: aims.list },
  { what: 'list, by title', ask: list({ sort: 'title' }), aim: aims.list },
  { what: 'list, by update', ask: list({ sort: '-updated_at' }), aim: aims.list },
  { what: 'list of drafts, count', ask: drafts, aim: aims.list },
  { what: 'list, dates that none has', ask: () => ({ action: 'SVC_Content.list', limit: 25, sort: 'title', where: { published_at: { gt: `2090-01-01T00:00:${String((asked += 1) % 60).padStart(2, '0')}Z` }, ...fresh() } }), aim: aims.list },
  { what: 'list, deep in it', ask: list({ sort: 'title' }), deep: true, aim: aims.list },
  { what: 'list for everybody, newest', ask: list({ sort: '-published_at' }), anonymous: true, aim: aims.list },
  { what: 'search, rare word', ask: search(words.rare), aim: aims.search },
  { what: 'search, two words', ask: search(`${words.first} ${words.second}`), aim: aims.search },
  { what: 'search, nothing', ask: search('nowhere'), aim: aims.search },
  { what: 'search, frequent word', ask: search(words.frequent) },
]

const pick = (place, count) => 1 + ((place * 7919) % count)

/** Measures sites of these sizes, one after the other. */
export async function measureGrowth(sizes, print) {
  const results = []
  for (const count of sizes) {
    const home = await mkdtemp(join(tmpdir(), 'postern-growth-'))
    try {
      results.push(await measureSite(home, count, print))
    } finally {
      await rm(home, { recursive: true, force: true })
    }
  }
  return results
}

async function measureSite(home, count, print) {
  const token = await makeToken(home)
  const began = performance.now()
  await load(home, count)
  const seconds = (performance.now() - began) / 1000
  const { size } = await stat(join(home, 'data', 'postern.db'))
  const service = await startService({ home })
  print?.head({ count, seconds, megabytes: size / 1e6, startMs: service.startMs })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const site = { address: service.address, agent, token, count }
  const found = []
  try {
    for (const question of questions) {
      const result = { what: question.what, aim: question.aim, ...(await measureQuestion(site, question)) }
      found.push(result)
      print?.row(result)
    }
  } finally {
    agent.destroy()
    await service.stop()
  }
  return { count, seconds, megabytes: size / 1e6, startMs: service.startMs, questions: found }
}

async function measureQuestion(site, question) {
  const times = []
  for (let place = -warmUps; place < rounds; place++) {
    const cursor = question.deep ? await cursorFarIn(site, question) : undefined
    const began = performance.now()
    await send(site, question, place + warmUps, cursor)
    if (place >= 0) times.push(performance.now() - began)
  }
  times.sort((a, b) => a - b)
  return { p50: times[Math.floor(rounds / 2)], p99: times[Math.floor(rounds * 0.99)] }
}

/** The cursor of a page in the middle of the list: the one of a list that begins at the letter in the middle. */
let far
async function cursorFarIn(site, question) {
  if (far?.site === site) return far.cursor
  const input = { action: 'SVC_Content.list', limit: 100, sort: 'title' }
  let cursor
  for (let page = 0; page < Math.min(100, site.count / 200); page++)
    cursor = JSON.parse(await send(site, { ...question, ask: () => ({ ...input, ...(cursor && { cursor }) }) }, 0)).data.next_cursor
  far = { site, cursor, input }
  return cursor
}

async function send({ address, agent, token, count }, { ask, path, anonymous, deep, missing }, place, cursor) {
  const input = cursor === undefined ? ask?.(place, count) : { ...far.input, limit: 25 + (place % 70), cursor }
  const url = new URL(path ? path(place, count) : '/api/', address)
  const headers = { 'content-type': 'application/json', ...(anonymous ? {} : { authorization: `Bearer ${token}` }) }
  const sent = request(url, { agent, method: path ? 'GET' : 'POST', headers: path ? {} : headers })
  sent.end(path ? undefined : JSON.stringify(input))
  const [answer] = await once(sent, 'response')
  let text = ''
  for await (const chunk of answer) text += chunk
  const good = answer.statusCode === 200 || ((path || missing) && answer.statusCode === 404) || deep === undefined && false
  if (!good) throw new Error(`${JSON.stringify(input ?? url.pathname)} answers ${answer.statusCode} ${text.slice(0, 300)}`)
  return text
}
