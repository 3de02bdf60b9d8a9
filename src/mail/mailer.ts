// Sends the queue through the relay. Each process has a sender, and each mail is claimed by one of them. The rate counts the tries
// of all.

import type { Clock } from '../base/clock.ts'
import { errorMessage } from '../base/error-message.ts'
import type { Log } from '../base/log.ts'
import { repeat, type Repeating } from '../base/repeating.ts'
import type { SiteKey } from '../identity/site-key.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { Store } from '../store/core/database.ts'
import type { MailRelayRow, MailRow } from '../store/core/schema.ts'
import type { Mail } from './mail.ts'
import { claimMail, claimMs, countLastMinute, endMail, openBody, releaseMail, settleMail } from './mail-queue.ts'
import { claimNextCopy, copyOf } from './newsletter/newsletter-store.ts'
import { findWorkingRelay, noteVerified, passwordOf } from './relay.ts'
import { type MailAttempt, type MailTransport, openTransport } from './transport.ts'

/** The interval of looks for due mails. Those of this process are sent at once. */
const everyMs = 2000
/** The pause of this process after a connection that failed. */
const pauseMs = 60_000
/** The longest wait of a stop for a mail that is being sent. */
const stopMs = 5000

/** The parts of a site that the sender needs. */
export interface MailerParts {
  readonly store: Pick<Store, 'read' | 'write' | 'transaction'>
  readonly clock: Clock
  readonly log: Log
  readonly key: SiteKey
  readonly outbound: Pick<Outbound, 'findAddress'>
  readonly mail: Pick<Mail, 'onRing'>
  readonly config: { readonly POSTERN_MAIL_PASSWORD_FILE: string | undefined }
}

/** Starts the sender of this process. */
export function startMailer(site: MailerParts): Repeating {
  const { log, clock } = site
  let stopping = false
  let pausedUntil = 0
  const look = async () => {
    if (stopping || clock.now() < pausedUntil) return
    if (!(await drain(site, () => stopping))) pausedUntil = clock.now() + pauseMs
  }
  const looking = repeat(everyMs, look, (error) => log.error('check for mails failed', { error }))
  site.mail.onRing(() => {
    // Somebody waits for this mail, perhaps after a relay was set right.
    pausedUntil = 0
    void looking.run()
  })
  return {
    ...looking,
    async stop() {
      stopping = true
      const late = new Promise<void>((resolve) => void setTimeout(resolve, stopMs).unref())
      await Promise.race([looking.stop(), late])
    },
  }
}

/** Sends what is due, one mail after the other. @returns false if the relay could not be reached */
async function drain(site: MailerParts, isStopping: () => boolean): Promise<boolean> {
  const relay = await findWorkingRelay(site.store.read)
  if (!relay) return true
  let transport: MailTransport | undefined
  try {
    while (!isStopping()) {
      const mail = await claimDue(site, relay)
      if (!mail) return true
      const password = transport ? '' : await readPassword(site, relay)
      if (typeof password !== 'string') return settle(site, relay, mail, password)
      transport ??= openTransport(site.outbound, relay, password)
      const done = await sendOne(site, transport, mail)
      if (done && !(await settle(site, relay, mail, done))) return false
    }
    return true
  } finally {
    transport?.close()
  }
}

/** The share of the rate that newsletters leave to other mails: somebody waits for those. */
const leftToOthers = 0.2

/** Claims the next mail within the rate: one that is due, else one of a newsletter. */
async function claimDue({ store, clock }: MailerParts, { per_minute: rate }: MailRelayRow): Promise<MailRow | undefined> {
  const now = clock.now()
  const sent = await countLastMinute(store.read, now)
  if (sent >= rate) return undefined
  const due = await claimMail(store, now)
  if (due || sent >= Math.max(1, Math.floor(rate * (1 - leftToOthers)))) return due
  return claimNextCopy(store, claimMs, now)
}

/** The password; without one, what a try would come to. */
async function readPassword(site: MailerParts, relay: MailRelayRow): Promise<string | MailAttempt> {
  try {
    return await passwordOf(site.key, relay, site.config.POSTERN_MAIL_PASSWORD_FILE)
  } catch (error) {
    return { verdict: 'relay', code: null, answer: errorMessage(error) }
  }
}

/** Sends a mail; undefined for one that can't be sent any more. */
async function sendOne(site: MailerParts, transport: MailTransport, mail: MailRow): Promise<MailAttempt | undefined> {
  const end = (reason: string) => endMail(site.store, mail, reason).then(() => undefined)
  if (mail.until !== null && mail.until <= site.clock.now()) return end('It could not be sent in the time in which it is of use.')
  const { id, recipient: to, reply_to: replyTo, subject } = mail
  if (mail.newsletter_id !== null) {
    const copy = await copyOf(site.store.read, site.key, mail)
    return typeof copy === 'string' ? end(copy) : transport.send({ id, to, replyTo, subject, ...copy })
  }
  const body = mail.body === null ? undefined : openBody(site.key, mail.body)
  if (!body) return end('Its text was sealed with another key of the site.')
  return transport.send({ id, to, replyTo, subject, ...body })
}

/** @returns false if the rest of the queue has to wait */
async function settle(site: MailerParts, relay: MailRelayRow, mail: MailRow, done: MailAttempt): Promise<boolean> {
  const { verdict, code, answer } = done
  if (verdict !== 'sent') site.log.warn('mail not sent', { mail: mail.id, kind: mail.kind, code, answer })
  if (verdict === 'relay') {
    await releaseMail(site.store, mail, answer, site.clock.now())
    await noteVerified(site.store.write, relay, null, answer)
    return false
  }
  await settleMail(site.store, mail, done, site.clock.now())
  // An answer means that the relay is there.
  return verdict !== 'later' || code !== null
}
