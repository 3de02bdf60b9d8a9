// SMTP to the relay, by nodemailer. It gets an address that is already found, so that it looks up no name by itself, and checks the
// certificate for the name of the relay.

import { isIP } from 'node:net'
import { createTransport, type SentMessageInfo } from 'nodemailer'
import { errorMessage } from '../base/error-message.ts'
import { isObject } from '../base/json.ts'
import { cutText } from '../base/cut-text.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { isPublicAddress } from '../outbound/public-address.ts'
import type { MailRelayRow } from '../store/core/schema.ts'
import type { MailBody } from './letter.ts'

/** The time limits of a connection, in milliseconds. */
const connectMs = 10_000
const silenceMs = 30_000
const keptChars = 500

/** A mail as it is sent. */
export interface OutgoingMail extends MailBody {
  /** The part of the `Message-ID` before the `@`. It is the same at each try. */
  readonly id: string
  readonly to: string
  readonly replyTo: string | null
  readonly subject: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * The outcome of a try. After `refused` the mail has ended, after `later` it is tried again, and `relay` says that the relay takes
 * no mails of this site until it is set right.
 */
export type MailVerdict = 'sent' | 'refused' | 'later' | 'relay'

export interface MailAttempt {
  readonly verdict: MailVerdict
  /** The code of the relay; null without an answer. */
  readonly code: number | null
  /** The sentence of the relay, or what went wrong before there was one. */
  readonly answer: string
  /** True if the relay refused the receiver, and not the mail or the site. */
  readonly isReceiver?: boolean
}

/** A connection to the relay, which is opened at the first mail. */
export interface MailTransport {
  /** Connects, greets and signs in, and sends nothing. */
  verify(): Promise<MailAttempt>
  send(mail: OutgoingMail): Promise<MailAttempt>
  close(): void
}

type RelaySettings = Pick<MailRelayRow, 'host' | 'port' | 'security' | 'user_name' | 'from_address' | 'from_name'>

/**
 * Opens a connection to a relay. The admin who set it may use private addresses, because a relay often runs on the same machine.
 * Without TLS, a password may travel there alone.
 */
export function openTransport(outbound: Pick<Outbound, 'findAddress'>, relay: RelaySettings, password: string): MailTransport {
  const domain = relay.from_address.slice(relay.from_address.lastIndexOf('@') + 1)
  let opening: ReturnType<typeof connect> | undefined
  const connect = async () => {
    const address = relay.host === 'localhost' ? '127.0.0.1' : await outbound.findAddress(relay.host, { privateNetwork: true })
    if (relay.security === 'none' && isPublicAddress(address))
      throw new Error('Only a relay on this machine or in its network is used without encryption: choose `starttls` or `tls`.')
    return createTransport({
      pool: true,
      maxConnections: 1,
      host: address,
      port: relay.port,
      name: domain,
      secure: relay.security === 'tls',
      requireTLS: relay.security === 'starttls',
      ignoreTLS: relay.security === 'none',
      tls: isIP(relay.host) === 0 ? { servername: relay.host } : {},
      ...(relay.user_name !== null && { auth: { user: relay.user_name, pass: password } }),
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      socketTimeout: silenceMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
  const attempt = async (work: (client: Awaited<ReturnType<typeof connect>>) => Promise<string>): Promise<MailAttempt> => {
    try {
      opening ??= connect()
      const answer = await work(await opening)
      return { verdict: 'sent', code: codeIn(answer), answer: cutText(answer, keptChars) }
    } catch (error) {
      return failedAttempt(error)
    }
  }
  return {
    verify: () =>
      attempt(async (client) => {
        await client.verify()
        return 'The relay answered, and took the user and the password.'
      }),
    send: (mail) =>
      attempt(async (client) => {
        const sent: SentMessageInfo = await client.sendMail({
          from: { name: relay.from_name, address: relay.from_address },
          to: { name: '', address: mail.to },
          ...(mail.replyTo !== null && { replyTo: { name: '', address: mail.replyTo } }),
          envelope: { from: relay.from_address, to: mail.to },
          messageId: `<${mail.id}@${domain}>`,
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          headers: { 'Auto-Submitted': 'auto-generated', ...mail.headers },
        })
        return String(sent.response)
      }),
    close() {
      void opening?.then(
        (client) => client.close(),
        () => undefined,
      )
    },
  }
}

/** Does one thing with a relay, and closes the connection. */
export async function withTransport(
  outbound: Pick<Outbound, 'findAddress'>,
  relay: RelaySettings,
  password: string,
  work: (transport: MailTransport) => Promise<MailAttempt>,
): Promise<MailAttempt> {
  const transport = openTransport(outbound, relay, password)
  try {
    return await work(transport)
  } finally {
    transport.close()
  }
}

const codeIn = (answer: string): number | null => {
  const code = Number(/^[2-5]\d\d/.exec(answer)?.[0])
  return Number.isNaN(code) ? null : code
}

/** The errors of nodemailer that are about one mail, and not about the connection. */
const aboutMail: ReadonlySet<unknown> = new Set(['EENVELOPE', 'EMESSAGE'])

function failedAttempt(error: unknown): MailAttempt {
  const { code: kind, responseCode, response, command } = isObject(error) ? error : {}
  const code = typeof responseCode === 'number' ? responseCode : null
  const answer = cutText(answerIn(kind, response, error), keptChars)
  const isFinal = code !== null && code >= 500
  if (kind === 'EAUTH' || kind === 'ENOAUTH') return { verdict: isFinal || code === null ? 'relay' : 'later', code, answer }
  return { verdict: aboutMail.has(kind) && isFinal ? 'refused' : 'later', code, answer, isReceiver: command === 'RCPT TO' }
}

const unreached = 'No connection to the relay: check its host and port, and that no firewall blocks the port.'

/** Sentences for errors that have no answer of the relay, or one that says little. */
const sentences: Readonly<Record<string, string>> = {
  ECONNECTION: unreached,
  ESOCKET: unreached,
  ETIMEDOUT: 'The relay did not answer in time: check its host and port, and that no firewall blocks the port.',
  ETLS: 'The relay does not encrypt with STARTTLS: choose another encryption, or another port.',
  EDNS: 'The name of the relay was not found.',
}

/** The answer of the relay, or else what went wrong. The words of TLS say what is wrong with a certificate. */
function answerIn(kind: unknown, response: unknown, error: unknown): string {
  const words = typeof kind === 'string' && Object.hasOwn(sentences, kind) ? sentences[kind] : undefined
  const message = errorMessage(error)
  if (words !== undefined && !/certificate|altname/i.test(message)) return words
  return typeof response === 'string' && response !== '' ? response : message
}
