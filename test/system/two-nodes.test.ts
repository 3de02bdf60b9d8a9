// Two nodes of a site on one PostgreSQL database, each with a home of its own: what must be single is single, and what one changes is soon so at the
// other.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, openOwner, type Owner, postForm, refreshing, untilCode } from '../doors/oauth/flow.ts'
import { readRows } from '../rows.ts'
import { openTwoNodes, type TestNode, type TwoNodes } from '../two-nodes.ts'
import { until } from '../until.ts'

let pair: TwoNodes
let one: TestNode
let two: TestNode
let owner: Owner
before(async () => {
  // One address for both, as behind a front: tokens are bound to it.
  pair = await openTwoNodes({ env: { POSTERN_BASE_URL: 'http://localhost' } })
  ;({ one, two } = pair)
  owner = await openOwner({ home: one.home, base: 'http://localhost', address: 'http://localhost' }, base)
})
after(async () => {
  await owner[Symbol.asyncDispose]()
  await pair[Symbol.asyncDispose]()
})

const base = { POSTERN_BASE_URL: 'http://localhost' }
/** Where clients send their requests, by the address that both nodes have. */
const at = (node: TestNode) => ({ send: node.send, base: 'http://localhost' })

test('nodes: a page, an entry and a setting that one changes are soon so at the other', async () => {
  await one.call('SVC_Content.create', { type: 'page', title: 'Both', slug: 'both', body: 'first', status: 'published' })
  await until('the page', async () => (await two.send('/both', { token: null })).text.includes('first'))
  assert.equal((await two.call('SVC_Content.get', { id: '/both' })).item.body, 'first')
  await one.call('SVC_Content.update', { id: '/both', body: 'second' })
  await until('the entry', async () => (await two.call('SVC_Content.get', { id: '/both' })).item.body === 'second')
  await two.call('SVC_Settings.update', { set: { site_title: 'Two nodes' } })
  await until('the setting', async () => (await one.call('SVC_API.welcome')).site.name === 'Two nodes')
})

test('nodes: a token that one revokes ends there at once, and soon at the other', async () => {
  const { token, item } = await one.call('SVC_Tokens.create', { name: 'ended', scope: 'read' })
  const isKnown = async (node: TestNode) => (await node.call('SVC_API.welcome', {}, { token })).you.token !== null
  assert.ok((await isKnown(one)) && (await isKnown(two)))
  await one.call('SVC_Tokens.revoke', { ids: [item.id], expect: 1 })
  assert.equal(await isKnown(one), false)
  await until('its end at the other', async () => !(await isKnown(two)))
})

test('attack 156: nodes: a preview link ends at the other node with its token, and by hand', async () => {
  await one.call('SVC_Content.create', { type: 'page', title: 'Between us', body: 'Hush.' })
  const { token, item } = await one.call('SVC_Tokens.create', { name: 'previews', scope: 'content' })
  const make = () => two.call('SVC_Content.preview', { id: '/between-us' }, { token })
  const at = async (node: TestNode, { url }: { url: string }) => (await node.send(new URL(url).pathname, { token: null })).status
  const [byHand, ofToken] = [await make(), await make()]
  for (const link of [byHand, ofToken]) assert.equal(await at(one, link), 200)
  await one.call('SVC_Content.end-preview', { id: byHand.id })
  assert.equal(await at(two, byHand), 404)
  await one.call('SVC_Tokens.revoke', { ids: [item.id], expect: 1 })
  await until('the end of the link', async () => (await at(two, ofToken)) === 404)
})

test('nodes: of one authorization code at both, one exchange succeeds', async () => {
  const { form } = await untilCode(at(one), owner)
  const answers = await Promise.all([one, two, one, two].map((node) => postForm(node, '/oauth/token', form)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400])
})

test('nodes: of one refresh token at both, all answers are one pair of tokens, or none', async () => {
  const { clientId, refreshToken } = await connect(at(one), owner, { metadata: refreshing })
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId }
  const answers = await Promise.all([one, two, one, two].map((node) => postForm(node, '/oauth/token', form)))
  const pairs = new Set(answers.filter(({ status }) => status === 200).map(({ json }) => json.refresh_token as string))
  assert.equal(pairs.size, 1, answers.map(({ text }) => text).join('\n'))
})

test('nodes: of one idempotency key at both, one call runs', async () => {
  const call = { type: 'post', title: 'Keyed at both', idempotency_key: 'both-nodes' }
  const answers = await Promise.all([one, two, one, two].map((node) => node.api('SVC_Content.create', call)))
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1, answers.map(({ text }) => text).join('\n'))
  const titles = (await readRows(one.home))['entry']?.filter(({ title }) => title === 'Keyed at both')
  assert.equal(titles?.length, 1)
})

test('nodes: a due entry is published once', async () => {
  const at = new Date(Date.now() + 1200).toISOString()
  const post = { type: 'post', title: 'Due at both', status: 'published', published_at: at }
  const { item } = await one.call('SVC_Content.create', post)
  await until('it is published', async () => (await two.call('SVC_Content.get', { id: item.id })).item.status === 'published')
  // Both look twice a second.
  await sleep(700)
  const done = (await readRows(one.home))['activity']?.filter(
    ({ door, changes }) => door === 'system' && String(changes).includes(item.id as string),
  )
  assert.equal(done?.length, 1, JSON.stringify(done))
})

test('nodes: the last two admins, demoted at once at both: one stays', async () => {
  const words = ['admin', 'create', '--email', 'second@example.org', '--name', 'Second']
  assert.equal((await one.postern(words, 'correct horse battery staple\n')).code, 0)
  const { items } = await one.call('SVC_Accounts.list')
  const [first, second] = ['owner', 'second'].map((name) =>
    (items as { id: string; email: string }[]).find(({ email }) => email === `${name}@example.org`),
  )
  const { token } = await one.call('SVC_Tokens.create', { name: 'of the second', scope: 'admin', account: second?.id })
  await two.call('SVC_Accounts.list', {}, { token })
  const answers = await Promise.all([
    one.api('SVC_Accounts.update', { id: second?.id, role: 'content' }),
    two.api('SVC_Accounts.update', { id: first?.id, role: 'content' }, { token }),
  ])
  const admins = (await readRows(one.home))['account']?.filter(({ role, disabled }) => role === 'admin' && disabled === 0)
  assert.equal(admins?.length, 1, answers.map(({ text }) => text).join('\n'))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
})
