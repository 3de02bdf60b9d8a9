// What is kept out while maintenance is on: every call but the one that ends it. Told the same at each door; its form is the door's, save
// in old releases, which answered every caller with a page.

import { maintenanceCall } from '../actions/classes/svc-settings-maintenance.ts'
import type { Services } from '../actions/services.ts'
import { Failure } from '../failure.ts'
import { type Headers, html as htmlReply, type Reply } from '../http/reply.ts'
import type { Caller } from '../identity/caller.ts'
import { unindexedDocument } from './document.ts'
import { html } from './html.ts'

/**
 * The refusal of a call while maintenance is on; undefined where it may go on: the site is open, or an admin calls what opens it.
 * @param name `CLASS.ACTION`; undefined for what runs no action
 */
export function maintenanceRefusal({ maintenance }: Services, caller: Caller, name: string | undefined): Failure | undefined {
  const closed = maintenance.now()
  if (!closed || (name === maintenanceCall && caller.tier === 'admin')) return undefined
  return new Failure('unavailable', `Maintenance is on: ${closed.message}`, {
    retry_after: closed.retryAfterSeconds,
    ...(caller.tier === 'admin' ? { hint: `${maintenanceCall} {"on": false} opens the site.` } : {}),
  })
}

/** The answer to a refused call: `own` of its door, or the page of old releases, with 200 and nothing that a program could read. */
export function maintenanceReply({ release }: Services, { message }: Failure, headers: Headers, own: () => Reply): Reply {
  return release.maintenance === 'page' ? htmlReply(200, pageOf(message), { ...headers, ...pageHeaders }) : own()
}

const pageHeaders: Headers = Object.freeze({ 'content-security-policy': "default-src 'none'", 'cache-control': 'no-store' })

function pageOf(message: string): string {
  const body = html`<body>
    <h1>Maintenance</h1>
    <p>${message}</p>
  </body>`
  return unindexedDocument({ title: 'Maintenance', body })
}
