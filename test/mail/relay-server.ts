// A relay: a real SMTP server on loopback, and a site that sends through it.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Site } from '../../src/app/compose.ts'
import type { Repeating } from '../../src/base/repeating.ts'
import { startMailer } from '../../src/mail/mailer.ts'
import { openTestSite, type TestSite } from '../identity/open-test-site.ts'

/** A mail as the relay got it. */
export interface Taken {
  readonly from: string
  readonly to: readonly string[]
  /** Headers with body, as they came. */
  readonly source: string
}

/** The parts of a mail, decoded from quoted-printable. */
export const readable = ({ source }: Taken): string =>
  Buffer.from(
    source.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString()

/** An error with the code that the relay answers. */
export const refusing = (code: number, message: string): Error => Object.assign(new Error(message), { responseCode: code })

export interface Relay extends AsyncDisposable {
  readonly port: number
  readonly taken: Taken[]
  /** The answer to the mail of this number, from 1. An error is refused with its code; the default takes it. */
  answering: (number: number) => Error | undefined
  /** The password that it takes. */
  password: string
}

/** @param options as of `smtp-server`; by default the relay asks for a user and offers no encryption */
export async function openRelay(options: SMTPServerOptions = {}): Promise<Relay> {
  const taken: Taken[] = []
  let seen = 0
  const relay = { taken, answering: (_number: number): Error | undefined => undefined, password: 'right' }
  const server = new SMTPServer({
    hideSTARTTLS: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onAuth({ password }, _session, callback) {
      if (password === relay.password) callback(null, { user: 'site' })
      else callback(refusing(535, '5.7.8 Wrong user or password'))
    },
    onData(stream, { envelope }, callback) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const error = relay.answering(++seen)
        if (error) return callback(error)
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        taken.push({ from, to: envelope.rcptTo.map(({ address }) => address), source: Buffer.concat(parts).toString() })
        callback(null, '2.0.0 Taken')
      })
    },
    ...options,
  })
  // A client that goes away in the middle is no fault of the relay.
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return Object.assign(relay, {
    port: (server.server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  })
}

/** The input of SVC_Mail.set-relay for a relay. */
export const relayInput = ({ port }: Pick<Relay, 'port'>, more: Record<string, unknown> = {}) => ({
  host: '127.0.0.1',
  port,
  security: 'none',
  user: 'site',
  password: 'right',
  from: 'site@example.org',
  ...more,
})

export interface MailingSite extends TestSite {
  readonly relay: Relay
  /** Ends the sender of this process. */
  stopMailer(): Promise<void>
  /** Starts the sender of another process on the same home. */
  startOther(): Promise<Site>
}

/** A site with a running sender and a verified relay. */
export async function openMailingSite(
  engine?: 'SQLite' | 'PostgreSQL',
  more: Record<string, unknown> = {},
): Promise<MailingSite> {
  const relay = await openRelay()
  const site = await openTestSite({ POSTERN_BASE_URL: 'https://example.org' }, engine)
  const mailers: Repeating[] = [startMailer(site.site)]
  const stopMailer = async () => {
    for (const mailer of mailers.splice(0)) await mailer.stop()
  }
  await site.ok('SVC_Mail.set-relay', relayInput(relay, more))
  return {
    ...site,
    relay,
    stopMailer,
    async startOther() {
      const other = await site.other()
      mailers.push(startMailer(other))
      return other
    },
    async [Symbol.asyncDispose]() {
      await stopMailer()
      await relay[Symbol.asyncDispose]()
      await site[Symbol.asyncDispose]()
    },
  }
}
