// An answer as a value: handlers return one, `write.ts` alone puts it on the wire.

import { jsonText } from '../json.ts'
import { headerUrl } from './header-text.ts'

/** Names in lower case; a list is one header line a value. */
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
  /** Says that the request's body was left unread on purpose. The writer drains to a cap whether or not it is said. */
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

/** A value as JSON, well-formed Unicode whatever it holds. */
export function json(status: number, value: unknown, headers?: Headers): Reply {
  return { status, headers: withHeaders(jsonHeaders, headers), body: { text: jsonText(value) } }
}

/** Text that is JSON already. */
export function jsonReply(status: number, text: string, headers?: Headers): Reply {
  return { status, headers: withHeaders(jsonHeaders, headers), body: { text } }
}

export function text(status: number, text: string, headers?: Headers): Reply {
  return { status, headers: withHeaders(textHeaders, headers), body: { text } }
}

export function html(status: number, text: string, headers?: Headers): Reply {
  return { status, headers: withHeaders(htmlHeaders, headers), body: { text } }
}

/** Whole bytes of a type that the headers name. */
export function bytes(status: number, bytes: Uint8Array, headers: Headers): Reply {
  return { status, headers, body: { bytes } }
}

/** A redirect without a body. What isn't legal in a header is percent-encoded as UTF-8, so nothing can split it. */
export function redirect(status: number, location: string, headers?: Headers): Reply {
  return { status, headers: { ...headers, location: headerUrl(location) }, body: undefined }
}

export function empty(status: number, headers: Headers = noHeaders): Reply {
  return { status, headers, body: undefined }
}

/** A body written as it comes, as fast as the reader takes it. With a `content-length` header the count is held to it. */
export function stream(status: number, stream: AsyncIterable<Uint8Array>, headers: Headers): Reply {
  return { status, headers, body: { stream } }
}

/** Server-sent events; no proxy buffers them, and a comment now and then keeps the line open. */
export function events(events: AsyncIterable<ServerEvent>, headers?: Headers): Reply {
  return { status: 200, headers: { ...headers, ...eventHeaders }, body: { events } }
}
