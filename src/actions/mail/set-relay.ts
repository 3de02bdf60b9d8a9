import { Type } from 'typebox'
import { trimEndOf } from '../../base/trim-text.ts'
import { invalid } from '../../base/failure.ts'
import { boundedInteger, boundedText, closed, flag } from '../../base/schema.ts'
import type { SiteKey } from '../../identity/site-key.ts'
import { checkAddress, headerText } from '../../mail/mail-address.ts'
import { dropRelay, findRelay, keepRelay, passwordOf, securities, type Security } from '../../mail/relay.ts'
import { type MailAttempt, withTransport } from '../../mail/transport.ts'
import type { Db } from '../../store/core/database.ts'
import type { MailRelayRow } from '../../store/core/schema.ts'
import { action } from '../call/action.ts'
import type { Services } from '../call/services.ts'
import { itemAnswer, itemOutput, nullable, type WriteWarning } from '../call/write-answer.ts'
import { relayItem, toRelayItem } from './relay-item.ts'

const text = (description: string, maxLength = 200) => Type.Optional(boundedText(description, maxLength))

const input = closed({
  off: flag('Whether the relay is forgotten. No mails are sent then.'),
  host: text('Host of the relay: `smtp.example.org`; on this machine `localhost`.', 253),
  port: Type.Optional(
    boundedInteger('Usually 587, with `tls` 465, on this machine 25. The default follows `security`.', 1, 65_535),
  ),
  security: Type.Optional(
    Type.Enum([...securities], {
      description:
        '`starttls`, `tls` from the first byte, or `none` on this machine and in its network. The default is `starttls`, on port 465 `tls`, and for `localhost` `none`.',
    }),
  ),
  user: text('The user, if the relay asks for one.'),
  password: text('The password. It is stored sealed. Left out, the stored one of the same relay and user stays.', 500),
  from: text('The sender of all mails: an address of the domain that the relay may send for.', 254),
  from_name: text('The name of the sender. The default is the title of the site.'),
  site_url: text('The address of the site for links in mails. It is needed where POSTERN_BASE_URL is not set.', 300),
  per_minute: Type.Optional(boundedInteger('Mails a minute at most. The default is 30.', 1, 10_000)),
  dkim_selector: text(
    'The selector of DKIM, for the check of the DNS. It stands after `s=` in the header `DKIM-Signature` of a test mail.',
    63,
  ),
})

type Given = typeof input extends Type.TSchema ? Type.Static<typeof input> : never
type Wanted = Omit<MailRelayRow, 'name' | 'secret' | 'verified_at' | 'error'> & { readonly secret: string | null }

interface Prepared {
  readonly wanted: Wanted
  readonly done: MailAttempt
}

export const setRelay = action('SVC_Mail.set-relay', {
  title: 'Set the mail relay',
  summary:
    'Sets the relay through which the site sends mails, and verifies it: it connects, greets and signs in, and sends nothing.',
  did: 'set the mail relay',
  tier: 'admin',
  effect: 'act',
  touches: 'unlimited',
  input,
  secrets: ['password'],
  output: itemOutput(nullable(relayItem, 'Null with `off`.')),
  examples: [
    {
      title: 'A relay of a provider',
      input: {
        host: '198.51.100.25',
        port: 587,
        user: 'site@example.org',
        password: 'correct horse battery staple',
        from: 'site@example.org',
      },
    },
    { title: 'Send no mails', input: { off: true } },
  ],
  async prepare({ db, site, now, dryRun }, given): Promise<Prepared | null> {
    if (given.off === true) return null
    const wanted = await wantedRelay(db, site, given, now)
    const skipped: MailAttempt = { verdict: 'later', code: null, answer: 'A dry run asks no relay.' }
    return { wanted, done: dryRun ? skipped : await verified(site, wanted) }
  },
  async run({ db, site, now, makeStale, afterCommit }, _given, prepared: Prepared | null) {
    makeStale(['settings'])
    if (!prepared) {
      await dropRelay(db)
      return itemAnswer(null, ['relay'])
    }
    const { wanted, done } = prepared
    const works = done.verdict === 'sent'
    await keepRelay(db, site.key, { ...wanted, verified_at: works ? now : null, error: works ? null : done.answer })
    if (works) afterCommit(() => site.mail.ring())
    const relay = await findRelay(db)
    const message = `The relay is stored, but not verified, so nothing is sent through it: ${done.answer}`
    const warnings: WriteWarning[] = works ? [] : [{ code: 'not_verified', message }]
    return itemAnswer(relay ? toRelayItem(relay) : null, ['relay'], warnings)
  },
})

/** @throws Failure `invalid` for settings that can't work */
async function wantedRelay(db: Db, { key, settings }: Services, given: Given, now: number): Promise<Wanted> {
  const before = await findRelay(db)
  const host = checkHost(given.host ?? '')
  const isLocal = localHosts.has(host)
  const security: Security = given.security ?? (given.port === 465 ? 'tls' : isLocal ? 'none' : 'starttls')
  const user = given.user?.trim() || null
  const port = given.port ?? usualPorts[security]
  const isSame = before?.host === host && before.port === port && before.user_name === user
  return {
    host,
    port,
    security,
    user_name: user,
    // At another relay, somebody else would get the stored password.
    secret: user === null ? null : given.password || (isSame ? await keptPassword(key, before) : null),
    from_address: checkAddress('from', given.from ?? ''),
    from_name: headerText(given.from_name?.trim() || settings.values.site_title),
    site_url: given.site_url ? checkSiteUrl(given.site_url) : null,
    per_minute: given.per_minute ?? 30,
    dkim_selector: given.dkim_selector ? checkSelector(given.dkim_selector) : null,
    updated_at: now,
  }
}

const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1'])
const usualPorts: Readonly<Record<Security, number>> = { tls: 465, starttls: 587, none: 25 }

const keptPassword = async (key: SiteKey, relay: MailRelayRow): Promise<string | null> =>
  relay.secret === null ? null : passwordOf(key, relay, undefined)

function checkHost(given: string): string {
  const host = given
    .trim()
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
  if (/^[a-z0-9.-]+$|^[0-9a-f:.]+$/.test(host)) return host
  const expected = 'the name or address of a relay, such as smtp.example.org or localhost, without a scheme and a port'
  throw invalid('host', `"host" must be ${expected}.`, expected)
}

function checkSiteUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined
  const isGood = url && ['https:', 'http:'].includes(url.protocol) && url.username === '' && url.search === '' && url.hash === ''
  if (isGood) return trimEndOf(url.href, '/')
  const expected = 'the address of the site, such as https://example.org'
  throw invalid('site_url', `"site_url" must be ${expected}.`, expected)
}

function checkSelector(given: string): string {
  const selector = given.trim().toLowerCase()
  if (/^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/.test(selector)) return selector
  const expected = 'a selector such as s1 or mail2026'
  throw invalid('dkim_selector', `"dkim_selector" must be ${expected}.`, expected)
}

/** Verifies a relay before it is stored. */
async function verified({ key, outbound, config }: Services, wanted: Wanted): Promise<MailAttempt> {
  const password = wanted.secret ?? (await passwordOf(key, { ...wanted, secret: null }, config.POSTERN_MAIL_PASSWORD_FILE))
  return withTransport(outbound, wanted, password, (transport) => transport.verify())
}
