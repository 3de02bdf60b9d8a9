// A way out over loopback: 127.0.0.5 plays the public internet, 127.0.0.1 stays what it is. Servers are real, names are the test's.

import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readConfig } from '../../src/base/config.ts'
import { createLog } from '../../src/base/log.ts'
import type { Lookup } from '../../src/outbound/guarded-connect.ts'
import { createOutbound, type Outbound, type OutboundOptions } from '../../src/outbound/outbound.ts'
import { isPublicAddress } from '../../src/outbound/public-address.ts'

/** The address that counts as public here. */
export const publicAddress = '127.0.0.5'

export interface Listening {
  readonly port: number
  /** Requests that came, as `GET /path`. */
  readonly asked: string[]
  [Symbol.asyncDispose](): Promise<void>
}

/** A server on an address of loopback. */
export async function listen(listener: RequestListener, address = publicAddress, port = 0): Promise<Listening> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    listener(request, response)
  })
  await new Promise<void>((ready, failed) => server.once('error', failed).listen(port, address, ready))
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** An outbound whose names mean what the table says: each call of the lookup takes the next list of addresses, the last for ever. */
export function outboundTo(
  names: Readonly<Record<string, readonly (readonly string[])[]>>,
  env: Readonly<Record<string, string>> = {},
): Outbound & { readonly lines: string[] } {
  const calls = new Map<string, number>()
  const lookup: Lookup = (host, found) => {
    const answers = names[host] ?? []
    const call = calls.get(host) ?? 0
    calls.set(host, call + 1)
    const addresses = answers[Math.min(call, answers.length - 1)]
    if (!addresses) return found(new Error(`no such name ${host}`), [])
    found(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  const lines: string[] = []
  const log = createLog('debug', (line) => lines.push(line))
  const isAllowed = (address: string) => address === publicAddress || isPublicAddress(address)
  const outbound = createOutbound({ log, config: readConfig(env), lookup, isAllowed })
  return { ...outbound, lines }
}

/** Port numbers of tests are none of the usual two. */
export const on = (...servers: readonly Listening[]): OutboundOptions => ({ ports: servers.map(({ port }) => port) })
