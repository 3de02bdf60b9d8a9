// The check of webhooks: those that were turned off by themselves, and events that have waited for a day.

import { ok, warning } from '../../doctor/finding.ts'
import { listWebhooks } from '../../webhooks/endpoint-store.ts'
import type { Check } from './health-check.ts'

const lateMs = 24 * 3_600_000
const seePage = 'The page of the webhook in the admin has the answers, and turns it on again.'

export const webhooksCheck: Check = {
  id: 'webhooks',
  async run({ store, clock }) {
    const hooks = await listWebhooks(store.read)
    // This is not a fault: webhooks are optional.
    if (hooks.length === 0) return ok('No webhook is set.')
    const off = hooks.find(({ state, reason }) => state === 'off' && reason !== null)
    if (off) return warning(`The webhook to ${hostOf(off.url)} was turned off: ${off.reason}`, seePage)
    const { oldest } = await store.read
      .selectFrom('webhook_delivery')
      .select((eb) => eb.fn.min<number | null>('created_at').as('oldest'))
      .where(
        'webhook_id',
        'in',
        hooks.map(({ id }) => id),
      )
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow()
    if (oldest !== null && clock.now() - oldest > lateMs)
      return warning('An event has waited for more than a day for its receiver.', seePage)
    return ok('Webhooks are sent.')
  },
}

/** The host alone: a path may be a secret. */
const hostOf = (url: string): string => new URL(url).host
