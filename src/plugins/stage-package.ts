// Unpacks a plugin's package from a zip or a folder into `user-content/plugins/ID/HASH`, completely or not at all. It reports the
// contents and the signer, and runs no code of the package.

import { constants, open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../base/failure.ts'
import { isPluginId, type Manifest, manifestName, readPluginManifest } from './manifest.ts'
import { createPackageReader, drain, hashEntries, hashOf, type PackageEntry } from './package-files.ts'
import { checkPackageLimit, packageDeadlineMs } from './package-limits.ts'
import { readFolder } from './read-folder.ts'
import { readZip } from './read-zip.ts'
import { signatureName, verifySignature } from './signature.ts'
import { makeStaging } from './staging.ts'

/** The source of a package: the bytes of a zip, a zip file, or the folder in which its author works. */
export type PackageSource = { readonly zip: Uint8Array } | { readonly zipFile: string } | { readonly folder: string }

/** The facts about a package that was read to its end. */
export interface CheckedPackage {
  readonly manifest: Manifest
  /** 16 hex digits: the name of its folder. */
  readonly hash: string
  /** Fingerprint of the key that signed the package; null if it isn't signed. */
  readonly signer: string | null
  readonly files: number
  readonly bytes: number
}

/** A package that is unpacked into a staging directory and not installed yet. */
export interface Staged extends CheckedPackage {
  /** Moves the package to its own folder, or discards it if the same package is there already. @returns the folder */
  keep(): Promise<string>
  discard(): Promise<void>
}

/**
 * Unpacks a package into a staging directory; `keep` or `discard` must follow.
 * @throws Failure `unprocessable` for an invalid package; `unavailable` if the staging directory can't be created
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
          if (await isInstalled(place, checked.hash)) await staging.discard()
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
 * Makes the same checks as `stagePackage` and writes nothing (attack 87).
 * @throws Failure `unprocessable` for an invalid package
 */
export function checkPackage(
  source: PackageSource,
  signal: AbortSignal = AbortSignal.timeout(packageDeadlineMs),
): Promise<CheckedPackage> {
  return inTime(signal, async () => check(await readSource(source, signal), signal, (_path, chunks) => drain(chunks)))
}

/** The folder of an installed package. @throws Error if the id or the hash is invalid (attack 115) */
export function packageFolder(pluginsFolder: string, id: string, hash: string): string {
  if (!isPluginId(id) || !/^[0-9a-f]{16}$/.test(hash)) throw new Error(`No package is named ${JSON.stringify([id, hash])}.`)
  return join(pluginsFolder, id, hash)
}

/**
 * Computes the hash of the files that a folder contains now.
 * @throws Failure `not_found` if the folder doesn't exist; `unprocessable` if its files can't be a package
 */
export function hashFolder(folder: string): Promise<string> {
  const signal = AbortSignal.timeout(packageDeadlineMs)
  return inTime(signal, async () => hashOf(await hashEntries(await readFolder(folder, signal), signal)))
}

/** True if the folder contains this package, unchanged. */
async function isInstalled(folder: string, hash: string): Promise<boolean> {
  try {
    return (await hashFolder(folder)) === hash
  } catch (error) {
    // The folder doesn't exist or was changed, so the new package replaces it.
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
    const stats = await stat(path)
    if (!stats.isFile()) throw new Failure('unprocessable', `${path} is no file: name a zip.`)
    checkPackageLimit('zipBytes', stats.size)
    // If the file was replaced by a pipe since `stat`, opening it must not wait.
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

/** Runs work, and throws an explaining Failure if the signal has ended the work. */
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
