// A file of an export. Every format yields such files one by one, and a zip or a folder takes them, so that nothing holds a site in
// memory.

import { buffer, text } from 'node:stream/consumers'
import { PackedMap } from '../base/packed-map.ts'

export interface ExportFile {
  /** The path in the export, with slashes and without one at the start. */
  readonly path: string
  /**
   * The content: a text, a text in pieces, bytes, many bytes in parts, which can be read again, or the path of a file on disk,
   * which is copied.
   */
  readonly content:
    | { readonly text: string }
    | { readonly pieces: AsyncIterable<string> }
    | { readonly bytes: Uint8Array }
    | { readonly size: number; readonly open: () => AsyncIterable<Uint8Array> }
    | { readonly from: string }
}

export type ExportFiles = AsyncGenerator<ExportFile>

/** File systems allow 255. The slug of a title has at most 240, in scripts of three bytes, and a number may follow. */
const maxPartBytes = 240

/** Names that Windows reserves, whatever their ending. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * Returns a function that makes the path of each file safe and unique, so that an export can be unpacked on any file system. No
 * part leads out of the folder. A path that differs from an earlier one only by case, or by the encoding of accents, gets a number.
 */
export function createNames(): (path: string) => string {
  const taken = new PackedMap<1>()
  return (path) => {
    const safe = path.split('/').filter(isName).map(safePart).join('/')
    const dot = safe.lastIndexOf('.')
    const [stem, ending] = dot > safe.lastIndexOf('/') + 1 ? [safe.slice(0, dot), safe.slice(dot)] : [safe, '']
    let name = safe
    for (let number = 2; taken.has(folded(name)); number += 1) name = `${stem}-${number}${ending}`
    taken.set(folded(name), 1)
    return name
  }
}

const folded = (path: string): string => path.normalize('NFC').toLowerCase()

const isName = (part: string): boolean => part !== '' && part !== '.' && part !== '..'

function safePart(part: string): string {
  const allowed = part
    .normalize('NFC')
    .replace(/[\p{Cc}<>:"\\|?*]/gu, '-')
    .replace(/[. ]$/, '-')
  const named = reserved.test(allowed) ? `_${allowed}` : allowed
  return cutBytes(named)
}

/** Cuts a name to the length that file systems allow, and keeps its ending. */
function cutBytes(name: string): string {
  if (Buffer.byteLength(name) <= maxPartBytes) return name
  const dot = name.lastIndexOf('.')
  const ending = dot > 0 && name.length - dot <= 12 ? name.slice(dot) : ''
  let stem = ending === '' ? name : name.slice(0, dot)
  while (Buffer.byteLength(stem) + Buffer.byteLength(ending) > maxPartBytes) stem = stem.slice(0, -1)
  return stem.toWellFormed() + ending
}

/** Returns the content of a file that is not on disk yet. */
export async function contentBytes(content: Exclude<ExportFile['content'], { readonly from: string }>): Promise<Uint8Array> {
  if ('bytes' in content) return content.bytes
  if ('text' in content) return Buffer.from(content.text)
  if ('open' in content) return buffer(content.open())
  return Buffer.from(await text(content.pieces))
}
