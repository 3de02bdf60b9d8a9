// The check of webhooks finds one that was turned off by itself, and an event that has waited for a day.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDelivery, turnOff } from '../../../src/webhooks/endpoint-store.ts'
import { openTestSite, type TestSite } from '../../identity/open-test-site.ts'

const look = async (site: TestSite) => (await site.ok('SVC_Health.check', { only: ['webhooks'] })).items[0]

test('webhooks that work, wait for long, or were turned off by themselves', async () => {
  await using site = await openTestSite()
  assert.equal((await look(site)).message, 'No webhook is set.')
  const { item } = await site.ok('SVC_Webhooks.create', { url: 'https://hooks.example/secret', events: ['*'] })
  assert.equal((await look(site)).message, 'Webhooks are sent.')
  const { write } = site.site.store
  await write
    .insertInto('webhook_delivery')
    .values(newDelivery(item.id, 'content.update', '{}', site.clock.at))
    .execute()
  site.clock.at += 25 * 3_600_000
  assert.deepEqual(
    [(await look(site)).state, (await look(site)).message],
    ['warning', 'An event has waited for more than a day for its receiver.'],
  )
  await turnOff(write, item.id, 'The receiver answered 410: it wants no more events.', site.clock.at)
  const { state, message } = await look(site)
  assert.equal(state, 'warning')
  assert.equal(message, 'The webhook to hooks.example was turned off: The receiver answered 410: it wants no more events.')
})
