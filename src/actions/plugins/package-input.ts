// The package of a call: an upload, a URL, base64 in the call, or (on the command line) a path on this machine.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Type } from 'typebox'
import { Failure } from '../../base/failure.ts'
import { packageLimits } from '../../plugins/package-limits.ts'
import { pluginsFolderOf } from '../../plugins/plugin-store.ts'
import type { PackageSource } from '../../plugins/stage-package.ts'
import { newId } from '../../store/core/ids.ts'
import type { Context } from '../call/action.ts'
import { fileProperties, type FileInput, wayOf, withFile } from '../shared/file-input.ts'
import { nonEmptyText, sha256Argument } from '../../base/schema.ts'

/** The properties of an input, to be spread into its `Type.Object`. */
export const packageProperties = {
  ...fileProperties('The package, a zip'),
  path: Type.Optional(nonEmptyText('Instead, and only on the command line: a zip or a folder on this machine.', 4096)),
  sha256: sha256Argument('zip'),
}

export interface PackageInput extends Omit<FileInput, 'text'> {
  readonly sha256?: string
}

type Run<T> = (source: PackageSource) => Promise<T>

/**
 * Runs a function with the package of a call. This uses up an upload, except in a dry run.
 * @throws Failure `invalid` unless the input gives the package in exactly one way; `unprocessable` if the SHA-256 differs
 */
export async function withPackage<T>(context: Context, input: PackageInput, run: Run<T>): Promise<T> {
  const checked: Run<T> = async (source) => {
    if (input.sha256 !== undefined) await checkHash(source, input.sha256)
    return run(source)
  }
  const way = wayOf(input, ['upload_id', 'url', 'base64', 'path'])
  if (way === 'path') return checked(await openPath(context, input.path ?? ''))
  const draft = async () => join(pluginsFolderOf(context.site.config.POSTERN_HOME), `.staging-${newId(context.now)}`)
  const taking = { maxBytes: packageLimits.zipBytes.most, draft }
  return withFile(context, input, way, taking, (source) =>
    checked('bytes' in source ? { zip: source.bytes } : { zipFile: source.file }),
  )
}

/** Callers through other doors must learn nothing about the files of this machine. */
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
