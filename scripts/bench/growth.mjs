// `npm run bench -- --entries N`: the time of reads and creates in a site of N entries. Each question is asked alone and only
// once, so that no cache answers it. `--entries` can be repeated to compare sizes.

import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureCreates } from './creates.mjs'
import { idOf, isPublished, load, words } from './load.mjs'
import { cpuMicros, startService } from './servers.mjs'
import { makeToken } from './site.mjs'

const rounds = 300
const warmUps = 30

/** The aims, in milliseconds. */
const aims = {
  list: { p50: 3, p99: 10 },
  search: { p50: 10, p99: 30 },
  query: { p50: 20, p99: 30 },
  frequent: { p50: 60, p99: 100 },
}

/** The aim for the time from a publication until each page shows it, in milliseconds. */
const visible = { p50: 30, p99: 50 }

let asked = 0
/** A condition that every entry meets, and that no earlier question had. */
const fresh = () => ({ slug: { ne: `none-${(asked += 1)}` } })
const list =
  ({ where, ...input }) =>
  () => ({ action: 'SVC_Content.list', limit: 25, ...input, where: { ...where, ...fresh() } })
const search = (text) => list({ search: text })
const find = (query) => () => ({ action: 'SVC_Search.query', query })

/**
 * One row per question: the call for the n-th time, or the path of a page. `time`, if there is one, sends its own requests and
 * returns the milliseconds. `times`: the number of repetitions, if that isn't `rounds`.
 */
const questions = [
  { what: 'page', path: (n, count) => `/entry-${pick(n, count)}` },
  { what: 'one entry', ask: (n, count) => ({ action: 'SVC_Content.get', id: idOf(pick(n, count)) }) },
  { what: 'list, newest', ask: list({}), aim: aims.list },
  { what: 'list, by title', ask: list({ sort: 'title' }), aim: aims.list },
  { what: 'list, by update', ask: list({ sort: '-updated_at' }), aim: aims.list },
  { what: 'list, drafts, with count', ask: list({ where: { status: 'draft' }, count: true }), aim: aims.list },
  { what: 'list, dates none has', ask: list({ sort: 'title', where: { published_at: { gt: '2090-01-01' } } }), aim: aims.list },
  { what: 'list, deep in it', ask: list({ sort: 'title' }), deep: true, aim: aims.list },
  { what: 'list, public, newest', ask: list({ sort: '-published_at' }), anonymous: true, aim: aims.list },
  { what: 'search, rare word', ask: search(words.rare), aim: aims.search },
  { what: 'search, two words', ask: search(`${words.first} ${words.second}`), aim: aims.search },
  { what: 'search, nothing', ask: search('nowhere'), aim: aims.search },
  { what: 'search, frequent word', ask: search(words.frequent) },
  { what: 'query, rare word', ask: find(words.rare), aim: aims.query },
  { what: 'query, two words', ask: find(`${words.first} ${words.second}`), aim: aims.query },
  { what: 'query, frequent word', ask: find(words.frequent), aim: aims.frequent },
  { what: 'query, misspelt word', ask: find('quikcsilver'), aim: aims.query },
  { what: 'query, public page', path: () => `/search?q=${words.first}`, aim: aims.frequent },
  {
    what: 'similar entries',
    ask: (n, count) => ({ action: 'SVC_Search.similar', id: idOf(pick(n, count)) }),
    aim: aims.frequent,
  },
  // The sitemap is made anew for each request: 45,000 addresses.
  { what: 'sitemap, the first part', path: (_n, count) => (count > 45_000 ? '/sitemap-1.xml' : '/sitemap.xml'), times: 5 },
  { what: 'publish to visible', time: publishToVisible, times: 100, aim: visible },
]

/** Measures from the answer to a publication until the page, the home page and the feed show the entry. */
async function publishToVisible(site, place) {
  const title = `Fresh ${place}`
  const created = await send(site, { ask: () => ({ action: 'SVC_Content.create', type: 'post', title, body: 'New.' }) }, place)
  const { id, slug } = JSON.parse(created).data.item
  for (const path of ['/', '/feed.xml']) await send(site, { path: () => path }, place)
  await send(site, { ask: () => ({ action: 'SVC_Content.publish', id }) }, place)
  const began = performance.now()
  for (const path of [`/${slug}`, '/', '/feed.xml']) while (!(await send(site, { path: () => path }, place)).includes(title));
  return performance.now() - began
}

/** The number of a published entry. The entries are spread over the whole site. */
function pick(n, count) {
  let number = 1 + ((n * 7919) % count)
  while (!isPublished(number)) number = 1 + (number % count)
  return number
}

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
  const site = { address: service.address, pid: service.pid, agent, token, count }
  const found = []
  let creates
  try {
    for (const question of questions) {
      const result = { what: question.what, aim: question.aim, ...(await measureQuestion(site, question)) }
      found.push(result)
      print?.row(result)
    }
    creates = await measureCreates(service, { home, token, rounds: 3, seconds: 2 })
    print?.creates(creates)
  } finally {
    agent.destroy()
    await service.stop()
  }
  return { count, seconds, megabytes: size / 1e6, startMs: service.startMs, questions: found, creates }
}

async function measureQuestion(site, question) {
  const times = []
  const count = question.times ?? rounds
  const before = Math.min(warmUps, Math.ceil(count / 10))
  let cpuBefore = 0
  for (let place = -before; place < count; place++) {
    const far = question.deep ? await farIn(site) : undefined
    if (place === 0) cpuBefore = cpuMicros(site.pid)
    const began = performance.now()
    const took = question.time && (await question.time(site, place + before))
    if (!question.time) await send(site, question, place + before, far)
    if (place >= 0) times.push(took ?? performance.now() - began)
  }
  times.sort((a, b) => a - b)
  const cpu = (cpuMicros(site.pid) - cpuBefore) / count / 1000
  return { p50: times[Math.floor(count / 2)], p99: times[Math.floor(count * 0.99)], cpu }
}

/** The cursor of a page deep in the list, and the arguments that it belongs to. It is read once per site. */
async function farIn(site) {
  if (site.far) return site.far
  const input = { action: 'SVC_Content.list', sort: 'title', limit: 100 }
  let cursor
  for (let page = 0; page < Math.min(100, site.count / 200); page++) {
    const ask = () => ({ ...input, ...(cursor && { cursor }) })
    cursor = JSON.parse(await send(site, { ask }, 0)).data.next_cursor
  }
  return (site.far = { ...input, cursor })
}

async function send({ address, agent, token, count }, { ask, path, anonymous }, place, far) {
  const input = far ? { ...far, limit: 20 + (place % 80) } : ask?.(place, count)
  const url = new URL(path ? path(place, count) : '/api/', address)
  const headers = path ? {} : { 'content-type': 'application/json' }
  if (!path && !anonymous) headers.authorization = `Bearer ${token}`
  const sent = request(url, { agent, method: path ? 'GET' : 'POST', headers })
  sent.end(path ? undefined : JSON.stringify(input))
  const [answer] = await once(sent, 'response')
  let text = ''
  for await (const chunk of answer) text += chunk
  if (answer.statusCode !== 200)
    throw new Error(`${JSON.stringify(input ?? url.pathname)} answers ${answer.statusCode} ${text.slice(0, 300)}`)
  return text
}
