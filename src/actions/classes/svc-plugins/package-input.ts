// The package of a call: an upload, a URL, base64 in the call, or (on the command line) a path on this machine.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { Type } from 'typebox'
import { Failure, notFound } from '../../../failure.ts'
import { findIncoming, takeIncoming } from '../../../media/incoming.ts'
import { packageLimits } from '../../../plugins/package-limits.ts'
import type { PackageSource } from '../../../plugins/stage-package.ts'
import type { Context } from '../../action.ts'

/** The length of 4 MB in base64. */
const maxBase64Length = 5_600_000

const text = (description: string, maxLength: number) => Type.Optional(Type.String({ description, minLength: 1, maxLength }))

/** Properties of an input, to be spread into its `Type.Object`. */
export const packageProperties = {
  upload_id: text('The package, a zip: id of a file that was uploaded in the admin.', 26),
  url: text('Instead: the public URL of the zip.', 2000),
  base64: text('Instead: the zip in base64, at most 4 MB.', maxBase64Length),
  path: text('Instead, and only on the command line: a zip or a folder on this machine.', 4096),
  sha256: Type.Optional(
    Type.String({
      description: 'SHA-256 that the zip must have, in hex.',
      pattern: '^[0-9a-fA-F]{64}$',
      maxLength: 64,
      title: '64 hex digits',
    }),
  ),
}

export interface PackageInput {
  readonly upload_id?: string
  readonly url?: string
  readonly base64?: string
  readonly path?: string
  readonly sha256?: string
}

const ways = ['upload_id', 'url', 'base64', 'path'] as const

type Run<T> = (source: PackageSource) => Promise<T>

/**
 * Runs something with the package of a call. An upload is used up by this, except in a dry run.
 * @throws Failure `invalid` unless the input gives the package in exactly one way; `unprocessable` if the SHA-256 differs
 */
export async function withPackage<T>(context: Context, input: PackageInput, run: Run<T>): Promise<T> {
  const [way, ...more] = ways.filter((one) => input[one] !== undefined)
  if (way === undefined || more.length > 0) {
    const expected = `one of ${ways.join(', ')}`
    throw new Failure('invalid', `Give the package in exactly one way: ${expected}.`, { field: more[0] ?? 'base64', expected })
  }
  return open[way](context, input[way] ?? '', async (source) => {
    if (input.sha256 !== undefined) await checkHash(source, input.sha256)
    return run(source)
  })
}

const open: Readonly<Record<(typeof ways)[number], <T>(context: Context, given: string, run: Run<T>) => Promise<T>>> = {
  base64: (_context, given, run) => run({ zip: decode(given) }),
  path: (context, given, run) => openPath(context, given).then(run),
  url: (context, given, run) => fetchZip(context, given).then(run),
  upload_id: withUpload,
}

function decode(given: string): Uint8Array {
  const compact = given.replace(/\s+/g, '')
  if (/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) return Buffer.from(compact, 'base64')
  throw new Failure('invalid', '"base64" has characters that are not base64.', {
    field: 'base64',
    expected: 'the bytes of a zip in base64',
  })
}

/** Callers through other doors learn nothing about the files of this machine. */
async function openPath({ caller }: Context, given: string): Promise<PackageSource> {
  if (caller.door !== 'cli')
    throw new Failure('refused', 'A path of this machine is accepted on the command line only.', {
      field: 'path',
      rule: 'only the command line reads files of this machine',
      hint: 'Send the zip in `base64`, or give its `url`.',
    })
  const found = await stat(given).catch((error: unknown) => {
    throw new Failure(
      'not_found',
      `${given} can't be read: there is no such file or folder, or the service has no permission.`,
      { id: given },
      { cause: error },
    )
  })
  return found.isDirectory() ? { folder: given } : { zipFile: given }
}

async function fetchZip({ site, dryRun }: Context, url: string): Promise<PackageSource> {
  if (dryRun)
    throw new Failure('refused', 'A dry run sends no requests, so it cannot fetch the package.', {
      field: 'url',
      rule: 'a dry run sends no requests',
      hint: 'Give the zip in `base64`.',
    })
  const { status, body } = await site.outbound.fetch(url, { maxBytes: packageLimits.zipBytes.most, timeoutMs: 25_000 })
  if (status === 200) return { zip: body }
  throw new Failure('unreachable', `The URL answered ${status} instead of a zip.`, { field: 'url' })
}

async function withUpload<T>({ site, now, dryRun }: Context, id: string, run: Run<T>): Promise<T> {
  const home = site.config.POSTERN_HOME
  const file = dryRun ? await findIncoming(home, id, now) : await takeIncoming(home, id, now)
  if (file === undefined) throw notFound('upload', id, 'An upload works for one call within an hour. Upload the file again.')
  try {
    return await run({ zipFile: file })
  } finally {
    if (!dryRun) await rm(file, { force: true })
  }
}

async function checkHash(source: PackageSource, expected: string): Promise<void> {
  if ('folder' in source) throw new Failure('invalid', '"sha256" is for a zip, and this is a folder.', { field: 'sha256' })
  const hash = createHash('sha256')
  if ('zip' in source) hash.update(source.zip)
  else await pipeline(createReadStream(source.zipFile), hash)
  const found = hash.digest('hex')
  if (found === expected.toLowerCase()) return
  throw new Failure('unprocessable', `This is not the expected zip: its SHA-256 is ${found}.`, {
    field: 'sha256',
    expected,
  })
}
