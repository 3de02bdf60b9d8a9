// Loads the HTTP client at its first use: the parts of undici that a request needs, one after the other. Loading the whole
// package takes fifty milliseconds of processor time, during which no request is answered. Most of it would be for `fetch`, web
// sockets and caches, which Postern doesn't use.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { createLate } from '../base/late.ts'
import type { Agent, buildConnector, Dispatcher } from 'undici'

export interface HttpClient {
  readonly Agent: typeof Agent
  readonly buildConnector: typeof buildConnector
  readonly request: (agent: Agent, options: Dispatcher.RequestOptions) => Promise<Dispatcher.ResponseData>
}

/** The client. Other work can run between the steps of loading it. */
export const loadHttpClient = createLate(load)

async function load(): Promise<HttpClient> {
  await import('undici/lib/core/util.js')
  await nextTurn()
  // CommonJS: in the bundle, its members are only on `default`.
  const { default: buildConnector } = await import('undici/lib/core/connect.js')
  await nextTurn()
  const { default: request } = await import('undici/lib/api/api-request.js')
  await nextTurn()
  await import('undici/lib/dispatcher/client.js')
  await nextTurn()
  const { default: Agent } = await import('undici/lib/dispatcher/agent.js')
  return { Agent, buildConnector, request: (agent, options) => request.call(agent, options) }
}
