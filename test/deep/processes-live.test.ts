// One site with two processes on one socket: what one has written the other shows at once, what must happen once happens once, and the loss of
// a process is nobody's loss.

import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, openOwner, type Owner, postForm, refreshing, untilCode } from '../doors/oauth/flow.ts'
import { addPlugins } from '../plugin-site.ts'
import { openTwoWorkers, type Side, type TwoWorkers } from '../two-workers.ts'
import { until } from '../until.ts'

let pair: TwoWorkers
let owner: Owner
before(async () => {
  pair = await openTwoWorkers()
  owner = await openOwner(pair.site)
})
after(async () => {
  await owner[Symbol.asyncDispose]()
  await pair[Symbol.asyncDispose]()
})

const rounds = 40

/** Writes at one process and reads at once at the other, in turn. @returns how many of the reads were fresh */
async function countFresh(
  write: (at: Side, round: number) => Promise<unknown>,
  isFresh: (at: Side, round: number) => Promise<boolean>,
  times = rounds,
): Promise<number> {
  let fresh = 0
  for (let round = 0; round < times; round++) {
    const [writer, reader] = round % 2 === 0 ? [pair.one, pair.two] : [pair.two, pair.one]
    await write(writer, round)
    if (await isFresh(reader, round)) fresh += 1
  }
  return fresh
}

test('what one process writes of an entry, the other has at once: the entry, its page, a list with it', async () => {
  const { item } = await pair.one.call('SVC_Content.create', {
    type: 'page',
    title: 'Shared',
    slug: 'shared',
    status: 'published',
  })
  const titles = async (at: Side) =>
    (await at.call('SVC_Content.list', { where: { slug: 'shared' } })).items.map(({ title }: { title: string }) => title)
  const fresh = await countFresh(
    (at, round) => at.call('SVC_Content.update', { id: item.id, title: `Title ${round}.`, body: `Body ${round}.` }),
    async (at, round) =>
      (await at.call('SVC_Content.get', { id: '/shared' })).item.body === `Body ${round}.` &&
      (await at.send('/shared')).text.includes(`Body ${round}.`) &&
      String(await titles(at)) === `Title ${round}.`,
  )
  assert.equal(fresh, rounds)
})

test('a type that one process defines is known to the other at its next request: its schemas, and the fields of its entries', async () => {
  const fresh = await countFresh(
    (at, round) =>
      at.call('SVC_Types.create', { slug: `kind-${round}`, name: 'Kind', fields: [{ name: `f${round}`, kind: 'text' }] }),
    async (at, round) => {
      const { input } = await at.call('SVC_API.describe-action', { arguments: { action: 'SVC_Content.create', full: true } })
      const { item } = await at.call('SVC_Content.create', { type: `kind-${round}`, title: 'T', fields: { [`f${round}`]: 'x' } })
      return input.properties.type.enum.includes(`kind-${round}`) && item.path === `/kind-${round}/t`
    },
    10,
  )
  assert.equal(fresh, 10)
})

test('a page that one process takes away is gone from the other at once, and there again at once', async () => {
  const { item } = await pair.one.call('SVC_Content.create', {
    type: 'page',
    title: 'Now and then',
    slug: 'now',
    status: 'published',
  })
  const fresh = await countFresh(
    (at, round) => at.call(`SVC_Content.${round % 4 < 2 ? 'unpublish' : 'publish'}`, { id: item.id }),
    async (at, round) => (await at.send('/now')).status === (round % 4 < 2 ? 404 : 200),
    20,
  )
  assert.equal(fresh, 20)
})

test('a setting that one process changes is the other’s at once', async () => {
  const fresh = await countFresh(
    (at, round) => at.call('SVC_Settings.update', { set: { site_title: `Site ${round}` } }),
    async (at, round) => (await at.call('SVC_API.welcome')).site.name === `Site ${round}`,
  )
  assert.equal(fresh, rounds)
})

test('a token that one process revokes ends at once in the other', async () => {
  const { token: made, items } = { token: [] as string[], items: [] as string[] }
  for (let at = 0; at < rounds; at++) {
    const { token, item } = await pair.one.call('SVC_Tokens.create', { name: `t${at}`, scope: 'read' })
    made.push(token)
    items.push(item.id)
  }
  const isKnown = async (at: Side, round: number) => (await at.call('SVC_API.welcome', {}, made[round])).you.token !== null
  const fresh = await countFresh(
    async (at, round) => {
      assert.ok((await isKnown(pair.one, round)) && (await isKnown(pair.two, round)))
      await at.call('SVC_Tokens.revoke', { ids: [items[round]], expect: 1 })
    },
    async (at, round) => !(await isKnown(at, round)),
  )
  assert.equal(fresh, rounds)
})

test('a site that one process closes is closed in the other at once', async () => {
  const fresh = await countFresh(
    (at, round) => at.call('SVC_Settings.maintenance', { on: round % 2 === 0 }),
    async (at, round) => (await at.send('/')).status === (round % 2 === 0 ? 503 : 200),
  )
  assert.equal(fresh, rounds)
})

test('a plugin that one process activates can be called in the other at once', async () => {
  await addPlugins(pair.site, 'useful')
  const fresh = await countFresh(
    (at, round) =>
      round % 2 === 0
        ? at.call('SVC_Plugins.deactivate', { id: 'useful' })
        : at.call('SVC_Plugins.activate', { id: 'useful', may: ['call:SVC_Content.*'] }),
    async (at, round) => (await at.api('USEFUL_Words.count', { text: 'Hello world' })).success === (round % 2 !== 0),
    10,
  )
  assert.equal(fresh, 10)
})

test('what the command line writes both processes have at once', async () => {
  await pair.one.call('SVC_Content.create', { type: 'page', title: 'By hand', slug: 'by-hand', status: 'published' })
  await pair.two.send('/by-hand')
  const { code } = await pair.site.postern(['call', 'SVC_Content.update', 'id=/by-hand', 'body=from the shell'])
  assert.equal(code, 0)
  for (const side of [pair.one, pair.two]) assert.match((await side.send('/by-hand')).text, /from the shell/)
})

test('a limit per minute is exact over both processes', async () => {
  const { token } = await pair.one.call('SVC_Tokens.create', { name: 'limited', scope: 'read', limits: { per_minute: 25 } })
  const more = await Promise.all([1, 2, 1, 2].map((name) => pair.connect(String(name))))
  const answers = await Promise.all(
    more.flatMap((side) => Array.from({ length: 15 }, () => side.api('SVC_API.welcome', {}, token))),
  )
  assert.equal(answers.filter(({ success }) => success).length, 25)
  assert.ok(answers.every(({ success, error }) => success || error.code === 'rate_limited'))
})

test('/metrics of either process tells the numbers of both, each with its name', async () => {
  const authorization = `Bearer ${pair.site.token}`
  for (const side of [pair.one, pair.two]) {
    await until('both are told', async () => {
      const { text } = await side.send('/metrics', { headers: { authorization } })
      return ['1', '2'].every((name) => new RegExp(`^postern_http_requests_total\\{.*process="${name}"\\} [1-9]`, 'm').test(text))
    })
    const { text } = await side.send('/metrics', { headers: { authorization } })
    assert.equal(text.match(/^postern_database_bytes\{file="database"\} /gm)?.length, 1)
    assert.equal(text.match(/^process_resident_memory_bytes\{process="[12]"\} /gm)?.length, 2)
    assert.equal(text.match(/^# TYPE postern_http_requests_total /gm)?.length, 1)
  }
})

test('each line of the log names its process', () => {
  for (const line of pair.site.log) assert.match(line, /"process":"(?:1|2|primary)"/)
})

test('of one idempotency key sent to both at once one call runs', async () => {
  const send = (side: Side) => side.api('SVC_Content.create', { type: 'post', title: 'Keyed', idempotency_key: 'both' })
  const answers = await Promise.all([pair.one, pair.two, pair.one, pair.two].map(send))
  assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1)
})

test('one code sent to both at once becomes one token, and one refresh token one answer', async () => {
  const at = (place: number) => ({
    send: (path: string, options: object) => postVia(place % 2 === 0 ? pair.one : pair.two, path, options),
  })
  const { form } = await untilCode(pair.site, owner, { metadata: refreshing })
  const exchanged = await Promise.all([0, 1, 2, 3].map((place) => postForm(at(place), '/oauth/token', form)))
  assert.equal(exchanged.filter(({ status }) => status === 200).length, 1)
  const { clientId, refreshToken } = await connect(pair.site, owner, { metadata: refreshing })
  const refresh = { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken }
  const refreshed = await Promise.all([0, 1, 2, 3].map((place) => postForm(at(place), '/oauth/token', refresh)))
  assert.deepEqual([...new Set(refreshed.map(({ status }) => status))], [200])
  assert.equal(new Set(refreshed.map(({ text }) => text)).size, 1)
})

test('a scheduled entry is published once', async () => {
  const at = new Date(Date.now() + 1000).toISOString()
  const { item } = await pair.one.call('SVC_Content.create', {
    type: 'post',
    title: 'Due',
    status: 'published',
    published_at: at,
  })
  assert.equal(item.status, 'scheduled')
  await until(
    'it is published',
    async () => (await pair.two.call('SVC_Content.get', { id: item.id })).item.status === 'published',
  )
  await sleep(600)
  const { items } = await pair.one.call('SVC_Activity.list', { where: { object: item.id } })
  assert.equal(items.filter(({ door }: { door: string }) => door === 'system').length, 1)
})

test('of the last two admins, demoted at once in both processes, one stays', async () => {
  const own = (await pair.one.call('SVC_Accounts.me')).item.id as string
  const other = (await pair.one.call('SVC_Accounts.create', { email: 'second@example.org', name: 'Second', role: 'admin' })).item
    .id as string
  const { token } = await pair.one.call('SVC_Tokens.create', { name: 'second', scope: 'admin', account: other })
  const answers = await Promise.all([
    pair.one.api('SVC_Accounts.update', { id: own, role: 'content' }, token),
    pair.two.api('SVC_Accounts.update', { id: other, role: 'content' }),
  ])
  assert.equal(answers.filter(({ success }) => success).length, 1, JSON.stringify(answers))
  const left = answers[0].success ? token : pair.site.token
  await pair.one.call('SVC_Accounts.update', { id: answers[0].success ? own : other, role: 'admin' }, left)
})

test('a restore is refused as long as one of the processes is up', async () => {
  assert.equal((await pair.site.postern(['backup'])).code, 0)
  const { code, stderr } = await pair.site.postern(['restore', 'latest', '--yes'])
  assert.notEqual(code, 0)
  assert.match(stderr, /is in use: stop the service/)
})

test('attack 120: a process that is killed amid writes is started again, and nothing acknowledged is lost', async () => {
  const killed = (await pair.pids()).get('2') ?? 0
  const writers = [pair.one, pair.two, await pair.connect('1'), await pair.connect('2')]
  const acknowledged: string[] = []
  const write = async (side: Side, writer: number) => {
    for (let at = 0; at < 30; at++) {
      const title = `kept ${writer} ${at}`
      const answer = await side.api('SVC_Content.create', { type: 'post', title }).catch(() => undefined)
      if (answer?.success === true) acknowledged.push(title)
    }
  }
  const writing = Promise.all(writers.map(write))
  await until('some are written', () => acknowledged.length > 10)
  process.kill(killed, 'SIGKILL')
  await writing
  await until('it is there again', async () => ((await pair.pids()).get('2') ?? killed) !== killed)
  const again = await pair.connect('2')
  const titles = new Set<string>()
  for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
    const page: { items: { title: string }[]; next_cursor?: string | null } = await again.call('SVC_Content.list', {
      where: { type: 'post' },
      limit: 100,
      ...(cursor === null ? {} : { cursor }),
    })
    for (const { title } of page.items) titles.add(title)
    cursor = page.next_cursor ?? null
  }
  assert.deepEqual(
    acknowledged.filter((title) => !titles.has(title)),
    [],
  )
})

test('a stop ends both processes, and leaves no numbers of theirs', async () => {
  const pids = [...(await pair.pids()).values()]
  assert.equal(await pair.site.stop(), 0)
  assert.deepEqual(pids.filter(isAlive), [])
  const left = await readdir(join(pair.site.home, 'data', 'processes'))
  assert.deepEqual(
    left.filter((name) => name.startsWith('metrics-')),
    [],
  )
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Sends as a test site does, over a connection to one process. */
async function postVia(
  side: Side,
  path: string,
  { method, headers, body }: { method?: string; headers?: object; body?: string },
) {
  const { status, text } = await side.send(path, { method: method as 'POST', headers: { ...headers }, body: body ?? '' })
  return { status, text, headers: new Headers(), json: JSON.parse(text) as unknown }
}
