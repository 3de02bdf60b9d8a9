// Signs packages and verifies signatures. `signature.json` contains an Ed25519 key and its signature of the list of all other
// files. It proves that a package is unchanged and has the same author as another. The owner decides about trust.

import { createHash, randomBytes } from 'node:crypto'
import { open, readFile, stat } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import nacl from 'tweetnacl'
import { replaceFile } from '../base/durable.ts'
import { Failure } from '../base/failure.ts'
import { hashEntries, listOf, type PackageFile } from './package-files.ts'
import { packageDeadlineMs } from './package-limits.ts'
import { readFolder } from './read-folder.ts'

const { sign } = nacl

/** The name of the signature file, which isn't in the list that it signs. */
export const signatureName = 'signature.json'

/** Put before the signed list, so that the signature isn't valid for anything else. */
const purpose = 'postern plugin package, version 1\n'
const fingerprintDigits = 32

/**
 * Returns the signer of a package.
 * @param text `signature.json`; undefined if the package has none
 * @returns fingerprint of the key; null if the package isn't signed
 * @throws Failure `unprocessable` if the signature isn't valid for exactly these files (attack 115)
 */
export function verifySignature(files: readonly PackageFile[], text: string | undefined): string | null {
  if (text === undefined) return null
  const parsed = parseSignature(text)
  if (!parsed)
    throw new Failure(
      'unprocessable',
      `${signatureName} must hold {"key": …, "signature": …}, an Ed25519 key and its signature in base64.`,
      {
        field: signatureName,
        expected: '{"key", "signature"}',
      },
    )
  if (sign.detached.verify(signedBytes(files), parsed.signature, parsed.key)) return fingerprintOf(parsed.key)
  const sentence =
    'The package was changed after it was signed, or the signature is of another one. Get it again from its author.'
  throw new Failure('unprocessable', sentence, { field: signatureName, expected: 'a signature of these files' })
}

/**
 * Signs the package in a folder: writes its `signature.json`, replacing an older one.
 * @param keyFile created with mode 600 if it doesn't exist; it must be outside the folder
 * @returns the key's fingerprint, which is also shown when the package is installed
 * @throws Failure `unprocessable` for a folder that is no package, `refused` for a key that other users can read
 */
export async function signFolder(folder: string, keyFile: string): Promise<{ readonly signer: string; readonly files: number }> {
  if (resolve(keyFile).startsWith(`${resolve(folder)}${sep}`))
    throw new Failure(
      'refused',
      `The key ${keyFile} must lie outside of ${folder}: everyone who gets the plugin gets the files in there.`,
    )
  const signal = AbortSignal.timeout(packageDeadlineMs)
  const files = (await hashEntries(await readFolder(folder, signal), signal)).filter(({ path }) => path !== signatureName)
  const pair = sign.keyPair.fromSeed((await findSeed(keyFile)) ?? (await makeSeed(keyFile)))
  const signature = sign.detached(signedBytes(files), pair.secretKey)
  await writeSignature(
    join(folder, signatureName),
    `${JSON.stringify({ key: base64(pair.publicKey), signature: base64(signature) }, null, 2)}\n`,
  )
  return { signer: fingerprintOf(pair.publicKey), files: files.length }
}

function signedBytes(files: readonly PackageFile[]): Uint8Array {
  return Buffer.from(purpose + listOf(files.filter(({ path }) => path !== signatureName)))
}

function fingerprintOf(key: Uint8Array): string {
  return createHash('sha256').update(key).digest('hex').slice(0, fingerprintDigits)
}

function parseSignature(text: string): { readonly key: Uint8Array; readonly signature: Uint8Array } | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { key, signature } = value as { readonly key?: unknown; readonly signature?: unknown }
  const [keyBytes, signatureBytes] = [bytesOf(key, sign.publicKeyLength), bytesOf(signature, sign.signatureLength)]
  return keyBytes && signatureBytes && { key: keyBytes, signature: signatureBytes }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** Decodes base64 of exactly this many bytes; undefined for any spelling but the canonical one. */
function bytesOf(text: unknown, length: number): Uint8Array | undefined {
  if (typeof text !== 'string') return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === length && base64(bytes) === text ? bytes : undefined
}

async function findSeed(keyFile: string): Promise<Uint8Array | undefined> {
  let text: string
  try {
    const { mode } = await stat(keyFile)
    if ((mode & 0o077) !== 0)
      throw new Failure(
        'refused',
        `The key ${keyFile} has mode ${(mode & 0o777).toString(8)}, so others may read it: chmod 600 ${keyFile}`,
      )
    text = await readFile(keyFile, 'utf8')
  } catch (error) {
    if (error instanceof Failure) throw error
    const code = String((error as { code?: unknown }).code)
    if (code === 'ENOENT') return undefined
    throw new Failure('refused', `The key ${keyFile} can not be read (${code}).`, {}, { cause: error })
  }
  const seed = bytesOf(text.trim(), sign.seedLength)
  if (seed) return seed
  throw new Failure(
    'refused',
    `${keyFile} holds no key: it must be ${sign.seedLength} bytes in base64. To create a new key, name a file that doesn't exist.`,
  )
}

async function makeSeed(keyFile: string): Promise<Uint8Array> {
  const seed = randomBytes(sign.seedLength)
  try {
    const file = await open(keyFile, 'wx', 0o600)
    try {
      await file.writeFile(`${base64(seed)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    const code = String((error as { code?: unknown }).code)
    throw new Failure('refused', `The key ${keyFile} can not be made (${code}).`, {}, { cause: error })
  }
  return seed
}

async function writeSignature(path: string, text: string): Promise<void> {
  try {
    await replaceFile(path, text, { mode: 0o644 })
  } catch (error) {
    const code = String((error as { code?: unknown }).code)
    throw new Failure('refused', `${path} can not be written (${code}).`, {}, { cause: error })
  }
}
