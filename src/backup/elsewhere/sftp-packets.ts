// The packets of SFTP, version 3: numbers and texts in the form of SSH, and the frames that carry them.
// See draft-ietf-secsh-filexfer-02.

/** The kinds of packets that this client sends or reads. */
export const packet = {
  init: 1,
  version: 2,
  open: 3,
  close: 4,
  read: 5,
  write: 6,
  opendir: 11,
  readdir: 12,
  remove: 13,
  mkdir: 14,
  stat: 17,
  rename: 18,
  status: 101,
  handle: 102,
  data: 103,
  name: 104,
  attrs: 105,
} as const

/** The codes of a status that have a meaning here. */
export const statusCode = { ok: 0, end: 1, noFile: 2, noPermission: 3, failure: 4 } as const

/** The modes of opening a file: to read it, or to write it anew. */
export const openMode = { read: 0x01, write: 0x02 | 0x08 | 0x10 } as const

/** The longest packet that is read. Servers send 32 KiB of data, or a hundred names. */
const maxPacketBytes = 1024 ** 2

export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export const uint64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}

/** A text or bytes with their length. */
export const counted = (value: string | Uint8Array): Buffer => {
  const bytes = Buffer.from(value)
  return Buffer.concat([uint32(bytes.length), bytes])
}

/** The frame of a packet. */
export const frame = (kind: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat([Buffer.from([kind]), ...parts])
  return Buffer.concat([uint32(body.length), body])
}

/** Reads the members of a packet one after another. @throws RangeError at the end of the packet */
export class PacketReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#at++)
  }

  uint32(): number {
    this.#at += 4
    return this.#bytes.readUInt32BE(this.#at - 4)
  }

  uint64(): number {
    this.#at += 8
    return Number(this.#bytes.readBigUInt64BE(this.#at - 8))
  }

  bytes(): Buffer {
    const length = this.uint32()
    if (this.#at + length > this.#bytes.length) throw new RangeError('a text ends behind its packet')
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  text(): string {
    return this.bytes().toString('utf8')
  }

  /** Reads the attributes of a file. */
  attributes(): { readonly size: number; readonly isFolder: boolean } {
    const flags = this.uint32()
    const size = flags & 0x1 ? this.uint64() : 0
    if (flags & 0x2) this.#at += 8
    const mode = flags & 0x4 ? this.uint32() : 0
    if (flags & 0x8) this.#at += 8
    if (flags & 0x80000000) for (let left = 2 * this.uint32(); left > 0; left--) this.bytes()
    return { size, isFolder: (mode & 0o170000) === 0o040000 }
  }
}

/** Cuts the bytes of a server into packets. */
export class PacketCutter {
  #rest: Buffer = Buffer.alloc(0)

  /** Adds bytes, and returns the packets that are complete. @throws RangeError for a packet that is too long */
  add(part: Buffer): readonly Buffer[] {
    this.#rest = this.#rest.length === 0 ? part : Buffer.concat([this.#rest, part])
    const packets: Buffer[] = []
    while (this.#rest.length >= 4) {
      const length = this.#rest.readUInt32BE(0)
      if (length > maxPacketBytes) throw new RangeError('a packet of the server is too long')
      if (this.#rest.length < 4 + length) break
      packets.push(this.#rest.subarray(4, 4 + length))
      this.#rest = this.#rest.subarray(4 + length)
    }
    return packets
  }
}
