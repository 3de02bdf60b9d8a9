// Webhooks from the change to the receiver: what is sent, how it is signed, what becomes of failures, and what is never sent.

import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { removeExpired } from '../../src/actions/call/expired-rows.ts'
import { until } from '../until.ts'
import { answers, openSendingSite, type Received, type SendingSite } from './receiver.ts'

const minute = 60_000

const add = async (site: SendingSite, more: Record<string, unknown> = {}) =>
  site.ok('SVC_Webhooks.create', { url: site.receiver.url, events: ['content.*'], ...more })

const publish = async (site: SendingSite, title: string, type = 'post') =>
  (await site.ok('SVC_Content.create', { type, title, body: 'a', status: 'published' })).item

const came = (site: SendingSite, count: number) =>
  until(`event ${count}`, () => site.receiver.received.length >= count).then(() => site.receiver.received)

const deliveries = async (site: SendingSite, where: Record<string, unknown> = {}) =>
  (await site.ok('SVC_Webhooks.deliveries', { where })).items

for (const engine of ['SQLite', 'PostgreSQL'] as const)
  test(`a change is sent once, signed so that the library of the standard takes it: ${engine}`, async () => {
    await using site = await openSendingSite(engine)
    const { secret, item } = await add(site, { where: { type: 'post' } })
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    await publish(site, 'A page', 'page')
    const post = await publish(site, 'Bread')
    const [first] = (await came(site, 1)) as [Received]
    assert.deepEqual(new Webhook(secret).verify(first.body, first.headers), first.event)
    assert.equal(first.event.type, 'content.create')
    assert.equal(first.headers['content-type'], 'application/json')
    assert.deepEqual(first.event.data.objects, [
      { kind: 'entry', id: post.id, revision: 1, title: 'Bread', path: '/bread', type: 'post', status: 'published' },
    ])
    assert.deepEqual([first.event.data.by, first.event.data.call], ['owner', 'SVC_Content.create'])
    await until('it is noted', async () => (await deliveries(site))[0]?.state === 'sent')
    const [sent] = await deliveries(site)
    assert.deepEqual([sent.id, sent.webhook, sent.tries, sent.status], [first.headers['webhook-id'], item.id, 1, 204])
    assert.equal(site.receiver.received.length, 1)
  })

for (const engine of ['SQLite', 'PostgreSQL'] as const) {
  test(`two processes with one queue send each event once: ${engine}`, async () => {
    await using site = await openSendingSite(engine)
    await add(site)
    await site.startOther()
    for (let at = 0; at < 30; at++) await publish(site, `Post ${at}`)
    const received = await came(site, 30)
    await until('all are noted', async () => (await deliveries(site, { state: 'sent' })).length === 20)
    assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 30)
    assert.equal(site.receiver.received.length, 30)
  })

  test(`an event whose process ended in the middle of its try is sent by another a minute later: ${engine}`, async () => {
    await using site = await openSendingSite(engine)
    await add(site)
    site.receiver.answering = () => undefined
    await publish(site, 'Bread')
    await came(site, 1)
    await site.stopSender()
    site.receiver.answering = answers(200)
    await site.startOther()
    site.clock.at += minute + 1
    const [first, again] = (await came(site, 2)) as [Received, Received]
    assert.equal(first.headers['webhook-id'], again.headers['webhook-id'])
    await until('it is noted', async () => (await deliveries(site))[0]?.state === 'sent')
    assert.equal((await deliveries(site))[0].tries, 2)
  })
}

test('attack 170: a body, id or time that was changed is refused by the library of the standard, and another secret too', async () => {
  await using site = await openSendingSite()
  const { secret } = await add(site)
  const other = (await add(site, { events: ['media.*'] })).secret
  await publish(site, 'Bread')
  const [{ body, headers }] = (await came(site, 1)) as [Received]
  const refused = (key: string, text: string, more: Record<string, string> = {}) =>
    assert.throws(() => new Webhook(key).verify(text, { ...headers, ...more }))
  refused(secret, body.replace('Bread', 'Broad'))
  refused(secret, body, { 'webhook-id': `${headers['webhook-id']}x` })
  refused(secret, body, { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) })
  refused(other, body)
})

test('attack 170: after a rotation both secrets verify for a day, then the new one alone', async () => {
  await using site = await openSendingSite()
  const { secret: former, item } = await add(site)
  const { secret } = await site.ok('SVC_Webhooks.update', { id: item.id, rotate: true })
  assert.notEqual(secret, former)
  await publish(site, 'One')
  const [one] = (await came(site, 1)) as [Received]
  for (const key of [former, secret]) new Webhook(key).verify(one.body, one.headers)
  site.clock.at += 25 * 60 * minute
  await publish(site, 'Two')
  const [, two] = (await came(site, 2)) as [Received, Received]
  assert.equal(two.headers['webhook-signature']?.split(' ').length, 1)
})

test('Ed25519: the receiver verifies with a public key, and no secret is shown', async () => {
  await using site = await openSendingSite()
  const { secret, item } = await add(site, { signing: 'ed25519' })
  assert.equal(secret, null)
  await publish(site, 'Bread')
  const [{ body, headers }] = (await came(site, 1)) as [Received]
  const x = Buffer.from(item.public_key.replace('whpk_', ''), 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const [version, signature = ''] = headers['webhook-signature']?.split(',') ?? []
  assert.equal(version, 'v1a')
  const text = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
  assert.ok(verify(null, text, key, Buffer.from(signature, 'base64')))
})

test('a failure is tried again with the same id, signed anew for its time, until it is taken', async () => {
  await using site = await openSendingSite()
  const { secret } = await add(site)
  site.receiver.answering = (response, number) => void response.writeHead(number < 3 ? 500 : 200).end('try later')
  await publish(site, 'Bread')
  await came(site, 1)
  await until('the failure is noted', async () => (await deliveries(site))[0].status === 500)
  const [failed] = await deliveries(site)
  assert.deepEqual([failed.state, failed.answer], ['waiting', 'try later'])
  site.clock.at += minute
  await came(site, 2)
  await until('the second too', async () => (await deliveries(site))[0].next_at > new Date(site.clock.at + minute).toISOString())
  site.clock.at += 10 * minute
  const received = await came(site, 3)
  assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 1)
  assert.equal(new Set(received.map(({ headers }) => headers['webhook-timestamp'])).size, 3)
  await until('it is sent', async () => (await deliveries(site))[0].state === 'sent')
  assert.throws(() => new Webhook(secret).verify(received[2]?.body ?? '', received[2]?.headers ?? {}), /too new/)
})

test('Retry-After is obeyed, a redirect is a failure that is told, and neither is followed', async () => {
  await using site = await openSendingSite()
  await add(site)
  site.receiver.answering = answers(429, '', { 'retry-after': '3600' })
  await publish(site, 'Bread')
  await until('it is noted', async () => (await deliveries(site))[0]?.status === 429)
  const wait = Date.parse((await deliveries(site))[0].next_at) - site.clock.at
  assert.equal(wait, 60 * minute)
  site.receiver.answering = answers(302, '', { location: 'http://hooks.example/elsewhere' })
  site.clock.at += 60 * minute
  await until('the redirect is noted', async () => (await deliveries(site))[0].status === 302)
  assert.equal(site.receiver.received.length, 2)
})

test('410 turns the webhook off with the reason, what waits ends, and the health page says so', async () => {
  await using site = await openSendingSite()
  const { item } = await add(site)
  site.receiver.answering = answers(410)
  await publish(site, 'Bread')
  await until('it is off', async () => !(await site.ok('SVC_Webhooks.get', { id: item.id })).item.active)
  const { reason } = (await site.ok('SVC_Webhooks.get', { id: item.id })).item
  assert.equal(reason, 'The receiver answered 410: it wants no more events.')
  await publish(site, 'Cake')
  assert.equal((await deliveries(site)).length, 1)
  const {
    items: [row],
  } = await site.ok('SVC_Health.check', { only: ['webhooks'] })
  assert.equal(row.state, 'warning')
  assert.match(row.message, /hooks\.example.* was turned off: The receiver answered 410/)
  await site.ok('SVC_Webhooks.update', { id: item.id, active: true })
  site.receiver.answering = answers(200)
  await publish(site, 'Pie')
  await came(site, 2)
})

test('ten tries in about 75 hours, then the webhook is off', async () => {
  await using site = await openSendingSite()
  const { item } = await add(site)
  site.receiver.answering = answers(503)
  await publish(site, 'Bread')
  const begun = site.clock.at
  for (let tries = 1; tries < 10; tries++) {
    await until(`try ${tries}`, async () => {
      const [row] = await deliveries(site)
      return row?.tries === tries && row.status === 503 && Date.parse(row.next_at) - site.clock.at !== minute
    })
    site.clock.at = Date.parse((await deliveries(site))[0].next_at)
  }
  await until('it is off', async () => !(await site.ok('SVC_Webhooks.get', { id: item.id })).item.active)
  assert.equal(site.receiver.received.length, 10)
  const hours = (site.clock.at - begun) / 60 / minute
  assert.ok(hours > 75 && hours < 83.5, `${hours}`)
})

test('a receiver that hangs delays neither a write nor another receiver', async () => {
  await using site = await openSendingSite()
  const { second } = site
  site.receiver.answering = () => undefined
  await add(site)
  await add(site, { url: second.url })
  for (const title of ['One', 'Two', 'Three']) await publish(site, title)
  await until('the other has all', () => second.received.length === 3)
  assert.equal(site.receiver.received.length, 1)
})

test('attack 169: private addresses, endless answers and users in an address are refused or cut', async () => {
  await using site = await openSendingSite()
  const { item } = await add(site)
  const port = new URL(site.receiver.url).port
  for (const host of ['127.0.0.1', 'inner.example', '[::1]', '169.254.169.254', '10.0.0.1', '[::ffff:7f00:1]']) {
    await site.ok('SVC_Webhooks.update', { id: item.id, url: `http://${host}:${port}/` })
    const { item: tried } = await site.ok('SVC_Webhooks.test', { id: item.id })
    assert.deepEqual([tried.taken, tried.status, tried.answer], [false, null, null])
    assert.match(tried.outcome, /^That address gave no usable answer\. It must be http or https .* on the public internet/)
  }
  assert.equal(site.receiver.received.length, 0)
  for (const url of ['ftp://hooks.example/', 'https://user:secret@hooks.example/', 'hooks'])
    assert.equal((await site.fails('SVC_Webhooks.update', { id: item.id, url })).code, 'invalid')
  await site.ok('SVC_Webhooks.update', { id: item.id, url: site.receiver.url })
  site.receiver.answering = (response) => {
    response.writeHead(200)
    const more = () =>
      void (response.destroyed || (response.write('x'.repeat(65_536)) ? setImmediate(more) : response.once('drain', more)))
    more()
  }
  const { item: endless } = await site.ok('SVC_Webhooks.test', { id: item.id })
  assert.deepEqual([endless.taken, endless.answer], [false, null])
})

test('a test event and one sent again are answered by the receiver, whose text is marked as that of a stranger', async () => {
  await using site = await openSendingSite()
  const { item } = await add(site)
  site.receiver.answering = answers(418, 'I am a teapot. '.repeat(400))
  const { item: tried } = await site.ok('SVC_Webhooks.test', { id: item.id })
  assert.deepEqual([tried.taken, tried.status, tried.answer.length], [false, 418, 4097])
  assert.equal(site.receiver.received[0]?.event.type, 'webhook.test')
  site.receiver.answering = answers(200)
  const { item: again } = await site.ok('SVC_Webhooks.redeliver', { delivery: tried.delivery })
  assert.deepEqual([again.taken, again.outcome], [true, 'The receiver answered 200.'])
  assert.deepEqual(new Set(site.receiver.received.map(({ headers }) => headers['webhook-id'])), new Set([tried.delivery]))
  const answer = await site.ok('SVC_Webhooks.deliveries')
  assert.equal(answer.items.length, 1)
  assert.ok(JSON.stringify(answer).includes('from_strangers'))
})

test('a dry run, an autosave and a call that fails send nothing; a batch is one event for each of its actions', async () => {
  await using site = await openSendingSite()
  await add(site, { events: ['*'] })
  await site.ok('SVC_Content.create', { type: 'post', title: 'a', body: 'a', dry_run: true })
  await site.fails('SVC_Content.create', { type: 'nothing', title: 'a', body: 'a' })
  await site.ok('SVC_API.batch', {
    calls: [1, 2, 3].map((at) => ({
      class: 'SVC_Content',
      action: 'create',
      arguments: { type: 'post', title: `${at}`, body: 'a' },
    })),
  })
  const received = await came(site, 1)
  assert.deepEqual(
    received.map(({ event }) => [event.type, event.data.objects.length]),
    [['content.create', 3]],
  )
})

test('a change that waits for its publication is one of the entry, with its facts', async () => {
  await using site = await openSendingSite()
  const post = await publish(site, 'Bread')
  await add(site, { where: { type: 'post' } })
  await site.ok('SVC_Content.update', { id: post.id, title: 'Rye bread', stage: true })
  const [{ event }] = (await came(site, 1)) as [Received]
  assert.deepEqual([event.type, event.data.objects.length], ['content.update', 1])
  const [object] = event.data.objects
  assert.deepEqual(
    [object.kind, object.id, object.title, object.type, object.status],
    ['entry', post.id, 'Bread', 'post', 'published'],
  )
  assert.equal(object.revision, 2)
})

test('no secret is in an answer, a record, the log or a backup', async () => {
  await using site = await openSendingSite()
  const { secret, item } = await add(site)
  await publish(site, 'Bread')
  await came(site, 1)
  const key = secret.replace('whsec_', '')
  for (const call of ['SVC_Webhooks.list', 'SVC_Webhooks.deliveries', 'SVC_Activity.list', 'SVC_Logs.list'])
    assert.ok(!JSON.stringify(await site.ok(call)).includes(key), call)
  const rows = await site.site.store.read.selectFrom('webhook').selectAll().where('id', '=', item.id).execute()
  assert.ok(!JSON.stringify(rows).includes(key))
})

test('a limited token can neither add a webhook nor change one', async () => {
  await using site = await openSendingSite()
  const { item } = await add(site)
  const limited = site.as('admin', { drafts_only: true })
  for (const [call, input] of [
    ['SVC_Webhooks.create', { url: 'https://hooks.example/', events: ['*'] }],
    ['SVC_Webhooks.update', { id: item.id, url: 'https://hooks.example/' }],
    ['SVC_Webhooks.deliveries', {}],
  ] as const)
    assert.equal((await site.fails(call, input, limited)).code, 'refused', call)
})

test('an event that no action has is refused with what would be right, and names of actions are taken', async () => {
  await using site = await openSendingSite()
  const failure = await site.fails('SVC_Webhooks.create', { url: site.receiver.url, events: ['content.published'] })
  assert.match(failure.message, /There is no event "content\.published"\. An event is the name of an action/)
  const { item } = await add(site, { events: ['SVC_Redirects.put-many', 'SVC_Media.*'] })
  assert.deepEqual(item.events, ['redirects.put_many', 'media.*'])
})

test('deliveries are listed for 30 days', async () => {
  await using site = await openSendingSite()
  await add(site)
  await publish(site, 'Bread')
  await until('it is sent', async () => (await deliveries(site))[0]?.state === 'sent')
  site.clock.at += 31 * 24 * 60 * minute
  await removeExpired(site.site)
  assert.deepEqual(await deliveries(site), [])
})
