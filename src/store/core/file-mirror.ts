// Keeps rows equal to their files in a folder. A commit writes the files. This code finds edits of files, and
// `actions/shared/adopt-files.ts` applies them as normal changes. The database is authoritative; an invalid file is not touched.

import type { Stats } from 'node:fs'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { RowChange } from '../change/change.ts'
import type { Kind } from '../change/kinds.ts'

export interface FoundFile {
  /** Its path below the folder. */
  readonly name: string
  /** Changes with each change of the file. */
  readonly signature: string
  /** The last change of content, mode or name (ctime), in UTC milliseconds. No tool can set it to an earlier time. */
  readonly changedAt: number
}

export const foundFile = (name: string, { ino, size, mtimeMs, ctimeMs }: Stats): FoundFile => ({
  name,
  signature: `${ino} ${size} ${mtimeMs} ${ctimeMs}`,
  changedAt: ctimeMs,
})

/** The reason why a file can't be a row. */
export interface FileFault {
  readonly fault: string
}

interface MirroredRow {
  readonly revision: number
  readonly updated_at: number
}

/** A kind of rows with mirrored files. Names are those of files. */
export interface MirrorParts<File extends FoundFile, Row extends MirroredRow, Content> {
  readonly kind: Kind
  /** The word for the kind in the log. */
  readonly word: string
  /** Returns the file of an object of this kind. */
  nameOf(id: string): string
  findRow(name: string): Promise<Row | undefined>
  listRows(): Promise<ReadonlyMap<string, Row>>
  list(): Promise<readonly File[]>
  find(name: string): Promise<File | undefined>
  /** Undefined if the file is gone. */
  read(file: File): Promise<Content | FileFault | undefined>
  write(name: string, row: Row): Promise<void>
  remove(name: string): Promise<void>
  /** True if a file already agrees with its row, whatever its formatting. */
  isSame(content: Content, row: Row): boolean
  /** True if a refused edit is tried again at the next look, false if only when the file changes again. */
  readonly retries: boolean
  readonly clock: Clock
  readonly log: Log
}

/** An edit of a file. `content` is undefined if the file was deleted. */
export interface FileEdit<Content> {
  readonly name: string
  readonly content: Content | undefined
}

export interface FileMirror<Content> {
  /** Writes the files that a commit of this process changed. Errors go to the log. */
  applied(records: readonly RowChange[]): Promise<void>
  /**
   * Returns the edits since the last look; undefined if that was less than a second ago.
   * @param always looks in any case: before a write, which would overwrite an edit
   */
  look(always: boolean): Promise<readonly FileEdit<Content>[]> | undefined
  /** Reports that an edit could not be applied. */
  refused(edit: FileEdit<Content>, why: unknown): void
}

const lookMs = 1000
/** The age that a changed file must have. A younger one may be another process's write for a row that has changed again. */
const quietMs = 300

/** Reads nothing before the first look. */
export class Mirror<File extends FoundFile, Row extends MirroredRow, Content> implements FileMirror<Content> {
  readonly #parts: MirrorParts<File, Row, Content>
  /** Signatures by name: of files that agree with their rows, are being applied, were refused, or are invalid. */
  readonly #seen = new Map<string, string>()
  #queue: Promise<unknown> = Promise.resolve()
  #lookedAt: number | undefined

  constructor(parts: MirrorParts<File, Row, Content>) {
    this.#parts = parts
  }

  async applied(records: readonly RowChange[]): Promise<void> {
    const { kind, nameOf } = this.#parts
    const names = new Set(records.filter((record) => record.kind === kind).map(({ id }) => nameOf(id)))
    await this.#inTurn(async () => {
      for (const name of names) await this.#writeOut(name)
    })
  }

  look(always: boolean): Promise<readonly FileEdit<Content>[]> | undefined {
    const now = this.#parts.clock.now()
    const isFirst = this.#lookedAt === undefined
    if (!always && this.#lookedAt !== undefined && Math.abs(now - this.#lookedAt) < lookMs) return undefined
    this.#lookedAt = now
    return this.#inTurn(() => this.#findEdits(isFirst))
  }

  refused({ name }: FileEdit<Content>, why: unknown): void {
    const { log, word, retries } = this.#parts
    log.warn(`${word} file not taken over`, { file: name, failure: why })
    if (retries) this.#seen.set(name, '')
  }

  /** Runs functions one at a time. Otherwise a look could mistake a file that is being written for an edit. */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(run)
    this.#queue = turn.catch(() => undefined)
    return turn
  }

  /** Makes a file agree with its row. It reads the row again afterwards, because another process may have changed it. */
  async #writeOut(name: string): Promise<void> {
    const { findRow, find, write, remove, log, word } = this.#parts
    try {
      let row = await findRow(name)
      for (let turn = 0; turn < 3; turn++) {
        if (!row) await remove(name)
        else if (!(await this.#agrees(name, row))) await write(name, row)
        const before = row
        row = await findRow(name)
        if (row?.revision === before?.revision) break
      }
      const file = await find(name)
      if (file) this.#seen.set(name, file.signature)
      else this.#seen.delete(name)
    } catch (error) {
      log.error(`${word} file not written`, { file: name, error })
    }
  }

  async #agrees(name: string, row: Row): Promise<boolean> {
    const file = await this.#parts.find(name)
    const content = file && (await this.#parts.read(file))
    return content !== undefined && !isFault(content) && this.#parts.isSame(content, row)
  }

  async #findEdits(isFirst: boolean): Promise<readonly FileEdit<Content>[]> {
    const { list, listRows, clock, log, word } = this.#parts
    try {
      const files = await list()
      const present = new Set(files.map(({ name }) => name))
      const changed = files.filter(({ name, signature }) => this.#seen.get(name) !== signature)
      const gone = [...this.#seen.keys()].filter((name) => !present.has(name))
      if (changed.length === 0 && gone.length === 0 && !isFirst) return []
      const rows = await listRows()
      const edits: FileEdit<Content>[] = []
      for (const file of changed) {
        const content = await this.#editedContent(file, rows.get(file.name))
        if (content !== undefined) edits.push({ name: file.name, content })
      }
      for (const name of gone) {
        const row = rows.get(name)
        // The row was written recently, so its file may not be written yet.
        if (row && clock.now() - row.updated_at < quietMs) continue
        this.#seen.delete(name)
        if (row) edits.push({ name, content: undefined })
      }
      // A missing file that was never seen is not a deletion: the home may come from a backup.
      if (isFirst) for (const name of rows.keys()) if (!present.has(name)) await this.#writeOut(name)
      return edits
    } catch (error) {
      log.error(`${word} files not read`, { error })
      return []
    }
  }

  /** Returns the content of a file that its row should get; undefined if there is nothing to do, or not yet. */
  async #editedContent(file: File, row: Row | undefined): Promise<Content | undefined> {
    const { read, isSame, clock, log, word } = this.#parts
    const { name, signature, changedAt } = file
    const content = await read(file)
    if (content === undefined) return undefined
    if (isFault(content)) {
      this.#seen.set(name, signature)
      log.warn(`${word} file is invalid`, { file: name, fault: content.fault })
      return undefined
    }
    if (row && isSame(content, row)) {
      this.#seen.set(name, signature)
      return undefined
    }
    if (Math.abs(clock.now() - changedAt) < quietMs) return undefined
    if (row && changedAt < row.updated_at) {
      // The row is newer: a process ended after its commit and before it wrote the file.
      await this.#writeOut(name)
      return undefined
    }
    this.#seen.set(name, signature)
    return content
  }
}

const isFault = (content: unknown): content is FileFault => typeof content === 'object' && content !== null && 'fault' in content
