// The chunks of a sealed backup: AES-256-GCM over 64 KiB each, with the chunk's number and whether it is the last as authenticated data. So a
// chunk that is altered, left out, moved, or comes from another backup is noticed, and so is an end that is missing (the STREAM construction).

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Bytes that a full chunk holds; the last one may hold fewer, and holds one at least. */
export const chunkBytes = 64 * 1024
/** What a chunk takes beside the bytes that it holds. */
export const overheadBytes = nonceBytes + tagBytes

/** Which chunk it is: its number, from 0 on, and whether it is the last. */
export interface Place {
  readonly at: number
  readonly last: boolean
}

/** Seals one chunk. The nonce is random: a chunk that has to be written anew is never sealed twice under one. */
export function sealChunk(key: Buffer, bytes: Uint8Array, place: Place): Buffer {
  const nonce = randomBytes(nonceBytes)
  const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(dataOf(place))
  return Buffer.concat([nonce, sealing.update(bytes), sealing.final(), sealing.getAuthTag()])
}

/** The bytes of a chunk; undefined for one that isn't what was sealed at this place under this key. */
export function openChunk(key: Buffer, sealed: Buffer, place: Place): Buffer | undefined {
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

function dataOf({ at, last }: Place): Buffer {
  const data = Buffer.alloc(9)
  data.writeBigUInt64BE(BigInt(at))
  data.writeUInt8(last ? 1 : 0, 8)
  return data
}
