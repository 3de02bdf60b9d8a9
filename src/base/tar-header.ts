// The headers of a tar archive (POSIX.1-2001) with plain files only. A pax header is added if a path or size doesn't fit the old
// fields, so any `tar` can read the archives.

export const tarBlockBytes = 512
const maxOctalSize = 0o77777777777

/** The end of an archive: two empty blocks. */
export const tarEnd: Buffer = Buffer.alloc(2 * tarBlockBytes)

export interface TarTraits {
  /** UTC milliseconds. */
  readonly modifiedAt: number
  /** The permissions, such as `0o644`. */
  readonly mode: number
}

/** The header before a file's bytes. */
export function tarHeader(path: string, bytes: number, traits: TarTraits): Buffer {
  const fits = Buffer.byteLength(path) <= 100 && /^[\x20-\x7e]*$/.test(path) && bytes <= maxOctalSize
  if (fits) return headerBlock(path, bytes, '0', traits)
  const records = Buffer.from(paxRecord('path', path) + paxRecord('size', String(bytes)))
  const pax = [headerBlock('pax', records.length, 'x', traits), records, tarPadding(records.length)]
  return Buffer.concat([...pax, headerBlock('see-pax', Math.min(bytes, maxOctalSize), '0', traits)])
}

/** The padding after a file's bytes. */
export function tarPadding(bytes: number): Buffer {
  return Buffer.alloc((tarBlockBytes - (bytes % tarBlockBytes)) % tarBlockBytes)
}

function headerBlock(name: string, bytes: number, type: '0' | 'x', { modifiedAt, mode }: TarTraits): Buffer {
  const block = Buffer.alloc(tarBlockBytes)
  const octal = (value: number, at: number, length: number) => block.write(value.toString(8).padStart(length - 1, '0'), at)
  block.write(name, 0)
  octal(mode, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(bytes, 124, 12)
  octal(Math.max(0, Math.floor(modifiedAt / 1000)), 136, 12)
  block.write(type, 156)
  block.write('ustar\x0000', 257, 'latin1')
  octal(tarChecksum(block), 148, 7)
  block[155] = 0x20
  return block
}

/** The sum of a header's bytes, with the checksum field counted as spaces. */
export function tarChecksum(block: Buffer): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0)
}

/** Formats a record as `LENGTH KEY=VALUE\n`. The length includes its own digits. */
function paxRecord(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest + String(rest).length
  if (rest + String(length).length > length) length++
  return `${length} ${key}=${value}\n`
}
