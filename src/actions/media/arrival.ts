// The file of a call: received, cleaned and stored before the transaction, and removed if the call fails.

import { rm, writeFile } from 'node:fs/promises'
import { Failure } from '../../base/failure.ts'
import { explained, storedName } from '../../media/media-store.ts'
import { type InspectedFile, inspectFile } from '../../media/inspect-file.ts'
import { fileKeyOf } from '../../media/file-key.ts'
import type { Focus } from '../../media/picture-recipe.ts'
import type { MediaRow } from '../../store/core/schema.ts'
import type { Context } from '../call/action.ts'
import type { Services, SettingsServices } from '../call/services.ts'
import { removeUnused } from './unused-media.ts'
import { fileProperties, type FileInput, type FileSource, textProperty, wayOf, withFile } from '../shared/file-input.ts'

/** Properties of an input that takes a file. */
export const mediaFileProperties = { ...fileProperties('The file'), ...textProperty }

/** A file that is in the store. */
export interface ArrivedFile extends Omit<InspectedFile, 'path'> {
  readonly file: string
  /** True if this call stored it; false if it was there before. */
  readonly placed: boolean
}

/** The most bytes of a file that is not an image. */
export const maxFileBytes = ({ settings }: Pick<Services, 'settings'>): number => settings.values.max_file_mib * 1024 ** 2

/**
 * Reads the file of a call and, except in a dry run, stores it.
 * @throws Failure; then nothing of the file is left
 */
export async function arrive(context: Context, input: FileInput): Promise<ArrivedFile> {
  const { store } = context.site.media
  const way = wayOf(input, ['upload_id', 'url', 'base64', 'text']) as 'url'
  const taking = { maxBytes: maxFileBytes(context.site), draft: () => store.draft() }
  return withFile(context, input, way, taking, (source) => take(context, source))
}

async function take(context: Context, source: FileSource): Promise<ArrivedFile> {
  if ('file' in source) return keepArrived(context, source.file)
  const draft = await context.site.media.store.draft()
  try {
    await explained(draft, () => writeFile(draft, source.bytes, { flag: 'wx', mode: 0o600 }))
    return await keepArrived(context, draft)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Cleans and stores a file of this machine. @throws Failure; then nothing of the file is left */
export async function keepArrived({ site, signal, dryRun }: Context, path: string): Promise<ArrivedFile> {
  const { store, pictures } = site.media
  try {
    const { path: ready, ...found } = await explained(path, () => inspectFile(path, pictures, signal))
    const maxBytes = maxFileBytes(site)
    if (found.bytes > maxBytes)
      throw new Failure('too_large', `A file may have at most ${maxBytes / 1024 ** 2} MiB.`, { limit: maxBytes })
    const file = storedName(found.storedSha256, found.extension)
    const placed = !dryRun && (await store.put(ready, file))
    return { ...found, file, placed }
  } finally {
    await rm(`${path}.svg`, { force: true })
  }
}

/** Removes the file of a failed call, unless something uses it. */
export async function discardArrived(site: Services, { placed, file }: ArrivedFile): Promise<void> {
  if (placed) await removeUnused(site, { files: [file], keys: [] })
}

/** Checks that the file is still there: a failed call with the same bytes may have removed it. @throws Failure `conflict` */
export async function checkKept({ site, dryRun }: Context, { file }: ArrivedFile): Promise<void> {
  if (dryRun || (await site.media.store.has(file))) return
  throw new Failure('conflict', 'The same file was uploaded by another call, which failed. Send it again.')
}

/** Returns the columns that describe the bytes. */
export function columnsOf(site: SettingsServices, arrived: ArrivedFile, focus: Focus | null) {
  const { kind, bytes, sha256, file, width, height, placeholder } = arrived
  return { kind, bytes, sha256, file, width, height, placeholder, file_key: keyOf(site, { kind, file }, focus) }
}

/** Returns the key of a file: the first part of the names of its public variants. */
export function keyOf(
  { settings }: SettingsServices,
  { kind, file }: Pick<MediaRow, 'kind' | 'file'>,
  focus: Focus | null,
): string {
  return fileKeyOf({ kind, file }, focus, settings.values.image_format === 'avif')
}
