// The sending of a newsletter: one mail each however many processes there are, a stop at once, other mails first, and what refusals
// of the relay come to.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { deepTest } from '../deep-run.ts'
import { until } from '../until.ts'
import { type MailingSite, openMailingSite, openRelay, refusing, relayInput } from './relay-server.ts'

const subscribe = (site: MailingSite, count: number, at = 'example.com') => {
  const lines = Array.from({ length: count }, (_, number) => `p${number}@${at}`)
  return site.ok('SVC_Subscribers.import', { csv: `email\n${lines.join('\n')}\n`, consent: 'A list.' })
}

const write = (site: MailingSite, slug: string, more: Record<string, unknown> = {}) =>
  site.ok('SVC_Content.create', { type: 'post', title: slug, slug, body: 'News.', status: 'published', ...more })

const send = async (site: MailingSite, slug: string): Promise<string> =>
  (await site.ok('SVC_Subscribers.send', { entry: `/${slug}`, to: 'all' })).item.newsletter

const sentOf = async (site: MailingSite, id: string) => (await site.ok('SVC_Subscribers.sent', { where: { id } })).items[0]

const isDone = (site: MailingSite, id: string, count: number) =>
  until('the newsletter is done', async () => {
    const { state, sent, failed } = await sentOf(site, id)
    return state === 'done' && sent + failed === count
  })

for (const engine of ['SQLite', 'PostgreSQL'] as const)
  test(`two processes send each subscriber one mail: ${engine}`, async () => {
    await using site = await openMailingSite(engine, { per_minute: 1000 })
    await site.startOther()
    await subscribe(site, 30)
    await write(site, 'one')
    await write(site, 'two')
    const ids = [await send(site, 'one'), await send(site, 'two')]
    for (const id of ids) await isDone(site, id, 30)
    const got = site.relay.taken.map(({ to, source }) => `${to[0]} ${/^Subject: (.*)$/m.exec(source)?.[1]}`)
    assert.equal(got.length, 60)
    assert.equal(new Set(got).size, 60)
  })

test('a stop is immediate, what is due goes on with resume, and who left meanwhile gets nothing', async () => {
  await using site = await openMailingSite('SQLite', { per_minute: 10 })
  await subscribe(site, 12)
  await write(site, 'news')
  const id = await send(site, 'news')
  // The rest of the rate is left to mails for which somebody waits.
  await until('eight were sent', async () => (await sentOf(site, id)).sent === 8)
  await site.ok('SVC_Accounts.create', { email: 'anna@example.org', name: 'Anna', role: 'content' })
  await until('an invitation goes first', () => site.relay.taken.some(({ to }) => to.includes('anna@example.org')))
  assert.equal((await site.ok('SVC_Subscribers.stop', { id })).item.state, 'stopped')
  await site.ok('SVC_Mail.set-relay', relayInput(site.relay, { per_minute: 1000 }))
  await sleep(300)
  assert.equal((await sentOf(site, id)).sent, 8)
  const [last] = (await site.ok('SVC_Subscribers.list', { where: { email: 'p11@example.com' } })).items
  await site.ok('SVC_Subscribers.remove', { ids: [last.id], expect: 1 })
  await site.ok('SVC_Subscribers.resume', { id })
  await isDone(site, id, 11)
  assert.equal(site.relay.taken.filter(({ to }) => to.includes('p11@example.com')).length, 0)
  assert.equal((await site.fails('SVC_Subscribers.stop', { id })).code, 'refused')
})

test('three refusals of an address end its subscription, and one that is taken starts the count anew', async () => {
  await using site = await openMailingSite('SQLite', { per_minute: 1000 })
  const gone = new Set(['p0@example.com', 'p1@example.com'])
  await using strict = await openRelay({
    onRcptTo: ({ address }, _session, callback) => callback(gone.has(address) ? refusing(550, '5.1.1 No such user') : null),
  })
  await site.ok('SVC_Mail.set-relay', relayInput(strict, { per_minute: 1000 }))
  await subscribe(site, 3)
  const stateOf = async (email: string) => (await site.ok('SVC_Subscribers.list', { where: { email } })).items[0]
  for (const slug of ['a', 'b', 'c', 'd']) {
    // The second address takes mails again for a while.
    if (slug === 'c') gone.delete('p1@example.com')
    else gone.add('p1@example.com')
    await write(site, slug)
    await isDone(site, await send(site, slug), slug === 'd' ? 2 : 3)
  }
  const first = await stateOf('p0@example.com')
  assert.deepEqual([first.state, first.reason], ['ended', 'bounced'])
  assert.deepEqual([(await stateOf('p1@example.com')).state, (await stateOf('p2@example.com')).state], ['active', 'active'])
})

test('a relay that refuses the mail itself stops the newsletter, which the owner is told, and nobody loses the subscription', async () => {
  await using site = await openMailingSite('SQLite', { per_minute: 1000 })
  site.relay.answering = () => refusing(554, '5.7.1 Looks like spam')
  await subscribe(site, 10)
  await write(site, 'news')
  const id = await send(site, 'news')
  await until('it is stopped', async () => (await sentOf(site, id)).state === 'stopped')
  const stopped = await sentOf(site, id)
  assert.deepEqual([stopped.failed, stopped.sent], [3, 0])
  assert.match(stopped.error, /Looks like spam/)
  assert.match(JSON.stringify(await site.ok('SVC_Health.check')), /refused a newsletter, so it was stopped: 554/)
  site.relay.answering = () => undefined
  await site.ok('SVC_Subscribers.resume', { id })
  await isDone(site, id, 10)
  const failed = (await site.ok('SVC_Mail.list', { where: { state: 'failed' } })).items
  await site.ok('SVC_Mail.resend', { ids: failed.map(({ id: mail }: { id: string }) => mail) })
  await until('those that failed came, too', () => site.relay.taken.length === 10)
  assert.equal((await site.ok('SVC_Subscribers.list', { where: { state: 'active' }, count: true })).total, 10)
})

test('a newsletter goes to those of its language', async () => {
  await using site = await openMailingSite('SQLite', { per_minute: 1000 })
  await site.ok('SVC_Settings.update', { set: { languages: ['de'] } })
  const csv = 'email,language\nanna@example.com,de\nben@example.com,en\nclara@example.com,fr\n'
  await site.ok('SVC_Subscribers.import', { csv, consent: 'A list.' })
  await write(site, 'news')
  await write(site, 'neues', { locale: 'de' })
  await isDone(site, await send(site, 'news'), 2)
  const { item } = await site.ok('SVC_Subscribers.send', { entry: '/de/neues', to: 'all' })
  await isDone(site, item.newsletter, 1)
  const got = site.relay.taken.map(({ to, source }) => `${to[0]} ${/Abbestellen|Read on the site/.exec(source)?.[0]}`)
  assert.deepEqual(got.toSorted(), [
    'anna@example.com Abbestellen',
    'ben@example.com Read on the site',
    'clara@example.com Read on the site',
  ])
})

deepTest('10,000 subscribers are taken in and sent to without a peak in memory', async () => {
  await using site = await openMailingSite('SQLite', { per_minute: 10_000 })
  await subscribe(site, 10_000)
  await write(site, 'news', { body: 'A long text. '.repeat(4000) })
  await site.stopMailer()
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  const id = await send(site, 'news')
  await site.startOther()
  let peak = 0
  for (const count of [500, 1000, 1500, 2000])
    await until(`${count} are sent`, async () => {
      peak = Math.max(peak, process.memoryUsage.rss())
      return (await sentOf(site, id)).sent >= count
    })
  // The mails that the relay of this test keeps are in the same process.
  const kept = site.relay.taken.reduce((sum, { source }) => sum + source.length, 0)
  assert.ok(peak - before < kept * 3 + 150 * 1024 ** 2, `${(peak - before) / 1024 ** 2} MB, ${kept / 1024 ** 2} MB kept`)
})
