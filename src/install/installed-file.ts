// The files that an install writes. Writing one is a step that can be undone. A record has the hash of each file, so that an
// uninstall removes only unchanged files.

import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { replaceFile } from '../base/durable.ts'
import { unlessMissing } from '../base/missing.ts'
import { paths, type Places } from './places.ts'
import type { Step } from './step.ts'

/** A file to write, by its path on the machine. */
export interface InstalledFile {
  readonly path: string
  readonly text: string
  readonly mode: number
  /** True to leave an existing file unchanged. */
  readonly keep?: boolean
}

/** A written file, with the SHA-256 of its text in hex. */
export interface WrittenFile {
  readonly path: string
  readonly sha256: string
}

const writtenFile = ({ path, text }: InstalledFile): WrittenFile => ({ path, sha256: hashOf(text) })

/** The files that installs have written; empty if nothing is installed. */
export async function readRecord(places: Places): Promise<readonly WrittenFile[]> {
  const text = await unlessMissing(readFile(places.at(paths.record), 'utf8'))
  return text === undefined ? [] : (JSON.parse(text) as { files: readonly WrittenFile[] }).files
}

/** The record of written files, with those of earlier installs. A file that was left unchanged keeps its first entry. */
export function recordOf(earlier: readonly WrittenFile[], release: string, files: readonly InstalledFile[]): InstalledFile {
  const written = files.map((file) => (file.keep && earlier.find(({ path }) => path === file.path)) || writtenFile(file))
  const others = earlier.filter(({ path }) => !files.some((file) => file.path === path))
  const text = `${JSON.stringify({ release, files: [...written, ...others] }, null, 2)}\n`
  return { path: paths.record, text, mode: 0o644 }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The suffix of the copy of a file that someone had changed. */
export const oldSuffix = '.postern-old'

/** The known facts about existing files. */
export interface Earlier {
  readonly record: readonly WrittenFile[]
  /** Collects the paths of files that someone had changed. A copy of the old text is next to each. */
  readonly replaced: string[]
}

/** The step that writes a file. Missing folders are created with mode 755. */
export function writeStep(places: Places, { path, text, mode, keep }: InstalledFile, { record, replaced }: Earlier): Step {
  const target = places.at(path)
  const draft = `${target}.postern-new`
  const ours = [hashOf(text), record.find((file) => file.path === path)?.sha256]
  let before: { readonly text: string; readonly mode: number } | undefined
  let begun = false
  return {
    what: `Writes ${path}${keep ? ', unless it is there' : ''}`,
    async run() {
      before = await readBefore(target)
      if (keep && before) return
      begun = true
      await mkdir(dirname(target), { recursive: true, mode: 0o755 })
      if (before && !ours.includes(hashOf(before.text))) {
        await replaceFile(target + oldSuffix, before.text, { mode: before.mode, draft })
        replaced.push(path)
      }
      await replaceFile(target, text, { mode, draft })
    },
    undo: {
      what: `Restores ${path}`,
      async run() {
        if (!begun) return
        if (before) await replaceFile(target, before.text, { mode: before.mode, draft })
        else await rm(target, { force: true })
      },
    },
  }
}

async function readBefore(target: string): Promise<{ text: string; mode: number } | undefined> {
  const found = await unlessMissing(stat(target))
  return found && { text: await readFile(target, 'utf8'), mode: found.mode & 0o777 }
}

/** Removes a file unless it was changed after the install. @returns true if the file no longer exists */
export async function removeWritten(places: Places, { path, sha256 }: WrittenFile): Promise<boolean> {
  const text = await unlessMissing(readFile(places.at(path), 'utf8'))
  if (text !== undefined && hashOf(text) !== sha256) return false
  await rm(places.at(path), { force: true })
  return true
}
