// Determines the kind of a file by its content alone. For storage, an SVG is cleaned; any other file stays unchanged.

import { createReadStream } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { hashFile } from '../base/hash-file.ts'
import { Failure } from '../base/failure.ts'
import { checkDrawing, maxSvgBytes } from './clean-svg.ts'
import { headBytes, kindOf } from './file-kind.ts'
import type { Pictures } from './picture-process.ts'
import { checkTaken } from './taken-kinds.ts'

/** The most bytes of an image. */
const maxPictureBytes = 64 * 1024 ** 2

/** The facts about a file that is not stored yet. */
export interface InspectedFile {
  /** The path of the bytes to store: the file itself, or the cleaned drawing next to it. */
  readonly path: string
  readonly kind: string
  readonly bytes: number
  /** The hash of the received bytes. */
  readonly sha256: string
  /** The hash of the bytes to store. */
  readonly storedSha256: string
  readonly extension: string
  readonly width: number | null
  readonly height: number | null
  readonly placeholder: string | null
  /** True if something was removed from a drawing. */
  readonly cleaned: boolean
}

/**
 * @param path a file that belongs to the caller; a cleaned drawing is written next to it, as `path.svg`
 * @throws Failure `unsupported`, `too_large`, `unprocessable`
 */
export async function inspectFile(path: string, pictures: Pictures, signal?: AbortSignal): Promise<InspectedFile> {
  const { size } = await stat(path)
  if (size === 0) throw new Failure('unprocessable', 'The file is empty.')
  const kind = await findKind(path, size)
  const { extension, treatment } = checkTaken(kind)
  const sha256 = await hashFile(path)
  const plain = { path, kind, bytes: size, sha256, storedSha256: sha256, extension }
  if (treatment === 'vector') return { ...plain, ...(await cleanDrawing(path, pictures, signal)) }
  if (treatment !== 'picture') return { ...plain, width: null, height: null, placeholder: null, cleaned: false }
  if (size > maxPictureBytes)
    throw new Failure('too_large', `An image may have at most ${maxPictureBytes / 1024 ** 2} MiB.`, { limit: maxPictureBytes })
  const found = await pictures.inspect(path, signal)
  const { extension: decoded } = checkTaken(found.kind)
  return { ...plain, ...found, extension: decoded, cleaned: false }
}

async function cleanDrawing(path: string, pictures: Pictures, signal?: AbortSignal) {
  checkDrawing(await readFile(path, 'utf8'))
  const clean = `${path}.svg`
  const { width, height, changed } = await pictures.clean(path, clean, signal)
  const { size } = await stat(clean)
  return { path: clean, bytes: size, storedSha256: await hashFile(clean), width, height, placeholder: null, cleaned: changed }
}

/** Finds the kind by the first bytes. A text is an SVG if its first element is `svg`. @param size in bytes */
export async function findKind(path: string, size: number): Promise<string> {
  const file = await open(path, 'r')
  try {
    const head = Buffer.alloc(4096)
    const { bytesRead } = await file.read(head, 0, head.length, 0)
    const start = head.subarray(0, bytesRead)
    const kind = kindOf(start.subarray(0, headBytes))
    if (kind !== 'application/octet-stream') return kind
    if (isSvg(start.toString('utf8')) && size <= maxSvgBytes) return 'image/svg+xml'
  } finally {
    await file.close()
  }
  return (await isText(path)) ? 'text/plain' : 'application/octet-stream'
}

/** The parts that may precede the first element, with their ends. */
const prologue: readonly (readonly [begin: string, end: string])[] = [
  ['<?xml', '?>'],
  ['<!--', '-->'],
  ['<!doctype svg', '>'],
]

function isSvg(text: string): boolean {
  let rest = text.replace(/^\uFEFF/, '').trimStart()
  for (;;) {
    const found = prologue.find(([begin]) => rest.slice(0, begin.length).toLowerCase() === begin)
    if (!found) return /^<svg[\s>/]/.test(rest)
    const end = rest.indexOf(found[1])
    if (end < 0) return found[0] === '<!doctype svg'
    rest = rest.slice(end + found[1].length).trimStart()
    // The internal subset of a DOCTYPE may contain elements. Such a drawing is refused later, with a specific message.
    if (found[0] === '<!doctype svg') return true
  }
}

/** True if a file is UTF-8 text without control characters. */
async function isText(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const stream = createReadStream(path)
  try {
    for await (const part of stream) {
      const text = decoder.decode(part as Uint8Array, { stream: true })
      // eslint-disable-next-line no-control-regex
      if (/[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(text)) return false
    }
    decoder.decode()
    return true
  } catch {
    return false // not UTF-8
  } finally {
    stream.destroy()
  }
}
