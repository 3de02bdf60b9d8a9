// The checks of mail: the relay, the queue, and the DNS of the sender.

import { Resolver } from 'node:dns/promises'
import { ok, warning } from '../../doctor/finding.ts'
import { findRelay } from '../../mail/relay.ts'
import type { Check } from './health-check.ts'
import { checkMailDns } from './mail-dns.ts'

const lateMs = 3_600_000
const dayMs = 86_400_000
const seePage = 'The page Mail in the admin has the answers of the relay.'

export const mailCheck: Check = {
  id: 'mail',
  async run({ store, clock }) {
    const relay = await findRelay(store.read)
    // This is not a fault: everything works by links and commands.
    if (!relay) return ok('No mail relay is set.')
    if (relay.verified_at === null)
      return warning(`The mail relay is not verified, so no mail is sent: ${relay.error ?? 'It was never reached.'}`, seePage)
    const { oldest } = await store.read
      .selectFrom('mail')
      .select((eb) => eb.fn.min<number | null>('created_at').as('oldest'))
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow()
    if (oldest !== null && clock.now() - oldest > lateMs) return warning('A mail has waited for more than an hour.', seePage)
    const stopped = await store.read
      .selectFrom('newsletter')
      .select(['error', 'refusals'])
      .where('state', '=', 'stopped')
      .where('error', 'is not', null)
      .limit(1)
      .executeTakeFirst()
    if (stopped)
      return warning(
        stopped.refusals > 0
          ? `The relay refused a newsletter, so it was stopped: ${stopped.error ?? ''}`
          : `A newsletter waits for somebody who sends it: ${stopped.error ?? ''}`,
        'The page Newsletter goes on with it.',
      )
    const failed = await store.read
      .selectFrom('mail')
      .select('id')
      .where('created_at', '>', clock.now() - dayMs)
      .where('state', '=', 'failed')
      .limit(1)
      .executeTakeFirst()
    return failed ? warning('A mail of the last day was not sent.', seePage) : ok('Mails are sent.')
  },
}

/** Asks the DNS for SPF, DMARC and DKIM of the sender's domain. */
export const mailDnsCheck: Check = {
  id: 'mail-dns',
  outside: true,
  async run({ store }) {
    const relay = await findRelay(store.read)
    if (!relay) return ok('No mail relay is set.')
    // This resolver holds no thread of Node's pool.
    return checkMailDns(new Resolver({ timeout: 3000, tries: 1 }), relay)
  },
}
