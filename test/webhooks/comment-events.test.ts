// The event of a comment that arrives: for the receiver that asked, without text and mail address, and never for spam.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveSite } from '../site/own-server.ts'
import { until } from '../until.ts'
import { openSendingSite } from './receiver.ts'

test('a comment that waits is an event with its entry and status; spam and the same form again are none', async () => {
  await using site = await openSendingSite()
  await using server = await serveSite(site.site)
  await site.ok('SVC_Settings.update', { set: { comments: ['post'] } })
  await site.ok('SVC_Content.create', { type: 'post', title: 'Soup', body: 'a', status: 'published' })
  await site.ok('SVC_Webhooks.create', { url: site.receiver.url, events: ['comments.*'], where: { status: 'pending' } })
  const write = (text: string, more: Record<string, string> = {}) =>
    server.post('/soup', { do: 'comment', name: 'Ann', email: 'ann@example.org', text, ...more })
  assert.equal((await write('Buy this', { website: 'https://spam.example' })).status, 303)
  for (let twice = 0; twice < 2; twice++) assert.equal((await write('A hidden word')).status, 303)
  await until('the event came', () => site.receiver.received.length > 0)
  const { items } = await site.ok('SVC_Comments.list', { where: { status: 'pending' } })
  assert.equal(items.length, 1)
  const [{ event, body } = assert.fail()] = site.receiver.received
  assert.equal(event.type, 'comments.create')
  assert.deepEqual(event.data.objects, [
    { kind: 'comment', id: items[0].id, revision: 1, title: 'Ann', path: '/soup', status: 'pending' },
  ])
  assert.doesNotMatch(body, /hidden word|ann@example/)
  // The owner's own comment is approved, so this endpoint does not get it; the deliveries name every event.
  await site.ok('SVC_Comments.create', { entry: '/soup', body: 'Thanks' })
  assert.equal((await site.ok('SVC_Webhooks.deliveries', {})).items.length, 1)
})
