// A plugin's package, from a zip or a folder to `user-content/plugins/ID/HASH`: refused whole, or there whole. Says what is in it and
// who signed it; runs nothing of it, and knows nothing of what the site does with it.

import { constants, open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../failure.ts'
import { isPluginId, type Manifest, manifestName, readPluginManifest } from './manifest.ts'
import { createPackageReader, drain, hashEntries, hashOf, type PackageEntry } from './package-files.ts'
import { checkPackageLimit, packageDeadlineMs } from './package-limits.ts'
import { readFolder } from './read-folder.ts'
import { readZip } from './read-zip.ts'
import { signatureName, verifySignature } from './signature.ts'
import { makeStaging } from './staging.ts'

/** Where a package comes from: bytes, a file that holds them, or the folder that its author works in. */
export type PackageSource = { readonly zip: Uint8Array } | { readonly zipFile: string } | { readonly folder: string }

/** What is known of a package that was read whole. */
export interface CheckedPackage {
  readonly manifest: Manifest
  /** 16 hex digits: the name of its folder. */
  readonly hash: string
  /** Fingerprint of the key that signed it; null where nobody did. */
  readonly signer: string | null
  readonly files: number
  readonly bytes: number
}

/** A package that is unpacked beside the plugins, and not one of them yet. */
export interface Staged extends CheckedPackage {
  /** Moves it to its place, which is answered; fine when it is there already. */
  keep(): Promise<string>
  discard(): Promise<void>
}

/**
 * Unpacks a package into a staging directory; `keep` or `discard` must follow.
 * @throws Failure `unprocessable` for a package that can't be taken; `unavailable` when the staging directory could not be created
 */
export function stagePackage(
  pluginsFolder: string,
  source: PackageSource,
  signal: AbortSignal = AbortSignal.timeout(packageDeadlineMs),
): Promise<Staged> {
  return inTime(signal, async () => {
    const entries = await readSource(source, signal)
    const staging = await makeStaging(pluginsFolder)
    try {
      const checked = await check(entries, signal, (path, chunks) => staging.write(path, chunks))
      await staging.settle()
      const place = packageFolder(pluginsFolder, checked.manifest.id, checked.hash)
      return {
        ...checked,
        discard: () => staging.discard(),
        async keep() {
          if (await lies(place, checked.hash)) await staging.discard()
          else await staging.moveTo(place)
          return place
        },
      }
    } catch (error) {
      await staging.discard()
      throw error
    }
  })
}

/**
 * The same checks, with nothing written (ATTACKS 87).
 * @throws Failure `unprocessable` for a package that can't be taken
 */
export function checkPackage(
  source: PackageSource,
  signal: AbortSignal = AbortSignal.timeout(packageDeadlineMs),
): Promise<CheckedPackage> {
  return inTime(signal, async () => check(await readSource(source, signal), signal, (_path, chunks) => drain(chunks)))
}

/** The folder of an installed package. @throws Error when id or hash is none (ATTACKS 115) */
export function packageFolder(pluginsFolder: string, id: string, hash: string): string {
  if (!isPluginId(id) || !/^[0-9a-f]{16}$/.test(hash)) throw new Error(`No package is named ${JSON.stringify([id, hash])}.`)
  return join(pluginsFolder, id, hash)
}

/**
 * The hash of what lies in a folder now.
 * @throws Failure when that can't be a package: `not_found` where the folder is gone, else `unprocessable`
 */
export function hashFolder(folder: string): Promise<string> {
  const signal = AbortSignal.timeout(packageDeadlineMs)
  return inTime(signal, async () => hashOf(await hashEntries(await readFolder(folder, signal), signal)))
}

/** Whether a package lies there unchanged. */
async function lies(folder: string, hash: string): Promise<boolean> {
  try {
    return (await hashFolder(folder)) === hash
  } catch (error) {
    // Gone, or spoilt: then the new one takes its place.
    if (error instanceof Failure) return false
    throw error
  }
}

async function readSource(source: PackageSource, signal: AbortSignal): Promise<readonly PackageEntry[]> {
  if ('folder' in source) return readFolder(source.folder, signal)
  return readZip('zip' in source ? source.zip : await readZipFile(source.zipFile, signal), signal)
}

async function readZipFile(path: string, signal: AbortSignal): Promise<Uint8Array> {
  try {
    const found = await stat(path)
    if (!found.isFile()) throw new Failure('unprocessable', `${path} is no file: name a zip.`)
    checkPackageLimit('zipBytes', found.size)
    // A pipe that took its place is not waited for.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      return await readFile(file, { signal })
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof Failure || signal.aborted) throw error
    const code = String((error as { code?: unknown }).code)
    if (code === 'ENOENT') throw new Failure('not_found', `There is no ${path}.`, { id: path }, { cause: error })
    throw new Failure('unprocessable', `${path} can not be read (${code}).`, {}, { cause: error })
  }
}

async function check(
  entries: readonly PackageEntry[],
  signal: AbortSignal,
  write: (path: string, chunks: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<CheckedPackage> {
  if (!entries.some(({ path }) => path === manifestName))
    throw new Failure(
      'unprocessable',
      `The package has no ${manifestName}: it must lie at the top, or in the one folder that holds everything.`,
    )
  const reader = createPackageReader(signal, { [manifestName]: 'manifestBytes', [signatureName]: 'signatureBytes' })
  for (const entry of entries) await write(entry.path, reader.pass(entry))
  const manifest = readPluginManifest(reader.textOf(manifestName) ?? '')
  if (!entries.some(({ path }) => path === manifest.main)) {
    const expected = 'a file of the package'
    throw new Failure('unprocessable', `${manifestName}: "main" must be ${expected}, and there is no ${manifest.main}.`, {
      field: 'main',
      expected,
    })
  }
  const signer = verifySignature(reader.files, reader.textOf(signatureName))
  return { manifest, hash: hashOf(reader.files), signer, files: reader.files.length, bytes: reader.bytes }
}

/** Puts the end of the time into words. */
async function inTime<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!signal.aborted || error instanceof Failure) throw error
    throw new Failure(
      'unprocessable',
      `The package could not be read within ${packageDeadlineMs / 1000} seconds.`,
      {},
      { cause: error },
    )
  }
}
