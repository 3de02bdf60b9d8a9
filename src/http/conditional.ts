// Conditional requests (RFC 9110 §13): a client that already has the answer gets a 304.

import { createHash } from 'node:crypto'
import { empty } from './reply.ts'
import type { Headers, Reply } from './reply.ts'
import type { Request } from './request.ts'

/** A strong entity tag: a hash of the bytes. */
export function etagOf(content: Uint8Array | string): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}

/**
 * True if the answer to a GET or HEAD may be a 304. `If-None-Match` decides if it is present, else `If-Modified-Since`, in whole
 * seconds.
 * @param lastModified milliseconds since 1970
 * @see RFC 9110 §13.1.2, §13.1.3, §13.2.2
 */
export function notModified(request: Pick<Request, 'method' | 'header'>, etag: string, lastModified?: number): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const tags = request.header('if-none-match')
  if (tags !== undefined) return tags.trim() === '*' || listTags(tags).includes(opaque(etag))
  const since = Date.parse(request.header('if-modified-since') ?? '')
  return lastModified !== undefined && Math.floor(lastModified / 1000) * 1000 <= since
}

/** Returns the 304 for an answer with these headers, without the headers that describe the body (RFC 9110 §15.4.5). */
export function notModifiedReply(headers: Headers): Reply {
  return empty(
    304,
    Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-type' && name !== 'content-length')),
  )
}

/** The tag without `W/`, because the comparison is weak. */
const opaque = (tag: string): string => tag.replace(/^W\//, '')
const listTags = (list: string): string[] => (list.match(/(?:W\/)?"[^"]*"/g) ?? []).map(opaque)
