// The start of a sealed backup: which form it has, how its keys are made of the passphrase, and whether a passphrase is the right one.
// `docs/backups.md` writes the format down. `archive-sink.ts` writes what follows the header, in the chunks of `sealed-chunk.ts`.

import { createHmac, hkdfSync, randomBytes, scrypt } from 'node:crypto'
import { Failure } from '../failure.ts'
import { sameSecret } from '../same-secret.ts'

/** How every sealed backup begins; the digit is the version of the format. */
const mark = Buffer.from('postern-sealed-1')
const saltBytes = 32
const macBytes = 32
/** Mark, cost of scrypt (log2 N, r, p, and a zero), salt. */
const openBytes = mark.length + 4 + saltBytes

/** Bytes of the whole header. */
export const headerBytes = openBytes + macBytes

/** Cost of making the keys: scrypt's N as a power of two, r and p. */
interface Cost {
  readonly log2N: number
  readonly r: number
  readonly p: number
}

/** 64 MiB and some 0.4 s. */
const usualCost: Cost = { log2N: 16, r: 8, p: 2 }
/** A header is a stranger's: it may not ask for more than 256 MiB, or for more rounds than this. */
const mostCost = { memory: 256 * 1024 ** 2, p: 8 }

/** A header, and the key of the chunks that follow it. */
export interface Sealing {
  readonly header: Buffer
  readonly key: Buffer
}

/** Whether bytes begin as a sealed backup does. */
export const isSealed = (start: Uint8Array): boolean => mark.equals(start.subarray(0, mark.length))

/** A new header with a salt of its own, so that no two backups have the same key. */
export async function createSealing(passphrase: string, cost: Cost = usualCost): Promise<Sealing> {
  const open = Buffer.concat([mark, Buffer.from([cost.log2N, cost.r, cost.p, 0]), randomBytes(saltBytes)])
  const { mac, key } = await deriveKeys(passphrase, cost, open)
  return { header: Buffer.concat([open, macOf(mac, open)]), key }
}

/**
 * Reads a header with the passphrase that is to open it.
 * @throws Failure `refused` for another passphrase, `unprocessable` for a header that is damaged or asks for too much
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

/** A refusal that another passphrase may mend. */
export const aboutPassphrase = (sentence: string): Failure =>
  new Failure('refused', sentence, {
    field: 'passphrase',
    rule: 'a sealed backup opens with the passphrase that sealed it',
    hint: 'Name it: --passphrase-file FILE on the command line, `passphrase` in SVC_Backup.verify.',
  })

/** Whether a failure says no more than that the passphrase is missing or another one. */
export const isAboutPassphrase = (error: unknown): boolean => error instanceof Failure && error.detail.field === 'passphrase'

/** A failure of a sealed backup that no passphrase mends. */
export const damaged = (what: string): Failure => new Failure('unprocessable', `This sealed backup is damaged: ${what}.`)

const memoryOf = ({ log2N, r }: Cost): number => 128 * 2 ** log2N * r

const macOf = (key: Buffer, open: Buffer): Buffer => createHmac('sha256', key).update(open).digest()

/** One keyboard writes an accent as one character, another as two: both are the same passphrase. */
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
