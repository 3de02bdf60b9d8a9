// The header of a sealed backup: the version of the format, the derivation of the keys from the passphrase, and a code that
// proves that a passphrase is right. `docs/backups.md` documents the format. `sealed-chunk.ts` describes the chunks after the
// header.

import { createHmac, hkdfSync, randomBytes, scrypt } from 'node:crypto'
import { Failure } from '../base/failure.ts'
import { sameSecret } from '../base/same-secret.ts'

/** The first bytes of every sealed backup. The digit is the version of the format. */
const mark = Buffer.from('postern-sealed-1')
const saltBytes = 32
const macBytes = 32
/** The part of the header before its code: mark, cost of scrypt (log2 N, r, p, and a zero), salt. */
const openBytes = mark.length + 4 + saltBytes

/** Size of the whole header. */
export const headerBytes = openBytes + macBytes

/** Cost of deriving the keys: scrypt's N as a power of two, r and p. */
interface Cost {
  readonly log2N: number
  readonly r: number
  readonly p: number
}

/** The cost for new backups. It takes 64 MiB and about 0.4 s. */
const usualCost: Cost = { log2N: 16, r: 8, p: 2 }
/** The highest cost that is accepted. A header is untrusted, and could otherwise demand any amount of memory and time. */
const mostCost = { memory: 256 * 1024 ** 2, p: 8 }

/** A header, and the key of the chunks after it. */
export interface Sealing {
  readonly header: Buffer
  readonly key: Buffer
}

/** True if a file that starts with these bytes is a sealed backup. */
export const isSealed = (start: Uint8Array): boolean => mark.equals(start.subarray(0, mark.length))

/** Creates a header with a new salt, so that no two backups have the same key. */
export async function createSealing(passphrase: string, cost: Cost = usualCost): Promise<Sealing> {
  const open = Buffer.concat([mark, Buffer.from([cost.log2N, cost.r, cost.p, 0]), randomBytes(saltBytes)])
  const { mac, key } = await deriveKeys(passphrase, cost, open)
  return { header: Buffer.concat([open, macOf(mac, open)]), key }
}

/**
 * Reads a header and derives the key with a passphrase.
 * @throws Failure `refused` for a wrong passphrase; `unprocessable` for a header that is damaged or demands too much work
 */
export async function openSealing(header: Buffer, passphrase: string): Promise<Sealing> {
  const [open, given] = [header.subarray(0, openBytes), header.subarray(openBytes, headerBytes)]
  if (header.length !== headerBytes || !isSealed(header)) throw damaged('its header is not complete')
  const [log2N = 0, r = 0, p = 0, zero] = header.subarray(mark.length)
  const good = log2N >= 10 && log2N <= 24 && r >= 1 && p >= 1 && p <= mostCost.p && zero === 0
  if (!good || memoryOf({ log2N, r, p }) > mostCost.memory) throw damaged('its header asks for more work than any backup needs')
  const { mac, key } = await deriveKeys(passphrase, { log2N, r, p }, open)
  if (sameSecret(macOf(mac, open), given)) return { header, key }
  throw aboutPassphrase('This passphrase does not open the backup: it was sealed with another one.')
}

/** A refusal that the right passphrase would prevent. */
export const aboutPassphrase = (sentence: string): Failure =>
  new Failure('refused', sentence, {
    field: 'passphrase',
    rule: 'a sealed backup opens with the passphrase that sealed it',
    hint: 'Name it: --passphrase-file FILE on the command line, `passphrase` in SVC_Backup.verify.',
  })

/** True if an error is about a missing or wrong passphrase. Such an error says nothing about the backup. */
export const isAboutPassphrase = (error: unknown): boolean => error instanceof Failure && error.detail.field === 'passphrase'

/** The failure of a sealed backup that no passphrase can open. */
export const damaged = (what: string): Failure => new Failure('unprocessable', `This sealed backup is damaged: ${what}.`)

const memoryOf = ({ log2N, r }: Cost): number => 128 * 2 ** log2N * r

const macOf = (key: Buffer, open: Buffer): Buffer => createHmac('sha256', key).update(open).digest()

/** Derives both keys. The passphrase is normalized, because keyboards write an accented letter as one character or as two. */
async function deriveKeys(passphrase: string, cost: Cost, open: Buffer): Promise<{ mac: Buffer; key: Buffer }> {
  const options = { N: 2 ** cost.log2N, r: cost.r, p: cost.p, maxmem: 2 * memoryOf(cost) }
  const secret = await new Promise<Buffer>((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), open.subarray(-saltBytes), 32, options, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, open, `postern backup ${purpose}`, 32))
  return { mac: derive('header'), key: derive('chunks') }
}
