// Newsletters that go out by themselves: entries of the chosen types, ten minutes after they are published, once, and only if an admin
// without limits published them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dispatch } from '../../src/actions/call/dispatch.ts'
import { newslettersTurn } from '../../src/actions/subscribers/newsletters-turn.ts'
import { sayForOwners } from '../../src/app/say-for-owners.ts'
import { type Caller, system } from '../../src/identity/caller.ts'
import { until } from '../until.ts'
import { type MailingSite, openMailingSite } from './relay-server.ts'

const minute = 60_000

/** One turn. @returns the number of newsletters; undefined if there is no such work */
async function look({ site }: MailingSite): Promise<number | undefined> {
  const work = {
    dispatch: async (call: Parameters<typeof dispatch>[2]) => dispatch(site, system, call, { origin: '' }),
    say: sayForOwners,
  }
  const [turn] = newslettersTurn(site, work)
  return ((await turn?.run(new AbortController().signal)) as { sent: number } | undefined)?.sent
}

/** A site with two subscribers that sends its posts. */
async function openSendingSite(): Promise<MailingSite> {
  const site = await openMailingSite(undefined, { per_minute: 1000 })
  await site.ok('SVC_Subscribers.import', { csv: 'email\nanna@example.com\nben@example.com\n', consent: 'A list.' })
  await site.ok('SVC_Settings.update', { set: { newsletter_types: ['post'] } })
  site.clock.at += minute
  return site
}

const write = (site: MailingSite, slug: string, more: Record<string, unknown> = {}, as?: Caller) =>
  site.ok('SVC_Content.create', { type: 'post', title: slug, slug, body: 'News.', status: 'published', ...more }, as)

const newsletters = async (site: MailingSite) => (await site.ok('SVC_Subscribers.sent')).items

/** The owner by a token of the site. */
async function byToken(site: MailingSite, scope: 'content' | 'admin', limits = {}): Promise<Caller> {
  const { item } = await site.ok('SVC_Tokens.create', { name: 'Draft helper', scope, limits })
  const caller = site.as(scope, limits)
  return { ...caller, token: { ...(caller.token ?? assert.fail()), id: item.id, name: 'Draft helper' } }
}

test('a post goes out ten minutes after it is published, once, also if it is published again', async () => {
  await using site = await openSendingSite()
  const { item } = await write(site, 'rye')
  await site.ok('SVC_Content.create', { type: 'page', title: 'a', slug: 'a', status: 'published' })
  await write(site, 'draft', { status: 'draft' })
  site.clock.at += 9 * minute
  assert.equal(await look(site), 0)
  site.clock.at += minute
  assert.equal(await look(site), 1)
  await until('both have it', () => site.relay.taken.length === 2)
  assert.match(site.relay.taken[0]?.source ?? '', /^Subject: rye$/m)
  await site.ok('SVC_Content.unpublish', { id: item.id })
  await site
    .ok('SVC_Content.publish', { id: item.id, published_at: null })
    .catch(() => site.ok('SVC_Content.publish', { id: item.id }))
  site.clock.at += 11 * minute
  assert.equal(await look(site), 0)
  assert.equal(site.relay.taken.length, 2)
})

test('what was undone, has a password, came by an import or was published before is not sent', async () => {
  await using site = await openSendingSite()
  const { activity_id: activity } = await write(site, 'undone')
  const { item } = await write(site, 'imported')
  await write(site, 'earlier', { published_at: new Date(site.clock.at - 15 * minute).toISOString() })
  await write(site, 'locked', { password: 'secret words' })
  const row = { source: 'https://old.example', kind: 'entry', old_id: '1', object_id: item.id, run_id: 'r', addresses: '[]' }
  await site.site.store.write
    .insertInto('import_item')
    .values({ id: 'i', ...row, digest: null, earlier: null })
    .execute()
  await site.ok('SVC_Activity.undo', { ids: [activity] })
  site.clock.at += 10 * minute
  assert.equal(await look(site), 0)
  assert.deepEqual(await newsletters(site), [])
})

test('what a token with less than all rights published waits for an admin, who sends it with one press', async () => {
  await using site = await openSendingSite()
  await write(site, 'rye', {}, await byToken(site, 'content'))
  await write(site, 'oats', {}, await byToken(site, 'admin', { per_minute: 100 }))
  await write(site, 'wheat', {}, await byToken(site, 'admin'))
  site.clock.at += 10 * minute
  assert.equal(await look(site), 3)
  const found = await newsletters(site)
  assert.deepEqual(
    found
      .map(({ subject, state, error }: { subject: string; state: string; error: string | null }) => [subject, state, error])
      .toSorted(),
    [
      ['oats', 'stopped', 'The last change is by Draft helper, who may not send newsletters.'],
      ['rye', 'stopped', 'The last change is by Draft helper, who may not send newsletters.'],
      ['wheat', found.find(({ subject }: { subject: string }) => subject === 'wheat').state, null],
    ],
  )
  assert.match(
    JSON.stringify(await site.ok('SVC_Health.check')),
    /A newsletter waits for somebody who sends it: The last change is by Draft/,
  )
  await until('only the post of the admin', () => site.relay.taken.length === 2)
  const { id } = found.find(({ subject }: { subject: string }) => subject === 'rye')
  assert.equal(
    (await site.fails('SVC_Subscribers.resume', { id }, await byToken(site, 'admin', { per_minute: 100 }))).code,
    'refused',
  )
  await site.ok('SVC_Subscribers.resume', { id })
  await until('the other came', () => site.relay.taken.length === 4)
  assert.equal(await look(site), 0)
})

test('what a token published that was revoked meanwhile waits for an admin', async () => {
  await using site = await openSendingSite()
  const stolen = await byToken(site, 'admin')
  await write(site, 'spam', {}, stolen)
  await site.ok('SVC_Tokens.revoke', { ids: [stolen.token?.id], expect: 1 })
  site.clock.at += 10 * minute
  assert.equal(await look(site), 1)
  assert.deepEqual([(await newsletters(site))[0].state, site.relay.taken.length], ['stopped', 0])
})

test('entries of a language without subscribers hold up no other', async () => {
  await using site = await openSendingSite()
  await site.ok('SVC_Settings.update', { set: { languages: ['de'] } })
  for (let number = 0; number < 12; number++) await write(site, `roggen-${number}`, { locale: 'de' })
  await write(site, 'rye')
  site.clock.at += 10 * minute
  assert.equal(await look(site), 1)
  await until('both have it', () => site.relay.taken.length === 2)
  assert.match(site.relay.taken[0]?.source ?? '', /^Subject: rye$/m)
})

test('a type that is chosen in addition loses none of those that were chosen before', async () => {
  await using site = await openSendingSite()
  await write(site, 'rye')
  site.clock.at += 5 * minute
  await site.ok('SVC_Settings.update', { set: { newsletter_types: ['post', 'page'] } })
  site.clock.at += 5 * minute
  assert.equal(await look(site), 1)
})

test('an entry that an admin scheduled is sent when it is published by the schedule', async () => {
  await using site = await openSendingSite()
  const { item } = await write(site, 'rye', {
    status: 'scheduled',
    published_at: new Date(site.clock.at + 60 * minute).toISOString(),
  })
  site.clock.at += 61 * minute
  const call = { name: 'SVC_Content.publish', input: { id: item.id }, options: { ifRevision: item.revision } }
  assert.equal((await dispatch(site.site, system, call, { origin: '' })).ok, true)
  site.clock.at += 10 * minute
  assert.equal(await look(site), 1)
  await until('both have it', () => site.relay.taken.length === 2)
})

test('a token with limits can prepare a newsletter for the owner, and turn nothing on', async () => {
  await using site = await openSendingSite()
  await write(site, 'rye')
  const limited = await byToken(site, 'admin', { per_minute: 100 })
  assert.equal((await site.fails('SVC_Subscribers.send', { entry: '/rye', to: 'all' }, limited)).code, 'refused')
  const { item } = await site.ok(
    'SVC_Subscribers.send',
    { entry: '/rye', to: 'all', hold: 'Look at the picture first.' },
    limited,
  )
  assert.deepEqual([item.receivers, (await newsletters(site))[0].state, site.relay.taken.length], [2, 'stopped', 0])
  const { code, message } = await site.fails('SVC_Settings.update', { set: { newsletter_types: ['page'] } }, limited)
  assert.deepEqual([code, message], ['refused', 'Your token is limited in per_minute, which refuses SVC_Settings.update.'])
  const { activity_id: activity } = await site.ok('SVC_Settings.update', { set: { newsletter_types: null } })
  assert.equal(await look(site), undefined)
  assert.equal((await site.fails('SVC_Activity.undo', { ids: [activity] }, limited)).code, 'refused')
})

test('a machine whose relay is new sends nothing that was published before', async () => {
  await using site = await openSendingSite()
  await write(site, 'rye')
  site.clock.at += 30 * minute
  const { port } = site.relay
  await site.ok('SVC_Mail.set-relay', {
    host: '127.0.0.1',
    port,
    security: 'none',
    user: 'site',
    password: 'right',
    from: 'site@example.org',
  })
  assert.equal(await look(site), 0)
  site.clock.at += minute
  await write(site, 'oats')
  site.clock.at += 10 * minute
  assert.equal(await look(site), 1)
})
