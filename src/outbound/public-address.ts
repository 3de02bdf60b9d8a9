// The network addresses on the public internet. If a caller names the address, the site connects only to these.

import { BlockList, isIPv6 } from 'node:net'
import { parseAddress } from '../http/addresses.ts'

/**
 * Ranges that are not public (IANA special-purpose registry): this host, private, shared, link-local, test, multicast, reserved.
 */
const special = rangesOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  // Within 2000::/3: Teredo and other protocol assignments, documentation, and 6to4, which can contain any IPv4 address.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
])

/** All public IPv6 addresses are in this range. Loopback, mapped, NAT64, private and link-local addresses are not. */
const globalIpv6 = rangesOf(['2000::/3'])

function rangesOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', bits] = range.split('/')
    list.addSubnet(network, Number(bits), isIPv6(network) ? 'ipv6' : 'ipv4')
  }
  return list
}

/**
 * True for an address on the public internet; false for text that is not an address. An IPv4 address inside an IPv6 one is judged
 * as that IPv4 address, or refused (attack 116).
 * @see RFC 6890, RFC 6052 §2.1, RFC 3056 §2
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text)
  if (address === undefined) return false
  if (!isIPv6(address)) return !special.check(address, 'ipv4')
  return globalIpv6.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

/** Private networks, shared address space (as VPNs use it) and this machine. */
const privateRanges = rangesOf([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
])

/** Addresses at which clouds tell a machine its secrets. Those of IPv4 are link-local and so in no range above. */
const metadata = rangesOf(['100.100.100.200/32', 'fd00:ec2::/32'])

/** True for an address in a private network, which a site may use only by consent. Link-local addresses are never allowed. */
export function isInPrivateNetwork(text: string): boolean {
  const address = parseAddress(text)
  if (address === undefined) return false
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  return privateRanges.check(address, family) && !metadata.check(address, family)
}
