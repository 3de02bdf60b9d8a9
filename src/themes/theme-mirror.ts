// Keeps the files of the owner's themes in the database and in `user-content/themes/` the same. Commits are written to files. Edits of files are
// found here, and the actions layer makes them changes like any other. The database is authoritative.

import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { RowChange } from '../store/change.ts'
import type { Store } from '../store/database.ts'
import type { ThemeFileRow } from '../store/schema.ts'
import { bytesOf } from './theme.ts'
import { type FoundThemeFile, openThemeFolder, type ThemeFolder } from './theme-folder.ts'

/** An edit of a file. `text` is undefined when the file was deleted. */
export interface ThemeFileEdit {
  readonly theme: string
  readonly path: string
  readonly text: string | undefined
}

export interface ThemeMirror {
  /** Writes the files that a commit of this process changed. Errors go to the log. */
  applied(records: readonly RowChange[]): Promise<void>
  /**
   * The edits since the last look; undefined if that was less than a second ago.
   * @param always looks in any case: before a write, which would overwrite an edit
   */
  look(always: boolean): Promise<readonly ThemeFileEdit[]> | undefined
  /** Says that an edit could not be applied. It is tried again when the file changes again. */
  refused(edit: ThemeFileEdit, why: unknown): void
}

const lookMs = 1000
/** A file that changed a moment ago may have been written by another process, for a row that changed again since. */
const quietMs = 300

interface Parts {
  readonly store: Store
  readonly folder: ThemeFolder
  readonly clock: Clock
  readonly log: Log
  /** Signatures by the id of the file: of files that agree with their rows, are being applied, or were refused. */
  readonly seen: Map<string, string>
}

/** Opens the mirror over `user-content/themes/` of a home. Nothing is read before the first look. */
export function openThemeMirror(store: Store, home: string, clock: Clock, log: Log): ThemeMirror {
  const parts: Parts = { store, folder: openThemeFolder(join(home, 'user-content', 'themes')), clock, log, seen: new Map() }
  let queue: Promise<unknown> = Promise.resolve()
  /** Runs one at a time: otherwise a look could take a file that is being written for an edit. */
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const turn = queue.then(run)
    queue = turn.catch(() => undefined)
    return turn
  }
  let lookedAt: number | undefined
  return {
    async applied(records) {
      const ids = new Set(records.filter(({ kind }) => kind === 'theme_file').map(({ id }) => id))
      await inTurn(async () => {
        for (const id of ids) await writeOut(parts, id)
      })
    },
    look(always) {
      const now = clock.now()
      if (!always && lookedAt !== undefined && Math.abs(now - lookedAt) < lookMs) return undefined
      const isFirst = lookedAt === undefined
      lookedAt = now
      return inTurn(() => findEdits(parts, isFirst))
    },
    refused({ theme, path }, why) {
      log.warn('theme file not taken over', { theme, path, failure: why })
    },
  }
}

const idOf = ({ theme, path }: { readonly theme: string; readonly path: string }): string => `${theme}/${path}`

/** Makes a file agree with its row. It reads the row again afterwards, since another process may have changed it meanwhile. */
async function writeOut(parts: Parts, id: string): Promise<void> {
  const { store, folder, seen, log } = parts
  const slash = id.indexOf('/')
  const theme = id.slice(0, slash)
  const path = id.slice(slash + 1)
  const find = (): Promise<ThemeFileRow | undefined> =>
    store.read.selectFrom('theme_file').selectAll().where('id', '=', id).executeTakeFirst()
  try {
    let row = await find()
    for (let turn = 0; turn < 3; turn++) {
      if (!row) await folder.remove(theme, path)
      else if ((await folder.read(theme, path)) !== row.text) await folder.write(theme, path, bytesOf(path, row.text))
      const before = row
      row = await find()
      if (row?.revision === before?.revision) break
    }
    const file = await folder.find(theme, path)
    if (file) seen.set(id, file.signature)
    else seen.delete(id)
  } catch (error) {
    log.error('theme file not written', { theme, path, error })
  }
}

async function findEdits(parts: Parts, isFirst: boolean): Promise<readonly ThemeFileEdit[]> {
  const { store, folder, seen, log, clock } = parts
  try {
    const themes = (await store.read.selectFrom('theme_file').select('theme').distinct().execute()).map(({ theme }) => theme)
    const files = (await Promise.all(themes.map((theme) => folder.list(theme)))).flat()
    const there = new Set(files.map(idOf))
    const fresh = files.filter((file) => seen.get(idOf(file)) !== file.signature)
    const gone = [...seen.keys()].filter((id) => !there.has(id))
    if (fresh.length === 0 && gone.length === 0 && !isFirst) return []
    const rows = new Map((await store.read.selectFrom('theme_file').selectAll().execute()).map((row) => [row.id, row]))
    const edits: ThemeFileEdit[] = []
    for (const file of fresh) {
      const edit = await editOf(parts, file, rows)
      if (edit) edits.push(edit)
    }
    for (const id of gone) {
      const row = rows.get(id)
      // The row was written a moment ago, so its file may not be written yet.
      if (row && clock.now() - row.updated_at < quietMs) continue
      seen.delete(id)
      if (row) edits.push({ theme: row.theme, path: row.path, text: undefined })
    }
    // A missing file that was never seen is not a deletion: the home may come from a backup.
    if (isFirst) for (const id of rows.keys()) if (!there.has(id)) await writeOut(parts, id)
    return edits
  } catch (error) {
    log.error('theme files not read', { error })
    return []
  }
}

async function editOf(
  parts: Parts,
  file: FoundThemeFile,
  rows: ReadonlyMap<string, ThemeFileRow>,
): Promise<ThemeFileEdit | undefined> {
  const { folder, seen, clock } = parts
  const { theme, path, signature, changedAt } = file
  const text = await folder.read(theme, path)
  const row = rows.get(idOf(file))
  if (text === undefined || row?.text === text) {
    seen.set(idOf(file), signature)
    return undefined
  }
  if (Math.abs(clock.now() - changedAt) < quietMs) return undefined
  if (row && changedAt < row.updated_at) {
    // The row is newer: a process ended after its commit and before it wrote the file.
    await writeOut(parts, row.id)
    return undefined
  }
  seen.set(idOf(file), signature)
  return { theme, path, text }
}
