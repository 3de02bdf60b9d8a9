// The records of the DNS by which receivers of mails recognise the sender: SPF (RFC 7208), DMARC (RFC 7489) and DKIM (RFC 6376).

import type { Resolver } from 'node:dns/promises'
import { ok, unknown, type Verdict, warning } from '../../doctor/finding.ts'
import type { MailRelayRow } from '../../store/core/schema.ts'

/** A record that receivers look for. */
interface DnsRecord {
  readonly name: string
  readonly host: string
  readonly form: RegExp
  /** The line that adds it. */
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

/** Looks for the records of the domain from which a relay sends. DKIM is looked for if its selector is known. */
export async function checkMailDns(
  resolver: Pick<Resolver, 'resolveTxt'>,
  { from_address: from, dkim_selector: selector }: Pick<MailRelayRow, 'from_address' | 'dkim_selector'>,
): Promise<Verdict> {
  const domain = from.slice(from.lastIndexOf('@') + 1)
  for (const record of recordsOf(domain, selector)) {
    const verdict = await lookFor(resolver, domain, record)
    if (verdict) return verdict
  }
  return ok(`The DNS of ${domain} has the records that receivers of mail look for.`)
}

/** @returns undefined if the record is there */
async function lookFor(
  resolver: Pick<Resolver, 'resolveTxt'>,
  domain: string,
  { name, host, form, line }: DnsRecord,
): Promise<Verdict | undefined> {
  try {
    const texts = await resolver.resolveTxt(host)
    if (texts.some((parts) => form.test(parts.join('')))) return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ENOTFOUND' && code !== 'ENODATA') return unknown('The DNS did not answer.')
  }
  return warning(`The DNS of ${domain} has no record for ${name}, so that receivers may take mails of the site for spam.`, line)
}
