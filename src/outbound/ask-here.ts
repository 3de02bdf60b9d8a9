// Asks the service on this machine if it serves, without any web server in front of it. It never asks another machine.

import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { Failure } from '../base/failure.ts'
import { loadHttpClient } from './http-client.ts'

/** Parses an http address of this machine. @throws Failure `invalid` for any other address */
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

export interface HereAddress {
  readonly url: string
  /** A Unix socket to use instead of the port. */
  readonly socketPath?: string | undefined
}

/** Returns the status of a GET; undefined without an answer in time. @throws Failure `invalid` for an address of another machine */
export async function askHere({ url, socketPath }: HereAddress, timeoutMs: number): Promise<number | undefined> {
  const client = await loadHttpClient()
  const agent = new client.Agent({ connect: socketPath === undefined ? {} : { socketPath } })
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const { origin, pathname, search } = toOwnAddress(url)
    const { statusCode, body } = await client.request(agent, { origin, path: `${pathname}${search}`, method: 'GET', signal })
    await body.dump()
    return statusCode
  } catch (error) {
    if (error instanceof Failure) throw error
    // The connection was refused or cut off, or too slow: the service doesn't serve yet.
    return undefined
  } finally {
    await agent.destroy()
  }
}
