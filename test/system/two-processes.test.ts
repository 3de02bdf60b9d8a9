// Two processes of the service on one home: what must be single is single, and what one changes the other shows a moment later.

import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readRows } from '../rows.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

let one: TestSite
let two: TestSite
before(async () => {
  one = await openSite({ ownProcess: true })
  two = await openSite({ home: one.home, ownProcess: true })
})
after(async () => {
  await two[Symbol.asyncDispose]()
  await one[Symbol.asyncDispose]()
})

const mine = () => ({ token: one.token })

test('a page that one publishes, changes or takes away is so at the other a moment later', async () => {
  assert.equal((await two.send('/shared', mine())).status, 404)
  await one.call('SVC_Content.create', {
    type: 'page',
    title: 'Shared',
    slug: 'shared',
    body: 'first words',
    status: 'published',
  })
  await until('publishing', async () => (await two.send('/shared')).text.includes('first words'))
  await two.call('SVC_Content.get', { id: '/shared' }, mine())
  await one.call('SVC_Content.update', { id: '/shared', body: 'second words' })
  await until('a change on the page', async () => (await two.send('/shared')).text.includes('second words'))
  await until(
    'a change in get',
    async () => (await two.call('SVC_Content.get', { id: '/shared' }, mine())).item.body === 'second words',
  )
  await one.call('SVC_Content.unpublish', { id: '/shared' })
  await until('taking away', async () => (await two.send('/shared')).status === 404)
})

test('a setting that one changes is the other’s a moment later', async () => {
  await one.call('SVC_Settings.update', { set: { site_title: 'Told to both' } })
  await until('the title', async () => (await two.call('SVC_API.welcome', {}, mine())).site.name === 'Told to both')
})

test('a token that one revokes ends there at once, and at the other a moment later', async () => {
  const { token, item } = await one.call('SVC_Tokens.create', { name: 'ended', scope: 'read' })
  const known = async (site: TestSite) => (await site.call('SVC_API.welcome', {}, { token: token as string })).you.token !== null
  assert.ok((await known(one)) && (await known(two)))
  await one.call('SVC_Tokens.revoke', { ids: [item.id as string], expect: 1 })
  assert.equal(await known(one), false)
  await until('the end of a token', async () => !(await known(two)))
})

test('attack 156: a preview link of a token that one revokes, or that one ends by hand, has ended at the other', async () => {
  await one.call('SVC_Content.create', { type: 'page', title: 'Between us', body: 'Hush.' })
  const { token, item } = await one.call('SVC_Tokens.create', { name: 'previews', scope: 'content' })
  const make = async () => (await two.call('SVC_Content.preview', { id: '/between-us' }, { token: token as string })) as Link
  const at = async (site: TestSite, { url }: Link) => (await site.send(new URL(url).pathname, { token: null })).status
  const [byHand, ofToken] = [await make(), await make()]
  for (const link of [byHand, ofToken]) assert.equal(await at(two, link), 200)
  await one.call('SVC_Content.end-preview', { id: byHand.id })
  assert.equal(await at(two, byHand), 404)
  await one.call('SVC_Tokens.revoke', { ids: [item.id as string], expect: 1 })
  await until('the end of the link', async () => (await at(two, ofToken)) === 404)
})

interface Link {
  readonly id: string
  readonly url: string
}

test('of one idempotency key sent to both at once one call runs', async () => {
  const send = (site: TestSite) =>
    site.api('SVC_Content.create', { type: 'post', title: 'Keyed', idempotency_key: 'both' }, mine())
  const answers = await Promise.all([one, two, one, two, one, two].map(send))
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1, answers.map(({ text }) => text).join('\n'))
})

test('of writes with one if_revision sent to both at once one succeeds', async () => {
  const { item } = await one.call('SVC_Content.create', { type: 'page', title: 'Contested' })
  const write = (site: TestSite, at: number) =>
    site.api('SVC_Content.update', { id: item.id as string, body: `version ${at}`, if_revision: 1 }, mine())
  const answers = await Promise.all([one, two, one, two].map(write))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
})

test('of one slug asked of both at once each entry gets its own', async () => {
  const create = (site: TestSite) => site.call('SVC_Content.create', { type: 'page', title: 'Same name' }, mine())
  const paths = (await Promise.all([one, two, one, two].map(create))).map((answer) => answer.item.path as string)
  assert.equal(new Set(paths).size, 4)
})

test('a scheduled entry is published once', async () => {
  const at = new Date(Date.now() + 1500).toISOString()
  const { item } = await one.call('SVC_Content.create', {
    type: 'post',
    title: 'Due soon',
    status: 'published',
    published_at: at,
  })
  assert.equal(item.status, 'scheduled')
  const statusThere = async () => (await two.call('SVC_Content.get', { id: item.id as string }, mine())).item.status
  await until('it is published', async () => (await statusThere()) === 'published')
  await sleep(700)
  const done = (await one.call('SVC_Activity.list', { where: { object: item.id as string } })).items as {
    call: string
    door: string
  }[]
  assert.equal(done.filter(({ door }) => door === 'system').length, 1)
})

test('attack 121: two first starts at once make one key and one database', async () => {
  const home = await mkdtemp(join(tmpdir(), 'postern-test-'))
  try {
    const start = () => openSite({ home, bare: true, ownProcess: true })
    const sites = await Promise.all([start(), start()])
    assert.deepEqual(
      (await readdir(join(home, 'data'))).filter((name) => name.endsWith('.key')),
      ['site.key'],
    )
    for (const site of sites) {
      assert.equal((await site.api('SVC_API.welcome')).status, 200)
      await site[Symbol.asyncDispose]()
    }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
})

test('attack 120: a process that is killed amid writes leaves old or new state, and the other goes on', async () => {
  const setUp = await openSite()
  try {
    const third = await openSite({ home: setUp.home, ownProcess: true })
    const writes = Array.from({ length: 40 }, (_, at) =>
      third
        .api(
          'SVC_API.batch',
          { calls: [`a${at}`, `b${at}`].map((title) => ({ action: 'SVC_Content.create', arguments: { type: 'post', title } })) },
          { token: setUp.token },
        )
        .catch(() => undefined),
    )
    await sleep(60)
    third.process.kill('SIGKILL')
    await Promise.all(writes)
    const titles = ((await readRows(setUp.home))['entry'] ?? []).map(({ title }) => String(title))
    for (const title of titles)
      assert.ok(titles.includes((title.startsWith('a') ? 'b' : 'a') + title.slice(1)), `${title} is half a batch`)
    assert.equal((await setUp.call('SVC_Content.create', { type: 'post', title: 'after' })).item.title, 'after')
  } finally {
    await setUp[Symbol.asyncDispose]()
  }
})
