// Parses a JSON-RPC message: a request, a notification or a response. Anything else is invalid. @see JSON-RPC 2.0 §4

import { isObject, type JsonObject } from '../../base/json.ts'

export type Id = string | number | null

export interface RpcRequest {
  readonly kind: 'request'
  readonly id: Id
  readonly method: string
  readonly params: JsonObject
}

export interface Notification {
  readonly kind: 'notification'
  readonly method: string
  readonly params: JsonObject
}

/** A response. This server sends no requests, so it accepts responses and ignores them. */
export interface Response {
  readonly kind: 'response'
}

export type Message = RpcRequest | Notification | Response

const maxIdLength = 1000

/**
 * Parses the message in a JSON value; undefined for an invalid one. `id: null` is an id: only a message without `id` is a
 * notification.
 */
export function parseMessage(value: unknown): Message | undefined {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return undefined
  const { id, method, params = null } = value
  const hasId = Object.hasOwn(value, 'id')
  if (hasId && !isId(id)) return undefined
  if (method === undefined) return hasId && ('result' in value || 'error' in value) ? { kind: 'response' } : undefined
  if (typeof method !== 'string' || !(params === null || isObject(params))) return undefined
  const rest = { method, params: params ?? {} }
  return hasId ? { kind: 'request', id: id as Id, ...rest } : { kind: 'notification', ...rest }
}

function isId(id: unknown): id is Id {
  return id === null || Number.isSafeInteger(id) || (typeof id === 'string' && id.length <= maxIdLength)
}
