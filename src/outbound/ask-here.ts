// Asks the service on this machine, past everything in front of it, how it is. No other machine is ever asked here.

import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { Failure } from '../failure.ts'

/** An address of this machine, by http. @throws Failure `invalid` for any other */
export function toOwnAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol === 'http:' && isHere(url.hostname.replace(/^\[|\]$/g, ''))) return url
  const expected = 'http on an address of this machine, such as http://127.0.0.1:8080/readyz'
  throw new Failure('invalid', `${address} makes no sense here: it must be ${expected}.`, { expected })
}

function isHere(host: string): boolean {
  if (host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))) return true
  return Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === host))
}

/** Where a service is asked. */
export interface HereAddress {
  readonly url: string
  /** A Unix socket to ask by, instead of the port. */
  readonly socketPath?: string | undefined
}

/** The status of a GET; undefined where nobody answers in time. @throws Failure `invalid` for an address of another machine */
export async function askHere({ url, socketPath }: HereAddress, timeoutMs: number): Promise<number | undefined> {
  const { default: undici } = await import('undici')
  const agent = new undici.Agent({ connect: socketPath === undefined ? {} : { socketPath } })
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const { statusCode, body } = await undici.request(toOwnAddress(url), { dispatcher: agent, signal })
    await body.dump()
    return statusCode
  } catch (error) {
    if (error instanceof Failure) throw error
    // Refused, cut off, or too slow: it doesn't serve yet.
    return undefined
  } finally {
    await agent.destroy()
  }
}
