// The package that a call brings: an upload, an address, bytes in the call, or from the command line a path on this machine.

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

/** 4 MB, as they are written in base64. */
const maxBase64Length = 5_600_000

const text = (description: string, maxLength: number) => Type.Optional(Type.String({ description, minLength: 1, maxLength }))

/** Properties of an input, to be spread into its `Type.Object`. */
export const packageProperties = {
  upload_id: text("The package, a zip: the id of a file that the admin's form has uploaded.", 26),
  url: text('Instead: the public address to fetch it from.', 2000),
  base64: text('Instead: its bytes in base64, at most 4 MB of them.', maxBase64Length),
  path: text('Instead, and only on the command line: a zip or a folder on this machine.', 4096),
  sha256: Type.Optional(
    Type.String({
      description: 'SHA-256 of the zip in hex digits; another zip is refused.',
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
 * Runs something with the package of a call. An upload is used up by it, but not by a dry run.
 * @throws Failure `invalid` unless it came in exactly one way; `unprocessable` where `sha256` says that another one was meant
 */
export async function withPackage<T>(context: Context, input: PackageInput, run: Run<T>): Promise<T> {
  const [way, ...more] = ways.filter((one) => input[one] !== undefined)
  if (way === undefined || more.length > 0) {
    const expected = `one of ${ways.join(', ')}`
    throw new Failure('invalid', `A package comes in one way: say ${expected}.`, { field: more[0] ?? 'base64', expected })
  }
  return open[way](context, input[way] ?? '', async (source) => {
    if (input.sha256 !== undefined) await holdHash(source, input.sha256)
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
  throw new Failure('invalid', '"base64" holds characters that base64 does not have.', {
    field: 'base64',
    expected: 'the bytes of a zip in base64',
  })
}

/** Whoever calls from elsewhere is told nothing about this machine's files. */
async function openPath({ caller }: Context, given: string): Promise<PackageSource> {
  if (caller.door !== 'cli')
    throw new Failure('refused', 'A path of this machine is taken from the command line only.', {
      field: 'path',
      rule: 'no door but the command line reads files of this machine',
      hint: 'Send the zip in `base64`, or name its `url`.',
    })
  const found = await stat(given).catch((error: unknown) => {
    throw new Failure(
      'not_found',
      `${given} can't be read: there is no such file or folder, or it may not be read.`,
      { id: given },
      { cause: error },
    )
  })
  return found.isDirectory() ? { folder: given } : { zipFile: given }
}

async function fetchZip({ site, dryRun }: Context, url: string): Promise<PackageSource> {
  if (dryRun)
    throw new Failure('refused', 'A dry run sends no request, so what is at that address is not known.', {
      field: 'url',
      rule: 'a dry run reaches nothing outside',
      hint: 'Give the zip itself in `base64`.',
    })
  const { status, body } = await site.outbound.fetch(url, { maxBytes: packageLimits.zipBytes.most, timeoutMs: 25_000 })
  if (status === 200) return { zip: body }
  throw new Failure('unreachable', `That address answered ${status} instead of a zip.`, { field: 'url' })
}

async function withUpload<T>({ site, now, dryRun }: Context, id: string, run: Run<T>): Promise<T> {
  const home = site.config.POSTERN_HOME
  const file = dryRun ? await findIncoming(home, id, now) : await takeIncoming(home, id, now)
  if (file === undefined) throw notFound('upload', id, 'An upload is good for one call within an hour: upload it again.')
  try {
    return await run({ zipFile: file })
  } finally {
    if (!dryRun) await rm(file, { force: true })
  }
}

async function holdHash(source: PackageSource, expected: string): Promise<void> {
  if ('folder' in source) throw new Failure('invalid', '"sha256" is of a zip, and this is a folder.', { field: 'sha256' })
  const hash = createHash('sha256')
  if ('zip' in source) hash.update(source.zip)
  else await pipeline(createReadStream(source.zipFile), hash)
  const found = hash.digest('hex')
  if (found === expected.toLowerCase()) return
  throw new Failure('unprocessable', `This is another zip than was meant: its SHA-256 is ${found}.`, {
    field: 'sha256',
    expected,
  })
}
