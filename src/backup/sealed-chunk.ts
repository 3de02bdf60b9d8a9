// The chunks of a sealed backup. Each chunk is 64 KiB, encrypted with AES-256-GCM. The chunk's number, and a mark on the last
// chunk, are its associated data. So a chunk that was changed, removed, moved or taken from another backup does not open, and a
// missing end is detected (the STREAM construction).

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Number of plain bytes in a full chunk. The last chunk may have fewer, but has at least one. */
export const chunkBytes = 64 * 1024
/** Number of bytes that sealing adds to a chunk. */
export const overheadBytes = nonceBytes + tagBytes

/** The position of a chunk: its number, from 0, and true if it is the last one. */
export interface ChunkPlace {
  readonly at: number
  readonly last: boolean
}

/**
 * Seals one chunk. The nonce is random, because a chunk may be sealed again with other bytes if a file changes while it is
 * copied.
 */
export function sealChunk(key: Buffer, bytes: Uint8Array, place: ChunkPlace): Buffer {
  const nonce = randomBytes(nonceBytes)
  const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(dataOf(place))
  return Buffer.concat([nonce, sealing.update(bytes), sealing.final(), sealing.getAuthTag()])
}

/** Opens one chunk. Undefined if these bytes were not sealed at this position with this key. */
export function openChunk(key: Buffer, sealed: Buffer, place: ChunkPlace): Buffer | undefined {
  const opening = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
  opening.setAAD(dataOf(place)).setAuthTag(sealed.subarray(-tagBytes))
  const bytes = opening.update(sealed.subarray(nonceBytes, -tagBytes))
  try {
    opening.final()
    return bytes
  } catch {
    return undefined
  }
}

function dataOf({ at, last }: ChunkPlace): Buffer {
  const data = Buffer.alloc(9)
  data.writeBigUInt64BE(BigInt(at))
  data.writeUInt8(last ? 1 : 0, 8)
  return data
}
