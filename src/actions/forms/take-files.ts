// The files of a form that a visitor sent, from where they arrived to the folder of their submission. Their kind is that of their
// bytes, and their names are reduced as those of the media library.

import { stat } from 'node:fs/promises'
import type { FormFilesFault } from '../../forms/form-fields.ts'
import { type FormFile, placeFiles, removeFiles } from '../../forms/form-files.ts'
import { fieldsOf } from '../../forms/form-store.ts'
import { reduceFileName } from '../../media/file-name.ts'
import { findIncoming, type Incoming } from '../../media/incoming.ts'
import { findKind } from '../../media/inspect-file.ts'
import { isTakenFromVisitors } from '../../media/taken-kinds.ts'
import { newId } from '../../store/core/ids.ts'
import type { VisitorFormRow } from '../../store/core/schema.ts'

/** A file as it came. */
export interface FormUpload extends Incoming {
  readonly field: string
  readonly filename: string
}

/** The files that came with a form. They lie in the folder of the submission with this id, which may not be stored yet. */
export interface TakenFiles {
  readonly id: string | undefined
  readonly files: readonly FormFile[]
  readonly hashes: readonly string[]
  /** The faults by the names of the fields, and the name of the file that has one. */
  readonly faults: Readonly<Record<string, FormFilesFault>>
  readonly refused?: string
}

export const noFiles: TakenFiles = { id: undefined, files: [], hashes: [], faults: {} }

/** The names of the files of a field, one on each line. They are the value of the field. */
export const namesIn = ({ files }: TakenFiles, field: string): string =>
  files.flatMap((file) => (file.field === field ? [file.name] : [])).join('\n')

/**
 * Takes files for a form. The caller removes them with `leaveFiles`, unless their submission was stored.
 * @throws Error if the disk refuses a file
 */
export async function takeFiles(
  home: string,
  form: VisitorFormRow,
  arrived: readonly FormUpload[],
  now: number,
): Promise<TakenFiles> {
  const isAsked = ({ field }: FormUpload) => fieldsOf(form).some(({ name, kind }) => kind === 'files' && name === field)
  const files: FormFile[] = []
  const paths: string[] = []
  const hashes: string[] = []
  for (const file of arrived.filter(isAsked)) {
    const path = await findIncoming(home, file.id, now)
    if (path === undefined) continue
    const { size } = await stat(path)
    const kind = await findKind(path, size)
    if (!isTakenFromVisitors(kind)) return { ...noFiles, faults: { [file.field]: 'form_files_kind' }, refused: file.filename }
    files.push({ field: file.field, name: reduceFileName(file.filename, kind), kind, bytes: size })
    paths.push(path)
    hashes.push(file.sha256)
  }
  if (files.length === 0) return noFiles
  const id = newId(now)
  try {
    await placeFiles(home, id, paths)
  } catch (error) {
    await removeFiles(home, [id])
    throw error
  }
  return { id, files, hashes, faults: {} }
}

/** Removes files whose submission was not stored. */
export async function leaveFiles(home: string, { id }: TakenFiles): Promise<void> {
  if (id !== undefined) await removeFiles(home, [id])
}
