// The checks of mail: the relay and the queue, and what the DNS says of the sender's domain.

import { Resolver } from 'node:dns/promises'
import { ok, unknown, type Verdict, warning } from '../../doctor/finding.ts'
import { findRelay } from '../../mail/relay.ts'
import type { Check } from './health-check.ts'

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

/** A record of the DNS that receivers look for. */
interface DnsRecord {
  readonly name: string
  readonly host: string
  readonly form: RegExp
  readonly line: string
}

function recordsOf(domain: string, selector: string | null): readonly DnsRecord[] {
  const dkim = {
    name: 'DKIM',
    host: `${selector}._domainkey.${domain}`,
    form: /(?:^|;)\s*(?:v=DKIM1|p=)/i,
    line: 'The provider of the relay names the record of its key.',
  }
  return [
    { name: 'SPF', host: domain, form: /^v=spf1\b/i, line: `${domain}. TXT "v=spf1 include:RELAY ~all"` },
    { name: 'DMARC', host: `_dmarc.${domain}`, form: /^v=DMARC1\b/i, line: `_dmarc.${domain}. TXT "v=DMARC1; p=none"` },
    ...(selector === null ? [] : [dkim]),
  ]
}

/** SPF (RFC 7208), DMARC (RFC 7489) and DKIM (RFC 6376) of the sender's domain. */
export const mailDnsCheck: Check = {
  id: 'mail-dns',
  outside: true,
  async run({ store }) {
    const relay = await findRelay(store.read)
    if (!relay) return ok('No mail relay is set.')
    const domain = relay.from_address.slice(relay.from_address.lastIndexOf('@') + 1)
    // This resolver holds no thread of Node's pool.
    const resolver = new Resolver({ timeout: 3000, tries: 1 })
    for (const record of recordsOf(domain, relay.dkim_selector)) {
      const verdict = await lookFor(resolver, domain, record)
      if (verdict) return verdict
    }
    return ok(`The DNS of ${domain} has the records that receivers of mail look for.`)
  },
}

/** @returns undefined if the record is there */
async function lookFor(resolver: Resolver, domain: string, { name, host, form, line }: DnsRecord): Promise<Verdict | undefined> {
  try {
    const texts = await resolver.resolveTxt(host)
    if (texts.some((parts) => form.test(parts.join('')))) return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ENOTFOUND' && code !== 'ENODATA') return unknown('The DNS did not answer.')
  }
  return warning(`The DNS of ${domain} has no record for ${name}, so that receivers may take mails of the site for spam.`, line)
}
