// Network addresses: a canonical spelling, ranges, and the key for rate limits.

import { BlockList, isIP, isIPv6 } from 'node:net'

/**
 * The canonical spelling of an address: IPv4-mapped IPv6 as IPv4, without zone, in lower case. Undefined if the text is not an
 * address.
 */
export function parseAddress(text: string): string | undefined {
  const bare = text.includes('%') ? text.slice(0, text.indexOf('%')) : text
  if (isIP(bare) === 0) return undefined
  const lower = bare.toLowerCase()
  const mapped = /^(?:0{0,4}:){0,5}(?::|0{1,4}:)?ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(lower)?.[1]
  if (mapped !== undefined) return mapped
  const groups = lower.includes('ffff:') && !lower.includes('.') ? ipv6Groups(lower) : undefined
  if (!groups || groups[5] !== 0xffff || groups.slice(0, 5).some((group) => group !== 0)) return lower
  const [high = 0, low = 0] = groups.slice(6)
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
}

/** The eight groups of an IPv6 address, which may end in dotted IPv4. */
function ipv6Groups(address: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const hex = (high?: string, low?: string) => ((Number(high) << 8) | Number(low)).toString(16)
  const plain = dotted ? `${dotted[1]}${hex(dotted[2], dotted[3])}:${hex(dotted[4], dotted[5])}` : address
  const [head = '', tail] = plain.split('::')
  const parse = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const before = parse(head)
  const after = tail === undefined ? [] : parse(tail)
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
}

/**
 * The key of an address for rate limits: an IPv4 address, the /64 of an IPv6 address (attack 126), or other text, such as `unix`,
 * unchanged.
 */
export function rateKey(address: string): string {
  const parsed = parseAddress(address)
  if (parsed === undefined || !isIPv6(parsed)) return parsed ?? address
  const network = ipv6Groups(parsed).slice(0, 4)
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}

/** The network of an address: the /24 of IPv4, the /48 of IPv6; other text, such as `unix`, unchanged. */
export function networkOf(address: string): string {
  if (address.includes(':')) {
    const parsed = parseAddress(address)
    if (parsed === undefined) return address
    if (parsed.includes(':'))
      return `${ipv6Groups(parsed)
        .slice(0, 3)
        .map((group) => group.toString(16))
        .join(':')}::/48`
    return networkOf(parsed)
  }
  const end = address.lastIndexOf('.')
  return end < 0 ? address : `${address.slice(0, end)}.0/24`
}

export function isLoopback(address: string): boolean {
  return address === '::1' || (address.startsWith('127.') && isIP(address) === 4)
}

/**
 * Creates a test for a set of addresses, ranges such as `10.0.0.0/8`, `loopback`, and `unix` (a peer without an address). `none`
 * matches nothing.
 * @throws Error naming an invalid item
 */
export function createAddressSet(items: readonly string[]): (address: string) => boolean {
  const ranges = new BlockList()
  const words = new Set<string>(items.filter((item) => item === 'loopback' || item === 'unix' || item === 'none'))
  for (const item of items) {
    if (words.has(item)) continue
    const [text = '', bits] = item.split('/')
    const address = parseAddress(text)
    if (address === undefined)
      throw new Error(`${item} is neither an address nor a range: write 10.0.0.1, 10.0.0.0/8, loopback or unix.`)
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) ranges.addAddress(address, family)
    else ranges.addSubnet(address, Number(bits) - (family === 'ipv4' && isIPv6(text) ? 96 : 0), family)
  }
  return (address) =>
    address === 'unix'
      ? words.has('unix')
      : (words.has('loopback') && isLoopback(address)) || ranges.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
