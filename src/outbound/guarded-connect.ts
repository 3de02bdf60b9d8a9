// Connections that check the address when they connect. An earlier lookup of the name does not count, because DNS answers can
// change.

import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { buildConnector } from 'undici'

export type Lookup = (host: string, found: (error: Error | null, addresses: readonly LookupAddress[]) => void) => void

/** The lookups at once. Each holds a thread of Node's pool until the resolver answers, and the database needs that pool too. */
const lookupsAtOnce = 2
let lookups = 0
const waiting: (() => void)[] = []

/** All addresses that the system's resolver has for a name. */
export const lookupAll: Lookup = (host, found) => {
  const ask = () => {
    lookups++
    systemLookup(host, { all: true }, (error, addresses) => {
      lookups--
      waiting.shift()?.()
      found(error, addresses)
    })
  }
  if (lookups < lookupsAtOnce) ask()
  else waiting.push(ask)
}

/**
 * Creates a connector that connects only to addresses that `allowed` accepts. If a name has several addresses, all must be
 * allowed: one private address among them is an attack (attack 117).
 */
export function guardConnect(connect: buildConnector.connector, allowed: (address: string) => boolean): buildConnector.connector {
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '')
    // A literal address needs no lookup.
    if (isIP(host) !== 0 && !allowed(host)) return callback(notPublic(host), null)
    connect(options, (error, socket) => {
      if (error) return callback(error, null)
      const address = socket.remoteAddress ?? ''
      if (allowed(address)) return callback(null, socket)
      socket.destroy()
      callback(notPublic(address), null)
    })
  }
}

/** The error for an address that is not allowed. */
export const notPublic = (address: string): Error => new Error(`${address} is not a public address`)

/** Creates a lookup for `net.connect` that answers with allowed addresses or with an error. */
export function guardLookup(lookup: Lookup, allowed: (address: string) => boolean): LookupFunction {
  return (host, options, answer) =>
    lookup(host, (error, addresses) => {
      if (error) return answer(error, '', 0)
      const wrong = addresses.find(({ address }) => !allowed(address))
      if (wrong) return answer(notPublic(wrong.address), '', 0)
      const [first] = addresses
      if (!first) return answer(new Error(`${host} has no address`), '', 0)
      if (options.all) answer(null, [...addresses])
      else answer(null, first.address, first.family)
    })
}
