// A file as a reply, whole or as a range, with headers that stop browsers from running it.

import { notModified, notModifiedReply } from '../../http/conditional.ts'
import { contentDisposition } from '../../http/content-disposition.ts'
import { parseRange } from '../../http/range.ts'
import { empty, type Headers, type Reply, stream } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'

export interface ServedFile {
  readonly filename: string
  readonly kind: string
  readonly bytes: number
  readonly disposition: 'inline' | 'attachment'
  /** A strong entity tag, for files that are named by their content. */
  readonly etag?: string
  /** The bytes from `start` to `end`, both included. */
  read(start: number, end: number): AsyncIterable<Uint8Array>
}

/** The headers that say what a file is. */
export const fileHeaders = ({ filename, kind, disposition }: Pick<ServedFile, 'filename' | 'kind' | 'disposition'>): Headers => ({
  'content-type': kind.startsWith('text/') ? `${kind}; charset=utf-8` : kind,
  'content-disposition': contentDisposition(disposition, filename),
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
})

/** @param headers for caches, and others that the address needs */
export function fileReply(request: Request, file: ServedFile, caching: Headers): Reply {
  const { bytes, etag } = file
  const headers: Headers = {
    ...caching,
    ...fileHeaders(file),
    'accept-ranges': 'bytes',
    ...(etag !== undefined && { etag }),
  }
  if (etag !== undefined && notModified(request, etag)) return notModifiedReply(headers)
  const condition = request.header('if-range')
  const mayRange = request.method === 'GET' && (condition === undefined || condition === etag)
  const range = parseRange(mayRange ? request.header('range') : undefined, bytes)
  if (range === 'unsatisfiable') return empty(416, { ...caching, 'content-range': `bytes */${bytes}` })
  const { start, end } = range ?? { start: 0, end: bytes - 1 }
  const part = range ? { 'content-range': `bytes ${start}-${end}/${bytes}` } : {}
  return stream(range ? 206 : 200, file.read(start, end), { ...headers, ...part, 'content-length': String(end - start + 1) })
}
