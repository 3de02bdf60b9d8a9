// Mails about comments that wait: as often as each admin wants, with a link for each comment that moderates that one alone.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askWriter } from '../../src/actions/comments/confirmation.ts'
import { noticesTurn } from '../../src/actions/mail/notices-turn.ts'
import { sayForOwners } from '../../src/app/say-for-owners.ts'
import { addVisitorComment } from '../../src/content/comments/comment-store.ts'
import { serveSite } from '../site/own-server.ts'
import { until } from '../until.ts'
import { type MailingSite, openMailingSite, readable } from './relay-server.ts'

const look = async ({ site }: MailingSite) =>
  noticesTurn(site, sayForOwners).run(new AbortController().signal) as Promise<{ queued: number }>

test('comments are told once, each with a link of its own; spam is not', async () => {
  await using site = await openMailingSite(undefined, { per_minute: 1000 })
  await site.account('writer@example.org', 'content')
  const { item } = await site.ok('SVC_Content.create', { type: 'post', title: 'Soup', body: 'a', status: 'published' })
  await look(site)
  await until('nothing waits', async () => (await site.ok('SVC_Mail.list', { where: { state: 'waiting' } })).items.length === 0)
  site.relay.taken.length = 0
  const write = (name: string, body: string, state: 'pending' | 'spam' = 'pending') =>
    site.site.store.transaction((db) =>
      addVisitorComment(db, { entryId: item.id, parentId: null, name, email: null, body, state }, site.clock.at),
    )
  site.clock.at += 1000
  await write('Spammer', 'Buy', 'spam')
  assert.deepEqual(await look(site), { queued: 0 })
  await write('Ann\r\nBcc: all@example.org', 'Lovely {site}\nsoup')
  await write('Ben', 'x'.repeat(5000))
  assert.deepEqual(await look(site), { queued: 1 })
  await until('the mail came', () => site.relay.taken.length === 1)
  const [mail] = site.relay.taken
  assert.deepEqual(mail?.to, ['owner@example.org'])
  const text = readable(mail ?? assert.fail())
  assert.match(text, /Subject: 2 comments wait at My site/)
  assert.match(text, /Ben – Soup/)
  assert.match(text, /Lovely \{site\}/)
  assert.ok(!/^Bcc:/im.test(text.slice(0, text.indexOf('\r\n\r\n'))), 'no header of theirs')
  const links = new Set(text.match(/https:\/\/example\.org\/admin\/comments\/decide\?link=psm_[\w-]+/g))
  assert.equal(links.size, 2)
  assert.deepEqual(await look(site), { queued: 0 })
})

const linkIn = (text: string) =>
  /https:\/\/example\.org(\/confirm-comment\?link=[\w.~-]+)/.exec(text)?.[1] ?? assert.fail('a link')

test('a writer who confirmed and was approved before needs no moderator; what is only typed proves nothing', async () => {
  await using site = await openMailingSite(undefined, { per_minute: 1000 })
  await using server = await serveSite(site.site)
  await site.ok('SVC_Settings.update', { set: { comments: ['post'], comments_trusted: true } })
  await site.ok('SVC_Content.create', { type: 'post', title: 'Suppe', body: 'a', status: 'published', locale: null })
  const hour = 3_600_000
  const write = async (text: string, email = 'ann@example.org') => {
    site.relay.taken.length = 0
    const sent = await server.post('/suppe', { do: 'comment', name: 'Ann', email, text })
    assert.equal(sent.status, 303)
  }
  const mailed = async () => {
    await until('the mail came', () => site.relay.taken.length === 1)
    return readable(site.relay.taken[0] ?? assert.fail())
  }
  const state = async (search: string) => (await site.ok('SVC_Comments.list', { search })).items[0]
  const confirm = async (path: string) => {
    const page = await server.get(path)
    assert.equal(page.status, 200)
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
    const link = /name="link" value="([^"]+)"/.exec(page.text)?.[1] ?? assert.fail()
    return server.post('/confirm-comment', { link })
  }

  await write('First <b>words</b>')
  const first = await mailed()
  assert.match(first, /Subject: Is this your comment at My site\?/)
  assert.match(first, /The page: Suppe/)
  assert.doesNotMatch(first, /First|words/, 'nothing that was typed is mailed')
  const opened = linkIn(first)
  for (let scanner = 0; scanner < 3; scanner++) assert.match((await server.get(opened)).text, /First &lt;b&gt;words&lt;\/b&gt;/)
  assert.equal((await server.post('/confirm-comment', { link: 'made-up' })).status, 410)
  const waits = await confirm(opened)
  assert.match(waits.text, /is shown once it has been approved/)
  assert.equal((await state('First')).status, 'pending', 'a first comment is approved by a person')
  await site.ok('SVC_Comments.moderate', { ids: [(await state('First')).id], status: 'approved' })

  site.clock.at += hour
  await write('Typed by somebody else')
  const unconfirmed = await mailed()
  assert.equal((await state('Typed')).status, 'pending', 'an address that is typed proves nothing')
  await server.get(linkIn(unconfirmed))
  assert.equal((await state('Typed')).status, 'pending', 'opening the link changes nothing')
  const before = (await server.get('/suppe')).text
  assert.doesNotMatch(before, /Typed by/)
  const shown = await confirm(linkIn(unconfirmed))
  assert.match(shown.text, /Your comment is on the page/)
  assert.equal((await state('Typed')).status, 'approved')
  assert.match((await server.get('/suppe')).text, /Typed by somebody else/, 'the kept page follows')
  const [record] = (await site.ok('SVC_Activity.list', { limit: 1 })).items
  assert.equal(record.call, 'SVC_Comments.moderate')
  await site.ok('SVC_Activity.undo', { ids: [record.id] })
  assert.doesNotMatch((await server.get('/suppe')).text, /Typed by/)

  site.clock.at += hour
  await site.ok('SVC_Settings.update', { set: { comments_trusted: false } })
  await write('No mail without the setting')
  assert.equal((await site.ok('SVC_Mail.list', { where: { kind: 'comment_confirmation', state: 'waiting' } })).items.length, 0)
  assert.equal(site.relay.taken.length, 0)
  await site.ok('SVC_Settings.update', { set: { comments_trusted: true } })
  assert.equal((await confirm(opened)).status, 200, 'a link is good for a week, and once more changes nothing')
  site.clock.at += 7 * 24 * hour
  assert.equal((await server.get(opened)).status, 410)
  assert.equal(
    (await server.post('/confirm-comment', { link: new URL(opened, server.base).searchParams.get('link') ?? '' })).status,
    410,
  )
})

/** A comment of the site, its entry, and the database. */
async function askedOf({ site }: MailingSite) {
  const db = site.store.write
  const row = await db.selectFrom('comment').selectAll().executeTakeFirstOrThrow()
  const entry = await db.selectFrom('entry').selectAll().where('id', '=', row.entry_id).executeTakeFirstOrThrow()
  return { db, row, entry }
}

test('an address gets one such mail an hour, and a network causes thirty; everybody gets the same answer', async () => {
  await using site = await openMailingSite(undefined, { per_minute: 1000 })
  await using server = await serveSite(site.site)
  await site.stopMailer()
  await site.ok('SVC_Settings.update', { set: { comments: ['post'], comments_trusted: true } })
  await site.ok('SVC_Content.create', { type: 'post', title: 'Soup', body: 'a', status: 'published' })
  const answers = new Set<string>()
  const write = async (text: string, email: string) => {
    const sent = await server.post('/soup', { do: 'comment', name: 'Ann', email, text })
    assert.equal(sent.status, 303)
    answers.add(`${sent.headers.get('location')} ${(await server.get('/soup?comment=waiting')).text}`)
  }
  const count = async () =>
    (await site.site.store.read.selectFrom('mail').select('id').where('kind', '=', 'comment_confirmation').execute()).length
  await write('one', 'ann@example.org')
  await write('two', 'ANN@example.org')
  assert.equal(await count(), 1)
  const { db, entry, row } = await askedOf(site)
  for (let n = 0; n < 35; n++) await askWriter(site.site, db, { ...row, email: `a${n}@example.org` }, entry, `192.0.2.${n}`)
  assert.equal(await count(), 31)
  await askWriter(site.site, db, { ...row, email: 'b@example.org' }, entry, '198.51.100.1')
  assert.equal(await count(), 32, 'another network has its own thirty')
  const answer = [...answers]
  assert.equal(answer.length, 1)
  assert.match(answer[0] ?? '', /a mail with a link may be on its way/)
})
