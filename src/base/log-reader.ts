// Reads the error log without loading it as a whole: line by line from either end, across its files, while other processes write
// and rotate them. This file parses lines; the caller chooses among them.

import { createHash } from 'node:crypto'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { logNames } from './error-log.ts'
import { parseObject } from './json.ts'
import { type LogFields, type Level, levels } from './log.ts'
import { maskSecrets } from './mask.ts'
import { unlessMissing } from './missing.ts'

/** A position of a reader: an offset in a file. The file is identified by its beginning, which no renaming changes. */
export interface LogPosition {
  readonly file: string
  readonly offset: number
}

export interface LogLine {
  /** The position at which the line begins; unique to the line. */
  readonly place: LogPosition
  /** The position at which reading continues after the line, in the same direction. */
  readonly next: LogPosition
  /** UTC milliseconds. */
  readonly at: number
  readonly level: Level
  /** `plugin:ID`, the door that the event came through, or `core`. */
  readonly source: string
  readonly reference: string | null
  readonly event: string
  readonly plugin: string | null
  /** The process that wrote the line, if the site has several; otherwise null. */
  readonly process: string | null
  /** All other fields. */
  readonly fields: LogFields
}

export interface ReadLog {
  readonly newestFirst: boolean
  /** The `next` of the line to continue after; by default the reader starts at the end or the beginning. */
  readonly after?: LogPosition | undefined
  /** Only lines that contain this text, which must have no character that JSON escapes. Other lines are not parsed. */
  readonly containing?: string | undefined
}

/**
 * The lines of a folder's error log, in the order of writing or in reverse. Other text is skipped. A position in a deleted file
 * counts as before all lines: no line is older, and every line is newer.
 */
export async function* readLog(folder: string, { newestFirst, after, containing }: ReadLog): AsyncGenerator<LogLine> {
  const files = await openFiles(folder)
  try {
    const known = after === undefined || files.some(({ id }) => id === after.file)
    if (newestFirst && !known) return
    const ordered = newestFirst ? files.toReversed() : files
    const rest = known && after ? ordered.slice(ordered.findIndex(({ id }) => id === after.file)) : ordered
    for (const file of rest) {
      const from = after?.file === file.id ? after.offset : undefined
      const lines = newestFirst ? backwards(file, Math.min(from ?? file.size, file.size)) : forwards(file, from ?? 0)
      for await (const { start, end, bytes } of lines) {
        if (containing !== undefined && !bytes.includes(containing)) continue
        const parsed = parseLine(bytes.toString())
        const [place, next] = [start, newestFirst ? start : end].map((offset) => ({ file: file.id, offset }))
        if (parsed && place && next) yield { place, next, ...parsed }
      }
    }
  } finally {
    await closeAll(files)
  }
}

interface OpenFile {
  readonly id: string
  readonly handle: FileHandle
  /** Size in bytes when it was opened. Later writes are not read. */
  readonly size: number
}

const maxTries = 5

/** Opens all files at once, oldest first, so that a rotation during reading neither hides a file nor shows it twice. */
async function openFiles(folder: string, tries = 0): Promise<readonly OpenFile[]> {
  const names = await namesIn(folder)
  const files: OpenFile[] = []
  try {
    for (const name of names) {
      const handle = await unlessMissing(open(join(folder, name)))
      if (handle) files.push({ handle, id: await identityOf(handle), size: (await handle.stat()).size })
    }
    const stood = (await namesIn(folder)).join() === names.join() && files.length === names.length
    if (stood || tries >= maxTries) return files
  } catch (error) {
    await closeAll(files)
    throw error
  }
  await closeAll(files)
  return openFiles(folder, tries + 1)
}

const namesIn = async (folder: string): Promise<readonly string[]> => logNames((await unlessMissing(readdir(folder))) ?? [])

async function closeAll(files: readonly OpenFile[]): Promise<void> {
  for (const { handle } of files) await handle.close()
}

const identityBytes = 512

/**
 * Identifies a file by its first line, which has a time and an event. An inode would not work, because it is reused after a file
 * is deleted.
 */
async function identityOf(handle: FileHandle): Promise<string> {
  const start = await readAt(handle, 0, identityBytes)
  const end = start.indexOf(lineEnd)
  return createHash('sha256')
    .update(end < 0 ? start : start.subarray(0, end))
    .digest('base64url')
    .slice(0, 12)
}

interface Piece {
  readonly start: number
  /** The offset after the line end. */
  readonly end: number
  readonly bytes: Buffer
}

const lineEnd = 0x0a
const blockBytes = 64 * 1024
/** Longer lines were not written by the log, and are skipped. */
const maxLineBytes = 1024 ** 2

/** The lines before an offset, in reverse. */
async function* backwards({ handle }: OpenFile, before: number): AsyncGenerator<Piece> {
  let tail: Buffer = Buffer.alloc(0)
  for (let at = before; at > 0;) {
    const length = Math.min(blockBytes, at)
    at -= length
    const block = Buffer.concat([await readAt(handle, at, length), tail])
    let stop = block.length
    for (let end = block.lastIndexOf(lineEnd); end >= 0; end = end > 0 ? block.lastIndexOf(lineEnd, end - 1) : -1) {
      if (end + 1 < stop) yield { start: at + end + 1, end: at + stop + 1, bytes: block.subarray(end + 1, stop) }
      stop = end
    }
    tail = stop > maxLineBytes ? Buffer.alloc(0) : block.subarray(0, stop)
  }
  if (tail.length > 0) yield { start: 0, end: tail.length + 1, bytes: tail }
}

/** The lines after an offset. A last line without its line end is left out. */
async function* forwards({ handle, size }: OpenFile, from: number): AsyncGenerator<Piece> {
  let head: Buffer = Buffer.alloc(0)
  for (let at = from; at < size;) {
    const read = await readAt(handle, at, Math.min(blockBytes, size - at))
    if (read.length === 0) return
    const block = Buffer.concat([head, read])
    const begins = at - head.length
    let start = 0
    for (let end = block.indexOf(lineEnd); end >= 0; end = block.indexOf(lineEnd, start)) {
      if (end > start) yield { start: begins + start, end: begins + end + 1, bytes: block.subarray(start, end) }
      start = end + 1
    }
    at += read.length
    head = block.length - start > maxLineBytes ? Buffer.alloc(0) : block.subarray(start)
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** Parses a line; undefined for an invalid one. Secrets are masked again, because the line may be older than the rule for them. */
function parseLine(text: string): Omit<LogLine, 'place' | 'next'> | undefined {
  const { at: time, level, event, reference, plugin, process, source: written, ...fields } = parseObject(maskSecrets(text)) ?? {}
  const at = typeof time === 'string' ? Date.parse(time) : Number.NaN
  const known = levels.find((one) => one === level)
  if (Number.isNaN(at) || known === undefined || typeof event !== 'string') return undefined
  const from = typeof plugin === 'string' ? plugin : null
  const said = typeof written === 'string' ? written : (sources.get(fields['door']) ?? 'core')
  const source = from === null ? said : `plugin:${from}`
  const textOr = (value: unknown) => (typeof value === 'string' ? value : null)
  return { at, level: known, source, reference: textOr(reference), event, plugin: from, process: textOr(process), fields }
}

/** The doors that can be the source of a line, by the name in the line. */
const sources: ReadonlyMap<unknown, string> = new Map([
  ...['mcp', 'api', 'admin', 'oauth', 'site', 'cli'].map((door) => [door, door] as const),
  ['discovery', 'oauth'],
])
