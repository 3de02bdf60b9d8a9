// Counts the recent failures of each plugin, for display and for the quarantine. A site's processes share one file for this.

import { appendFileSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { isMissing } from '../base/missing.ts'
import type { PluginError } from './keeper.ts'

const allowed = 3
const withinMs = 10 * 60_000
const maxShown = 10
/** The largest file, in bytes. A larger file is emptied. */
const maxBytes = 1024 ** 2

export interface Strikes {
  /** @returns true if this was the third failure in ten minutes */
  add(id: string, error: PluginError): boolean
  /** The last failures, newest first. */
  of(id: string): readonly PluginError[]
  /** Resets the count of a plugin. Its last failures are still shown. */
  forgive(id: string): void
}

/** An event of a plugin: a failure, or a reset of its count. */
type Mark = { readonly id: string; readonly error: PluginError } | { readonly id: string; readonly forgiven: true }

/** The store of the marks of all plugins, oldest first. */
interface Marks {
  add(mark: Mark): void
  list(id: string): readonly Mark[]
}

/** @param folder that the processes of the site share. A site's only process has none and counts in memory until its restart */
export function createStrikes(folder?: string): Strikes {
  const marks = folder === undefined ? marksInMemory() : marksInFile(join(folder, 'plugin-failures'))
  return {
    add(id, error) {
      marks.add({ id, error })
      const all = marks.list(id)
      const counted = failuresOf(all.slice(all.findLastIndex((mark) => 'forgiven' in mark) + 1))
      return counted.filter(({ at }) => at > error.at - withinMs).length >= allowed
    },
    of: (id) => failuresOf(marks.list(id)).slice(-maxShown).reverse(),
    forgive: (id) => marks.add({ id, forgiven: true }),
  }
}

const failuresOf = (marks: readonly Mark[]): readonly PluginError[] =>
  marks.flatMap((mark) => ('error' in mark ? [mark.error] : []))

function marksInMemory(): Marks {
  const byPlugin = new Map<string, readonly Mark[]>()
  const list = (id: string) => byPlugin.get(id) ?? []
  // Failures that are no longer shown are not counted either, because three are enough.
  return { list, add: (mark) => void byPlugin.set(mark.id, [...list(mark.id), mark].slice(-2 * maxShown)) }
}

/** One line per mark. Lines are appended whole, so several processes can write at once. */
function marksInFile(path: string): Marks {
  return {
    add(mark) {
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) truncateSync(path)
      appendFileSync(path, `${JSON.stringify(mark)}\n`, { mode: 0o600 })
    },
    list: (id) => linesOf(path).filter((mark) => mark.id === id),
  }
}

function linesOf(path: string): readonly Mark[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n')
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Mark)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}
