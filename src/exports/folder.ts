// An export into a folder. A second export into the same folder writes only what changed, and removes what the first one wrote and
// the site no longer has. Files that somebody else put there stay.

import { lstat, mkdir, readFile, realpath, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { copyWhole, replaceFile } from '../base/durable.ts'
import { Failure } from '../base/failure.ts'
import { hashFile, hashParts } from '../base/hash-file.ts'
import { unlessMissing } from '../base/missing.ts'
import { contentBytes, createNames, type ExportFile, type ExportFiles } from './export-file.ts'

/** The list of the files that an export wrote, in the folder. */
export const listName = '.postern-export'

export interface WrittenFolder {
  readonly written: readonly string[]
  readonly removed: readonly string[]
  readonly unchanged: number
}

/** Writes the files into a folder, which is made if there is none. @throws Failure `refused` for a path that is a symbolic link */
export async function writeFolder(folder: string, files: ExportFiles): Promise<WrittenFolder> {
  await mkdir(folder, { recursive: true })
  // Folders above the root may be links.
  const root = await realpath(folder)
  const before = await readList(root)
  const nameOf = createNames()
  const present = new Set<string>()
  const written: string[] = []
  const list = (names: Iterable<string>) =>
    replaceFile(join(root, listName), `${[...names].sort().join('\n')}\n`, { mode: 0o644 })
  try {
    for await (const file of files) {
      const name = nameOf(file.path)
      present.add(name)
      if (await writeChanged(root, name, file.content)) written.push(name)
    }
  } catch (error) {
    // The next export goes on from here, and removes what the site has no longer by then.
    await list(new Set([...before, ...present])).catch(() => undefined)
    throw error
  }
  const removed = before.filter((name) => !present.has(name))
  for (const name of removed) await remove(root, name)
  await list(present)
  return { written, removed, unchanged: present.size - written.length }
}

async function readList(root: string): Promise<readonly string[]> {
  const text = await unlessMissing(readFile(join(root, listName), 'utf8'))
  return (text ?? '').split('\n').filter((name) => name !== '' && isInside(root, name))
}

const isInside = (root: string, name: string): boolean => resolve(root, name).startsWith(root + sep)

/** Writes a file if its content is another. @returns true if it was written */
async function writeChanged(root: string, name: string, content: ExportFile['content']): Promise<boolean> {
  const path = join(root, name)
  await makeFolder(root, dirname(path))
  const there = await unlessMissing(lstat(path))
  if (there && !there.isFile()) throw notAFile(path)
  if ('from' in content) {
    if (there && (await isSameFile(path, there.size, content.from))) return false
    await copyWhole(content.from, path)
    return true
  }
  if ('open' in content) {
    if (there && (await hashFile(path)) === (await hashParts(content.open()))) return false
    await replaceFile(path, content.open(), { mode: 0o644 })
    return true
  }
  const bytes = Buffer.from(await contentBytes(content))
  if (there && there.size === bytes.length && bytes.equals(await readFile(path))) return false
  await replaceFile(path, bytes, { mode: 0o644 })
  return true
}

/** Compares two files. Most that differ do so by their size, which is known without reading them. */
async function isSameFile(path: string, bytes: number, other: string): Promise<boolean> {
  return bytes === (await stat(other)).size && (await hashFile(path)) === (await hashFile(other))
}

/** Makes the folders above a file. None of them may be a link that leads out of the export. */
async function makeFolder(root: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const real = await realpath(folder)
  if (real !== root && !real.startsWith(root + sep)) throw notAFile(folder)
}

const notAFile = (path: string): Failure =>
  new Failure('refused', `${path} is a link or a folder, so nothing is written there.`, {
    rule: 'an export writes plain files below its folder only',
    hint: 'Move it away, or export into another folder.',
  })

/** Removes a file, and the folders above it that are empty then. */
async function remove(root: string, name: string): Promise<void> {
  const path = join(root, name)
  const real = await unlessMissing(realpath(dirname(path)))
  if (real === undefined || !(real + sep).startsWith(root + sep)) return
  await rm(path, { force: true })
  for (let folder = dirname(path); folder !== root; folder = dirname(folder)) {
    try {
      await rmdir(folder)
    } catch {
      return
    }
  }
}
