// A zip, written as its files come (APPNOTE 6.3.10). Of each file only the line of its directory is held, as bytes: yazl holds an
// object per file and goes through all of them after each, which takes minutes for 100,000 files.

import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { crc32, createDeflateRaw, deflateRaw } from 'node:zlib'

export interface ZipMember {
  readonly name: string
  readonly content: Uint8Array | AsyncIterable<Uint8Array>
  readonly compress: boolean
}

/** Any date, noon of 1 January 2000, as DOS writes it: the same files make the same bytes. */
const [dosTime, dosDate] = [12 << 11, (20 << 9) | (1 << 5) | 1]
/** A file with the rights 644, made on Unix. */
const [madeBy, attributes] = [(3 << 8) | 63, (0o100644 << 16) >>> 0]
/** Sizes follow the content; names are UTF-8. */
const flags = 0x0808
const most16 = 0xffff
const most32 = 0xffff_ffff

/** Yields the bytes of a zip with these files. Their names are safe and unique already. */
export async function* zipBytesOf(members: AsyncIterable<ZipMember>): AsyncGenerator<Uint8Array> {
  const directory = createDirectory()
  let at = 0
  for await (const { name, content, compress } of members) {
    const file: WrittenFile = { name: Buffer.from(name), method: compress ? 8 : 0, at, crc: 0, size: 0, packed: 0 }
    try {
      const header = headerOf(file)
      yield header
      for await (const part of packedContent(content, compress, file)) {
        file.packed += part.byteLength
        yield part
      }
      const sizes = sizesOf(file)
      yield sizes
      at += header.length + file.packed + sizes.length
      directory.add(file)
    } finally {
      // A reader may leave before the content is read.
      if (content instanceof Readable) content.destroy()
    }
  }
  yield* directory.parts()
  yield endOf({ count: directory.count, bytes: directory.bytes, at })
}

interface WrittenFile {
  readonly name: Buffer
  readonly method: number
  /** The offset of its header. */
  readonly at: number
  crc: number
  size: number
  packed: number
}

const deflate = promisify(deflateRaw)

async function* packedContent(content: ZipMember['content'], compress: boolean, file: WrittenFile): AsyncGenerator<Uint8Array> {
  const count = (part: Uint8Array): Uint8Array => {
    file.crc = crc32(part, file.crc)
    file.size += part.byteLength
    return part
  }
  if (content instanceof Uint8Array) {
    yield compress ? await deflate(count(content)) : count(content)
    return
  }
  const counted = (async function* () {
    for await (const part of content) yield count(part)
  })()
  // The reader of the last stream hears of its errors.
  yield* compress ? pipeline(Readable.from(counted), createDeflateRaw(), () => undefined) : counted
}

/** The header before a file. Its sizes are not known yet. */
function headerOf({ name, method }: WrittenFile): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x0403_4b50, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(method, 8)
  header.writeUInt16LE(dosTime, 10)
  header.writeUInt16LE(dosDate, 12)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, name])
}

const isLarge = ({ size, packed, at }: WrittenFile): boolean => size >= most32 || packed >= most32 || at >= most32

/** The sum and the sizes behind a file. */
function sizesOf({ crc, size, packed }: WrittenFile): Buffer {
  const large = size >= most32 || packed >= most32
  const sizes = Buffer.alloc(large ? 24 : 16)
  sizes.writeUInt32LE(0x0807_4b50, 0)
  sizes.writeUInt32LE(crc, 4)
  if (large) {
    sizes.writeBigUInt64LE(BigInt(packed), 8)
    sizes.writeBigUInt64LE(BigInt(size), 16)
  } else {
    sizes.writeUInt32LE(packed, 8)
    sizes.writeUInt32LE(size, 12)
  }
  return sizes
}

/** The lines of the directory, many in one piece: a buffer of its own for each would take twice as much memory. */
function createDirectory() {
  const pieces: Buffer[] = []
  let lines: Buffer[] = []
  let [count, bytes] = [0, 0]
  return {
    get count() {
      return count
    },
    get bytes() {
      return bytes
    },
    add(file: WrittenFile): void {
      const line = lineOf(file)
      lines.push(line)
      count++
      bytes += line.length
      if (lines.length < 1000) return
      pieces.push(Buffer.concat(lines))
      lines = []
    },
    *parts(): Generator<Buffer> {
      yield* pieces
      yield* lines
    },
  }
}

function lineOf(file: WrittenFile): Buffer {
  const { name, method, at, crc, size, packed } = file
  const large = isLarge(file)
  const line = Buffer.alloc(46)
  line.writeUInt32LE(0x0201_4b50, 0)
  line.writeUInt16LE(madeBy, 4)
  line.writeUInt16LE(large ? 45 : 20, 6)
  line.writeUInt16LE(flags, 8)
  line.writeUInt16LE(method, 10)
  line.writeUInt16LE(dosTime, 12)
  line.writeUInt16LE(dosDate, 14)
  line.writeUInt32LE(crc, 16)
  line.writeUInt32LE(large ? most32 : packed, 20)
  line.writeUInt32LE(large ? most32 : size, 24)
  line.writeUInt16LE(name.length, 28)
  line.writeUInt16LE(large ? 28 : 0, 30)
  line.writeUInt32LE(attributes, 38)
  line.writeUInt32LE(large ? most32 : at, 42)
  if (!large) return Buffer.concat([line, name])
  const long = Buffer.alloc(28)
  long.writeUInt16LE(1, 0)
  long.writeUInt16LE(24, 2)
  long.writeBigUInt64LE(BigInt(size), 4)
  long.writeBigUInt64LE(BigInt(packed), 12)
  long.writeBigUInt64LE(BigInt(at), 20)
  return Buffer.concat([line, name, long])
}

/** The end of the directory, with its long form before it if a number does not fit the short one. */
function endOf({ count, bytes, at }: { readonly count: number; readonly bytes: number; readonly at: number }): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x0605_4b50, 0)
  end.writeUInt16LE(Math.min(count, most16), 8)
  end.writeUInt16LE(Math.min(count, most16), 10)
  end.writeUInt32LE(Math.min(bytes, most32), 12)
  end.writeUInt32LE(Math.min(at, most32), 16)
  if (count < most16 && bytes < most32 && at < most32) return end
  const long = Buffer.alloc(56)
  long.writeUInt32LE(0x0606_4b50, 0)
  long.writeBigUInt64LE(44n, 4)
  long.writeUInt16LE(madeBy, 12)
  long.writeUInt16LE(45, 14)
  long.writeBigUInt64LE(BigInt(count), 24)
  long.writeBigUInt64LE(BigInt(count), 32)
  long.writeBigUInt64LE(BigInt(bytes), 40)
  long.writeBigUInt64LE(BigInt(at), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x0706_4b50, 0)
  locator.writeBigUInt64LE(BigInt(at + bytes), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([long, locator, end])
}
