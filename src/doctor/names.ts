// The addresses of the site's host names: from a DNS server, as clients get them, or from the operator instead.

import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

export interface HostAddress {
  readonly address: string
  readonly family: 4 | 6
}

export interface Names {
  /** The DNS server to ask; by default the system's servers. */
  readonly server?: string | undefined
  /** Addresses that replace the DNS records of a name, like curl's `--resolve`. */
  readonly instead: ReadonlyMap<string, readonly string[]>
}

export interface Records {
  readonly ipv4: readonly string[]
  readonly ipv6: readonly string[]
  /** The reason why the records are unknown; undefined if the server answered, even without records. */
  readonly fault: string | undefined
}

const noneCodes: readonly string[] = ['ENOTFOUND', 'ENODATA']

/** Returns the DNS records of a name. An IP address is its own record. */
export async function recordsOf({ server }: Names, name: string): Promise<Records> {
  const literal = name.replace(/^\[|\]$/g, '')
  if (isIP(literal) === 4) return { ipv4: [literal], ipv6: [], fault: undefined }
  if (isIP(literal) === 6) return { ipv4: [], ipv6: [literal], fault: undefined }
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  if (server !== undefined) resolver.setServers([server])
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const failed = [ipv4, ipv6].find((one) => one.status === 'rejected' && !noneCodes.includes(codeOf(one.reason)))
  return { ipv4: valueOf(ipv4), ipv6: valueOf(ipv6), fault: failed?.status === 'rejected' ? codeOf(failed.reason) : undefined }
}

const valueOf = (result: PromiseSettledResult<string[]>): readonly string[] => (result.status === 'fulfilled' ? result.value : [])
const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? error)

/**
 * Returns the addresses to connect to for a name: those given by the operator, else those in DNS, else those that this machine
 * knows.
 */
export async function addressesOf(names: Names, name: string): Promise<readonly HostAddress[]> {
  const given = names.instead.get(name)
  if (given) return given.map(toAddress)
  const { ipv4, ipv6 } = await recordsOf(names, name)
  const found = [...ipv4, ...ipv6].map(toAddress)
  if (found.length > 0 || names.server !== undefined) return found
  const local = await lookup(name, { all: true }).catch(() => [])
  return local.map(({ address }) => toAddress(address)).sort((a, b) => a.family - b.family)
}

const toAddress = (address: string): HostAddress => ({ address, family: isIP(address) === 6 ? 6 : 4 })
