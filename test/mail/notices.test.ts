// Mails that follow from the state of the site: proposals that wait, as often as each person wants, and faults, each once.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noticesTurn } from '../../src/actions/mail/notices-turn.ts'
import { sayForOwners } from '../../src/app/say-for-owners.ts'
import { until } from '../until.ts'
import { type MailingSite, openMailingSite, readable } from './relay-server.ts'

const hour = 3_600_000

const look = async ({ site }: MailingSite) =>
  noticesTurn(site, sayForOwners).run(new AbortController().signal) as Promise<{ queued: number }>

const propose = (site: MailingSite, title: string) =>
  site.ok('SVC_Proposals.create', {
    title,
    calls: [{ action: 'SVC_Content.create', arguments: { type: 'post', title, body: 'a' } }],
  })

const came = (site: MailingSite, count: number) => until(`mail ${count}`, () => site.relay.taken.length >= count)

/** Faults of a new site that are not the matter of a test: it has no backup. */
const quiet = async (site: MailingSite) => {
  await look(site)
  await until('nothing waits', async () => (await site.ok('SVC_Mail.list', { where: { state: 'waiting' } })).items.length === 0)
  site.relay.taken.length = 0
}

test('proposals are told once: at once, at most once an hour, or never', async () => {
  await using site = await openMailingSite(undefined, { per_minute: 1000 })
  const [anna, ben] = [await site.account('anna@example.org', 'admin'), await site.account('ben@example.org', 'admin')]
  await site.account('writer@example.org', 'content')
  const { write } = site.site.store
  await write.updateTable('account').set({ proposal_mails: 'at_once' }).where('id', '=', anna.id).execute()
  await write.updateTable('account').set({ proposal_mails: 'never' }).where('id', '=', ben.id).execute()
  await quiet(site)
  await propose(site, 'New opening hours')
  assert.deepEqual(await look(site), { queued: 2 })
  await came(site, 2)
  assert.deepEqual(site.relay.taken.flatMap(({ to }) => to).toSorted(), ['anna@example.org', 'owner@example.org'])
  const [mail] = site.relay.taken
  assert.match(readable(mail ?? assert.fail()), /Subject: A proposal waits at My site/)
  assert.match(readable(mail ?? assert.fail()), /– New opening hours[^]*https:\/\/example\.org\/admin\/approvals/)
  assert.deepEqual(await look(site), { queued: 0 })
  site.clock.at += 60_000
  await propose(site, 'A second one')
  assert.deepEqual(await look(site), { queued: 1 })
  await came(site, 3)
  assert.deepEqual(site.relay.taken[2]?.to, ['anna@example.org'])
  site.clock.at += hour
  assert.deepEqual(await look(site), { queued: 1 })
  await came(site, 4)
  assert.match(readable(site.relay.taken[3] ?? assert.fail()), /Subject: 2 proposals wait at My site/)
})

test('a fault is told once, and again when it comes back; in German on a German site', async () => {
  await using site = await openMailingSite(undefined, { per_minute: 1000 })
  await site.ok('SVC_Settings.update', { set: { language: 'de' } })
  await quiet(site)
  const { item } = await site.ok('SVC_Webhooks.create', { url: 'http://127.0.0.1/', events: ['*'] })
  const turn = (state: string, reason: string | null) =>
    site.site.store.write.updateTable('webhook').set({ state, reason }).where('id', '=', item.id).execute()
  assert.deepEqual(await look(site), { queued: 0 })
  await turn('off', 'The receiver answered 410.')
  assert.deepEqual(await look(site), { queued: 1 })
  assert.deepEqual(await look(site), { queued: 0 })
  await came(site, 1)
  assert.match(
    readable(site.relay.taken[0] ?? assert.fail()),
    /Subject: My site braucht dich[^]*– Der Webhook an 127\.0\.0\.1 wurde ausgeschaltet: /,
  )
  await turn('on', null)
  assert.deepEqual(await look(site), { queued: 0 })
  await turn('off', 'Again.')
  assert.deepEqual(await look(site), { queued: 1 })
  await came(site, 2)
})
