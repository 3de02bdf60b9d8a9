// The files of a folder that an export wrote and somebody may have changed since, next to what the site would export now. What both
// have alike needs no call.

import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { Failure } from '../base/failure.ts'
import { hashFile } from '../base/hash-file.ts'
import { unlessMissing } from '../base/missing.ts'
import { isBinary } from '../themes/theme-path.ts'
import { contentBytes, type ExportFile, type ExportFiles } from './export-file.ts'
import { listName } from './folder.ts'
import { markName } from '../base/export-mark.ts'

/** A file on one of the two sides. Texts are read; of media only the digest. */
export interface ComparedFile {
  readonly path: string
  readonly text: string | undefined
  readonly digest: string
}

export type ComparedFiles = ReadonlyMap<string, ComparedFile>

const maxTextBytes = 8 * 1024 ** 2
/** The most bytes of a table, such as that of 100,000 old addresses. */
const maxTableBytes = 64 * 1024 ** 2

const isText = (path: string): boolean =>
  !path.startsWith('media/') && !(path.startsWith('themes/') && isBinary(path.split('/').slice(2).join('/')))

/** Reads the files of a folder. Symbolic links and names that begin with a dot are passed over. @throws Failure `not_found` */
export async function readFolderFiles(folder: string): Promise<ComparedFiles> {
  const root = resolve(folder)
  if (!(await unlessMissing(stat(join(root, markName)))))
    throw new Failure('not_found', `${root} is no export of a site: it has no ${markName}.`, {
      hint: `postern export ${folder} makes such a folder.`,
    })
  const files = new Map<string, ComparedFile>()
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')
    if (!entry.isFile() || path === listName || path.split('/').some((part) => part.startsWith('.'))) continue
    files.set(path, await readOne(root, path))
  }
  return files
}

async function readOne(root: string, path: string): Promise<ComparedFile> {
  const full = join(root, path)
  if (!isText(path)) return { path, text: undefined, digest: await hashFile(full) }
  const limit = path.endsWith('.csv') ? maxTableBytes : maxTextBytes
  if ((await stat(full)).size > limit)
    throw new Failure('too_large', `${path} is larger than ${limit / 1024 ** 2} MiB.`, { limit })
  const bytes = await readFile(full)
  return { path, text: bytes.toString('utf8'), digest: digestOf(bytes) }
}

/** Reads what the site would export now. */
export async function readPresentFiles(exported: ExportFiles): Promise<ComparedFiles> {
  const files = new Map<string, ComparedFile>()
  for await (const { path, content } of exported) files.set(path, await presentFile(path, content))
  return files
}

async function presentFile(path: string, content: ExportFile['content']): Promise<ComparedFile> {
  if ('from' in content) return { path, text: undefined, digest: await hashFile(content.from) }
  const bytes = Buffer.from(await contentBytes(content))
  return { path, text: isText(path) ? bytes.toString('utf8') : undefined, digest: digestOf(bytes) }
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
