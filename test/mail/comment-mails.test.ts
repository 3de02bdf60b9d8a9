// Mails about comments that wait: as often as each admin wants, with a link for each comment that moderates that one alone.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noticesTurn } from '../../src/actions/mail/notices-turn.ts'
import { sayForOwners } from '../../src/app/say-for-owners.ts'
import { addVisitorComment } from '../../src/content/comments/comment-store.ts'
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
