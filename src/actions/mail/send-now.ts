// A mail that is sent while its caller waits, such as a test. The answer of the relay is the outcome.

import { invalid } from '../../base/failure.ts'
import { checkAddress } from '../../mail/mail-address.ts'
import { passwordOf } from '../../mail/relay.ts'
import { type MailAttempt, type OutgoingMail, withTransport } from '../../mail/transport.ts'
import type { MailRelayRow } from '../../store/core/schema.ts'
import type { Context } from '../call/action.ts'

/** The receiver that a caller names in a field; by default the caller. @throws Failure `invalid` */
export function receiverOf({ caller }: Pick<Context, 'caller'>, field: string, given: string | undefined): string {
  const to = given ?? caller.account?.email
  if (to !== undefined) return checkAddress(field, to)
  throw invalid(field, `"${field}" is needed, because this caller has no address.`, 'the address of the receiver')
}

/** @throws Failure `refused` for a relay without the password that it needs */
export async function sendNow(
  { site }: Pick<Context, 'site'>,
  relay: MailRelayRow,
  mail: Omit<OutgoingMail, 'replyTo'>,
): Promise<MailAttempt> {
  const password = await passwordOf(site.key, relay, site.config.POSTERN_MAIL_PASSWORD_FILE)
  return withTransport(site.outbound, relay, password, (transport) => transport.send({ ...mail, replyTo: null }))
}
