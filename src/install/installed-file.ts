// A file that an install writes: as a step that can be taken back, with what was there before; and which of those that were written are still
// as they were, so that an uninstall takes away nobody else's work.

import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { replaceFile } from '../durable.ts'
import { unlessMissing } from '../missing.ts'
import { paths, type Places } from './places.ts'
import type { Step } from './step.ts'

/** A file as it is to be, by its place on the machine. */
export interface InstalledFile {
  readonly path: string
  readonly text: string
  readonly mode: number
  /** Is never written over. */
  readonly keep?: boolean
}

/** A file that was written, with the SHA-256 of what was written, in hex. */
export interface WrittenFile {
  readonly path: string
  readonly sha256: string
}

export const writtenFile = ({ path, text }: InstalledFile): WrittenFile => ({ path, sha256: hashOf(text) })

/** What installs have written; empty where there was none. */
export async function readRecord(places: Places): Promise<readonly WrittenFile[]> {
  const text = await unlessMissing(readFile(places.at(paths.record), 'utf8'))
  return text === undefined ? [] : (JSON.parse(text) as { files: readonly WrittenFile[] }).files
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Behind the name of a file that was somebody else's work, and had to make room. */
export const oldSuffix = '.postern-old'

/** What installs know of files that are there already. */
export interface Earlier {
  readonly record: readonly WrittenFile[]
  /** Gets the paths of those that somebody changed; what they were lies beside. */
  readonly replaced: string[]
}

/** The step that writes a file; its folders are made where they are missing, 755. */
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
      what: `Leaves ${path} as it was`,
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

/** Takes a file away unless it was changed since it was written. @returns whether it is gone */
export async function removeWritten(places: Places, { path, sha256 }: WrittenFile): Promise<boolean> {
  const text = await unlessMissing(readFile(places.at(path), 'utf8'))
  if (text !== undefined && hashOf(text) !== sha256) return false
  await rm(places.at(path), { force: true })
  return true
}
