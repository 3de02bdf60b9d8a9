// Reads the error log without loading it: line by line from either end, across its files, while others write and turn them over. What a
// line says is taken apart here; which lines are wanted is the caller's.

import { createHash } from 'node:crypto'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { logNames } from './error-log.ts'
import { parseObject } from './json.ts'
import { type LogFields, type Level, levels } from './log.ts'
import { maskSecrets } from './mask.ts'
import { unlessMissing } from './missing.ts'

/** Where a reader is: a file by how it begins, which no renaming changes, and an offset in it. */
export interface LogPosition {
  readonly file: string
  readonly offset: number
}

/** One event. */
export interface LogLine {
  /** Where the line begins; parts it from every other. */
  readonly place: LogPosition
  /** Where reading goes on after it, in the direction it was read in. */
  readonly next: LogPosition
  /** UTC milliseconds. */
  readonly at: number
  readonly level: Level
  /** `plugin:ID`, the door it came through, or `core`. */
  readonly source: string
  readonly reference: string | null
  readonly event: string
  readonly plugin: string | null
  /** All else that it carries. */
  readonly fields: LogFields
}

export interface ReadLog {
  readonly newestFirst: boolean
  /** From a line's `next` on; from the end, or the beginning, unless given. */
  readonly after?: LogPosition | undefined
  /** Only lines in which this stands as it is: nothing that JSON would escape. The others are not even taken apart. */
  readonly holding?: string | undefined
}

/**
 * The lines of a folder's error log, in the order they were written or its reverse. What is no line of ours is skipped. A position whose
 * file is gone is before everything: nothing is older than it, and all that is there is newer.
 */
export async function* readLog(folder: string, { newestFirst, after, holding }: ReadLog): AsyncGenerator<LogLine> {
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
        if (holding !== undefined && !bytes.includes(holding)) continue
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
  /** Bytes when it was opened; what is written later isn't looked at. */
  readonly size: number
}

const maxTries = 5

/** All files at once, so that none is missed or read twice when they are turned over in between; oldest first. */
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

/** Of the first line: it has a time and an event in it. An inode would not do: the next file may get that of one that was removed. */
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
  /** After the line's end. */
  readonly end: number
  readonly bytes: Buffer
}

const lineEnd = 0x0a
const blockBytes = 64 * 1024
/** A longer line is none of ours, and skipped. */
const maxLineBytes = 1024 ** 2

/** The lines before an offset, last first. */
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

/** The lines from an offset on. The last is left out while its end is not written. */
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

/** What a line says, secrets blanked once more: it may have been written before a rule for them was. Undefined where it makes no sense. */
function parseLine(text: string): Omit<LogLine, 'place' | 'next'> | undefined {
  const { at: time, level, event, reference, plugin, source: written, ...fields } = parseObject(maskSecrets(text)) ?? {}
  const at = typeof time === 'string' ? Date.parse(time) : Number.NaN
  const known = levels.find((one) => one === level)
  if (Number.isNaN(at) || known === undefined || typeof event !== 'string') return undefined
  const from = typeof plugin === 'string' ? plugin : null
  const said = typeof written === 'string' ? written : (sources.get(fields['door']) ?? 'core')
  const source = from === null ? said : `plugin:${from}`
  return { at, level: known, source, reference: typeof reference === 'string' ? reference : null, event, plugin: from, fields }
}

/** Doors that are a line's source, by the name that the line has. */
const sources: ReadonlyMap<unknown, string> = new Map([
  ...['mcp', 'api', 'admin', 'oauth', 'site', 'cli'].map((door) => [door, door] as const),
  ['discovery', 'oauth'],
])
