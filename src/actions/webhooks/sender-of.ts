// The sender of webhooks of a site. When it turns an endpoint off, that is a change like any other, with a record.

import { system } from '../../identity/caller.ts'
import { newId } from '../../store/core/ids.ts'
import { turnOff } from '../../webhooks/endpoint-store.ts'
import type { SenderParts } from '../../webhooks/sender.ts'
import { commit } from '../call/commit.ts'
import type { Services } from '../call/services.ts'

type Site = Pick<Services, 'store' | 'clock' | 'log' | 'key' | 'outbound' | 'webhooks' | 'mail' | 'freshness'>

const call = 'SVC_Webhooks.update'

export const senderOf = (site: Site): SenderParts => ({
  ...site,
  turnOff: (id, reason) =>
    commit(site, call, async ({ db, record }) => {
      const now = site.clock.now()
      await turnOff(db, id, reason, now)
      const runs = [{ name: call, tier: 'admin', effect: 'act' }] as const
      const summary = 'Turns a webhook off that its receiver did not take.'
      record({ id: newId(now), call, runs, summary, caller: system, input: { id, reason }, records: [], now }, ['settings'])
    }),
})
