// Zips written byte by byte, so that any of them may lie. What is left out is honest.

import { crc32, deflateRawSync } from 'node:zlib'

/** An entry; what the directory says is overridden by `central`, what stands before the data by `local`. */
export interface CraftedEntry {
  readonly name: string | Uint8Array
  readonly data?: string | Uint8Array
  /** Unix mode with its kind; 0o100644 for files, 0o040755 for folders. */
  readonly mode?: number
  readonly stored?: boolean
  readonly central?: Partial<Header>
  readonly local?: Partial<Header>
  /** What lies between header and next entry, in place of the packed data. */
  readonly packed?: Uint8Array
  /** Says where another entry lies: its place in the list. */
  readonly sameAs?: number
}

interface Header {
  readonly name: string | Uint8Array
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly packedBytes: number
  readonly bytes: number
  readonly extra: Uint8Array
  readonly attributes: number
  readonly offset: number
}

export interface CraftedEnd {
  readonly count?: number
  readonly comment?: string
  /** Added to the directory's true place. */
  readonly shift?: number
}

const u16 = (value: number) => Buffer.from([value & 255, (value >>> 8) & 255])
const u32 = (value: number) => Buffer.concat([u16(value & 0xffff), u16(value >>> 16)])

/** The bytes of a zip. */
export function craftZip(entries: readonly CraftedEntry[], end: CraftedEnd = {}): Buffer {
  const parts: Buffer[] = []
  const central: Buffer[] = []
  const offsets: number[] = []
  let at = 0
  for (const entry of entries) {
    const header = headerOf(entry, at)
    const packed = Buffer.from(packedOf(entry))
    offsets.push(at)
    const own = localHeader({ ...header, ...entry.local })
    parts.push(own, packed)
    at += own.length + packed.length
    const offset = entry.sameAs === undefined ? header.offset : (offsets[entry.sameAs] ?? 0)
    central.push(centralHeader({ ...header, offset, ...entry.central }))
  }
  const directory = Buffer.concat(central)
  const count = end.count ?? entries.length
  const comment = Buffer.from(end.comment ?? '')
  const record = [u32(0x06054b50), u32(0), u16(count), u16(count), u32(directory.length), u32(at + (end.shift ?? 0))]
  return Buffer.concat([...parts, directory, ...record, u16(comment.length), comment])
}

/** An extra field of an entry. */
export function extraField(id: number, data: Uint8Array): Buffer {
  return Buffer.concat([u16(id), u16(data.length), data])
}

const isFolder = (name: string | Uint8Array): boolean => Buffer.from(name).at(-1) === 0x2f

const packedOf = ({ data = '', stored, name, packed }: CraftedEntry): Uint8Array =>
  packed ?? (stored || isFolder(name) ? Buffer.from(data) : deflateRawSync(data))

function headerOf(entry: CraftedEntry, offset: number): Header {
  const { name, data = '', stored, mode = isFolder(name) ? 0o040755 : 0o100644 } = entry
  return {
    name,
    flags: 0x800,
    method: stored || isFolder(name) ? 0 : 8,
    crc: crc32(data),
    packedBytes: packedOf(entry).length,
    bytes: Buffer.byteLength(data),
    extra: Buffer.alloc(0),
    attributes: (mode << 16) >>> 0,
    offset,
  }
}

function localHeader({ name, flags, method, crc, packedBytes, bytes, extra }: Header): Buffer {
  const raw = Buffer.from(name)
  const numbers = [u32(0x04034b50), u16(20), u16(flags), u16(method), u32(0), u32(crc), u32(packedBytes), u32(bytes)]
  return Buffer.concat([...numbers, u16(raw.length), u16(extra.length), raw, extra])
}

function centralHeader({ name, flags, method, crc, packedBytes, bytes, extra, attributes, offset }: Header): Buffer {
  const raw = Buffer.from(name)
  const numbers = [u32(0x02014b50), u16(0x0314), u16(20), u16(flags), u16(method), u32(0), u32(crc), u32(packedBytes), u32(bytes)]
  return Buffer.concat([
    ...numbers,
    u16(raw.length),
    u16(extra.length),
    u16(0),
    u16(0),
    u16(0),
    u32(attributes),
    u32(offset),
    raw,
    extra,
  ])
}
