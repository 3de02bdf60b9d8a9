// An answer as a value. Handlers return a reply, and only `write.ts` writes it to a socket.

import { jsonText } from '../base/json.ts'
import { headerUrl } from './header-text.ts'

/** Names in lower case. A list becomes one header line per value. */
export type Headers = Readonly<Record<string, string | readonly string[]>>

/** One server-sent event. */
export interface ServerEvent {
  readonly event?: string
  readonly data: string
  readonly id?: string
  readonly retryMs?: number
}

export type Body =
  | { readonly bytes: Uint8Array }
  | { readonly text: string }
  | { readonly stream: AsyncIterable<Uint8Array> }
  | { readonly events: AsyncIterable<ServerEvent> }
  | undefined

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
  /** True if the request body was left unread on purpose. The writer drains unread request bodies up to a cap in any case. */
  readonly drain?: boolean
}

const jsonHeaders: Headers = Object.freeze({ 'content-type': 'application/json' })
const textHeaders: Headers = Object.freeze({ 'content-type': 'text/plain; charset=utf-8' })
const htmlHeaders: Headers = Object.freeze({ 'content-type': 'text/html; charset=utf-8' })
const eventHeaders: Headers = Object.freeze({
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
})
const noHeaders: Headers = Object.freeze({})

const withHeaders = (base: Headers, more: Headers | undefined): Headers => (more === undefined ? base : { ...base, ...more })

/** A value as JSON in valid Unicode. */
export function json(status: number, value: unknown, headers?: Headers): Reply {
  return { status, headers: withHeaders(jsonHeaders, headers), body: { text: jsonText(value) } }
}

/** A reply whose text is already JSON. */
export function jsonReply(status: number, text: string, headers?: Headers): Reply {
  return { status, headers: withHeaders(jsonHeaders, headers), body: { text } }
}

export function text(status: number, text: string, headers?: Headers): Reply {
  return { status, headers: withHeaders(textHeaders, headers), body: { text } }
}

export function html(status: number, text: string, headers?: Headers): Reply {
  return { status, headers: withHeaders(htmlHeaders, headers), body: { text } }
}

/** A reply with whole bytes of the type in the headers. */
export function bytes(status: number, bytes: Uint8Array, headers: Headers): Reply {
  return { status, headers, body: { bytes } }
}

/**
 * A redirect without a body. Characters that are not legal in a header are percent-encoded as UTF-8, so none can end the header.
 */
export function redirect(status: number, location: string, headers?: Headers): Reply {
  return { status, headers: { ...headers, location: headerUrl(location) }, body: undefined }
}

export function empty(status: number, headers: Headers = noHeaders): Reply {
  return { status, headers, body: undefined }
}

/**
 * A body that is written while it is produced, as fast as the client reads it. If a `content-length` header is set, the body must
 * have that length.
 */
export function stream(status: number, stream: AsyncIterable<Uint8Array>, headers: Headers): Reply {
  return { status, headers, body: { stream } }
}

/** Server-sent events, with headers that keep proxies from buffering. Comments keep the connection open. */
export function events(events: AsyncIterable<ServerEvent>, headers?: Headers): Reply {
  return { status: 200, headers: { ...headers, ...eventHeaders }, body: { events } }
}
