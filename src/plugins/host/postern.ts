// Makes the argument of `activate`, and collects the registrations. The functions stay here; the site gets declarations.

import type { FilterName } from '../registered.ts'
import type { FetchReply, Postern } from '../api.ts'
import type { SiteQuestions } from './asks.ts'
import { send, type ToPlugin } from './channel.ts'
import { readInterval } from './interval.ts'
import { failureClass } from './plugin-failure.ts'

type Start = Extract<ToPlugin, { kind: 'start' }>
type Handler = (...args: readonly unknown[]) => unknown

/** The registrations of the plugin, in the lists that a run message names. */
export class Registrations {
  readonly #declared: Record<string, unknown[]> = {
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

  /** Registers a function. @throws Error after `activate`; TypeError if `fn` is no function */
  add(list: string, what: unknown, fn: unknown): void {
    if (!this.#open) throw new Error('Register everything before the promise of activate settles; now it is too late.')
    if (typeof fn !== 'function')
      throw new TypeError(`What is registered needs a function; this is ${fn === null ? 'null' : typeof fn}.`)
    this.#declared[list]?.push(what)
    this.#functions.set(list, [...(this.#functions.get(list) ?? []), fn as Handler])
  }

  find(list: string, index: number): Handler | undefined {
    return this.#functions.get(list)?.[index]
  }

  /** Refuses further registrations. @returns all declarations, in the form of `Registered` */
  close(): object {
    this.#open = false
    const { action, filter, route, event, job, hook, authenticate } = this.#declared
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

/** Makes the `postern` object for a plugin. */
export function makePostern(start: Start, registrations: Registrations, asks: SiteQuestions): Postern {
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
        throw new Error('authenticate is registered already, and there can be only one.')
      registrations.add('authenticate', true, fn)
    },
    on: (event: string, fn: unknown) => registrations.add('event', event, fn),
    every: (interval: string, fn: unknown) => registrations.add('job', { everyMs: readInterval(interval) }, fn),
    call: async (className: unknown, action: unknown, input?: unknown, options?: unknown) =>
      asks.ask({
        what: 'call',
        class: String(className),
        action: String(action),
        input: membersOf(input, 'The input of a call'),
        options: membersOf(options, 'The options of a call'),
      }),
    fetch: async (url: unknown, init?: unknown) =>
      withText(
        (await asks.ask({ what: 'fetch', url: String(url), init: membersOf(init, 'What a request is made of') })) as FetchReply,
      ),
  } satisfies Postern
  return Object.freeze(postern)
}

/** @throws TypeError for a value that is neither undefined nor an object: for such a message the site would kill the process */
function membersOf(value: unknown, what: string): object {
  const members = value ?? {}
  if (isMembers(members)) return members
  throw new TypeError(`${what} must be an object such as {"id": "/about"}.`)
}

const isMembers = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

function logger(level: string): (message: string, fields?: object) => void {
  return (message: unknown, fields?: unknown) => send({ kind: 'log', level, message: String(message), fields: fieldsOf(fields) })
}

/** The fields of a log line. A value that isn't an object is wrapped, so that logging doesn't fail. */
function fieldsOf(fields: unknown): object {
  if (fields instanceof Error) return { error: `${fields.name}: ${fields.message}` }
  return isMembers(fields ?? {}) ? (fields ?? {}) : { value: fields }
}

/** Adds `body` to a reply that has only bytes. The text is decoded when it is read. */
function withText(reply: FetchReply): FetchReply {
  if (typeof reply.body === 'string') return reply
  return Object.defineProperty(reply, 'body', {
    get: () => Buffer.from(reply.bodyBase64, 'base64').toString(),
    enumerable: true,
  })
}
