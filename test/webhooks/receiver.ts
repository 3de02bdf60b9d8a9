// A receiver of webhooks: a real server at the address that counts as public (open-outbound.ts), and a site that sends to it.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { senderOf } from '../../src/actions/webhooks/sender-of.ts'
import type { Site } from '../../src/app/compose.ts'
import { startSender } from '../../src/webhooks/sender.ts'
import { openTestSite, type TestSite } from '../identity/open-test-site.ts'
import { listen, type Listening, on, outboundTo, publicAddress } from '../outbound/open-outbound.ts'

export interface Received {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The body as JSON. */
  readonly event: any // oxlint-disable-line no-explicit-any -- looked at by assertions
}

/** The answer of the receiver to the request of this number, from 1. */
export type Answering = (response: ServerResponse, number: number, request: IncomingMessage) => void

export interface Receiver extends AsyncDisposable {
  readonly url: string
  readonly server: Listening
  readonly received: Received[]
  /** How the receiver answers from now on. */
  answering: Answering
}

export const answers =
  (status: number, body = '', headers: Readonly<Record<string, string>> = {}): Answering =>
  (response) =>
    void response.writeHead(status, headers).end(body)

async function openReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let answering: Answering = answers(204)
  const server = await listen((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      received.push({ headers: request.headers as Record<string, string>, body, event: JSON.parse(body) })
      answering(response, received.length, request)
    })
  })
  return {
    url: `http://hooks.example:${server.port}/in`,
    server,
    received,
    get answering() {
      return answering
    },
    set answering(next) {
      answering = next
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** Sends the requests of a site to the receivers, whose ports are those of tests. */
function reach(site: Site, ...receivers: readonly Receiver[]): void {
  const outbound = outboundTo({ 'hooks.example': [[publicAddress]], 'inner.example': [['127.0.0.1']] })
  const ports = on(...receivers.map(({ server }) => server))
  Object.assign(site, {
    outbound: { ...outbound, fetch: (url: string, options = {}) => outbound.fetch(url, { ...options, ...ports }) },
  })
}

export interface SendingSite extends TestSite {
  /** Ends the sender, as a stop of its process does: a try that is under way is cut off. */
  stopSender(): Promise<void>
  /** Starts the sender of another process on the same home. */
  startOther(): Promise<void>
  readonly receiver: Receiver
  readonly second: Receiver
}

/** A site with a running sender, and two receivers. Its clock shows the present, because receivers compare times. */
export async function openSendingSite(engine?: 'SQLite' | 'PostgreSQL'): Promise<SendingSite> {
  const site = await openTestSite({}, engine)
  const [receiver, second] = await Promise.all([openReceiver(), openReceiver()])
  site.clock.at = Date.now()
  reach(site.site, receiver, second)
  const senders = [startSender(senderOf(site.site))]
  const stopSenders = async () => {
    for (const sender of senders.splice(0)) await sender.stop()
  }
  return {
    ...site,
    stopSender: stopSenders,
    async startOther() {
      const other = await site.other()
      reach(other, receiver, second)
      senders.push(startSender(senderOf(other)))
    },
    receiver,
    second,
    async [Symbol.asyncDispose]() {
      await stopSenders()
      for (const one of [receiver, second]) await one[Symbol.asyncDispose]()
      await site[Symbol.asyncDispose]()
    },
  }
}
