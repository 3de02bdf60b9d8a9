// The argument of `activate`. It keeps what is registered: the functions here, what the site is told of them in `registered`.

import type { FilterName } from '../registered.ts'
import type { FetchReply, Postern } from '../api.ts'
import type { Asks } from './asks.ts'
import { send, type ToPlugin } from './channel.ts'
import { parseInterval } from './interval.ts'
import { failureClass } from './plugin-failure.ts'

type Start = Extract<ToPlugin, { kind: 'start' }>
type Handler = (...args: readonly unknown[]) => unknown

/** What was registered: by list, as runs name them. */
export class Registrations {
  readonly #told: Record<string, unknown[]> = {
    action: [],
    filter: [],
    route: [],
    event: [],
    job: [],
    hook: [],
    authenticate: [],
  }
  readonly #functions = new Map<string, Handler[]>()
  #open = true

  /** Adds one. @throws Error after `activate`, or for what is no function */
  add(list: string, what: unknown, fn: unknown): void {
    if (!this.#open) throw new Error('Register everything before the promise of activate settles; now it is too late.')
    if (typeof fn !== 'function')
      throw new TypeError(`What is registered needs a function; this is ${fn === null ? 'null' : typeof fn}.`)
    this.#told[list]?.push(what)
    this.#functions.set(list, [...(this.#functions.get(list) ?? []), fn as Handler])
  }

  find(list: string, index: number): Handler | undefined {
    return this.#functions.get(list)?.[index]
  }

  /** Takes no more, and tells what there is, in the form of `Registered`. */
  close(): object {
    this.#open = false
    const { action, filter, route, event, job, hook, authenticate } = this.#told
    return {
      actions: action,
      filters: filter,
      routes: route,
      events: event,
      jobs: job,
      hooks: hook?.length,
      authenticates: authenticate?.length !== 0,
    }
  }
}

/** What a plugin has of the site. */
export function makePostern(start: Start, registrations: Registrations, asks: Asks): Postern {
  const postern = {
    plugin: Object.freeze({ ...start.plugin }),
    settings: Object.freeze({ ...start.settings }),
    log: Object.freeze({ info: logger('info'), warn: logger('warn'), error: logger('error') }),
    Failure: failureClass(start.failureCodes) as Postern['Failure'],
    action: ({ run, ...declared }: Parameters<Postern['action']>[0]) => registrations.add('action', declared, run),
    filter: (name: FilterName, fn: unknown) => registrations.add('filter', name, fn),
    route: (method: string, path: string, fn: unknown) => registrations.add('route', { method, path }, fn),
    beforeDispatch: (fn: unknown) => registrations.add('hook', true, fn),
    authenticate: (fn: unknown) => {
      if (registrations.find('authenticate', 0) !== undefined)
        throw new Error('authenticate is registered already, and there can be but one.')
      registrations.add('authenticate', true, fn)
    },
    on: (event: string, fn: unknown) => registrations.add('event', event, fn),
    every: (interval: string, fn: unknown) => registrations.add('job', { everyMs: parseInterval(interval) }, fn),
    call: (className: string, action: string, input: object = {}, options: object = {}) =>
      asks.ask({ what: 'call', class: className, action, input, options }),
    fetch: async (url: string, init: object = {}) => withText((await asks.ask({ what: 'fetch', url, init })) as FetchReply),
  } satisfies Postern
  return Object.freeze(postern)
}

function logger(level: string): (message: string, fields?: object) => void {
  return (message: unknown, fields = {}) => send({ kind: 'log', level, message: String(message), fields })
}

/** A reply that came as bytes alone has its text made here, when it is first asked for. */
function withText(reply: FetchReply): FetchReply {
  if (typeof reply.body === 'string') return reply
  return Object.defineProperty(reply, 'body', {
    get: () => Buffer.from(reply.bodyBase64, 'base64').toString(),
    enumerable: true,
  })
}
