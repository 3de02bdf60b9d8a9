// The doctor's way of asking: each question goes over the wire once, a few at a time, within its bounds; and what came back is kept with what the
// service saw of it. What it means is the rows'.

import { isIP } from 'node:net'
import { askOwn, type OwnAnswer, OwnFault } from '../outbound/ask-own.ts'
import { type DoctorKey, markProbe, probeHeader, type ProbeWish, sawHeader } from './doctor-key.ts'
import { addressesOf, type HostAddress, type Names } from './names.ts'
import { resource } from './questions.ts'
import { readSeen, type Seen } from './seen.ts'

/** A site's address in parts; `host` with an unusual port. */
export interface Address {
  readonly scheme: 'http' | 'https'
  readonly host: string
  /** `''` or `/blog`. */
  readonly path: string
}

export interface DoctorOptions {
  readonly base: Address
  /** A token that may read, of the doctor's own. */
  readonly token?: string | undefined
  /** Without it nobody knows what of a request arrives. */
  readonly key?: DoctorKey | undefined
  readonly names: Names
  /** Certificates trusted besides the usual ones, in PEM. */
  readonly trust: readonly string[]
  /** Where plain http is, beside https; 80. */
  readonly plainPort: number
  readonly signal: AbortSignal
  /** Of one request, in milliseconds. */
  readonly timeoutMs: number
  /** Between requests that look for what happens now and then; 5 s. */
  readonly gapsMs?: number
}

/** One request. Two of the same are one. */
export interface Question {
  /** Below the slug; one that begins with `//` is taken from the host's root. */
  readonly path: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** With the doctor's token, or with one that is none. */
  readonly token?: 'own' | 'useless'
  /** By the `www.` name, or without it. */
  readonly twin?: boolean
  /** By plain http. */
  readonly plain?: boolean
  readonly version?: '1.1' | '2'
  readonly family?: 4 | 6
  readonly agent?: string
  readonly wish?: ProbeWish
  readonly announcedBytes?: number
  readonly timeoutMs?: number
  /** Asks anew what was asked before: a number of its own each time. */
  readonly round?: number
}

export interface Asked {
  /** `POST https://example.org/mcp` */
  readonly what: string
  readonly target: string
  readonly sentBytes: number
  /** 0 where nothing came back. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly arrivals: readonly number[]
  readonly cut: boolean
  /** Why nothing came back. */
  readonly fault: OwnFault | undefined
  /** What the service saw; undefined where somebody else answered, or nobody can know. */
  readonly seen: Seen | undefined
  /** It is the answer to an earlier question: somebody kept it. */
  readonly kept: boolean
}

export interface Doctor {
  readonly options: DoctorOptions
  readonly base: Address
  ask(question: Question): Promise<Asked>
  /** All of these, answered in their order. */
  askAll(questions: readonly Question[]): Promise<readonly Asked[]>
}

const atOnce = 6
const keyOf = (question: Question): string => JSON.stringify({ ...question, body: question.body?.toString() })
/** By the other name this is asked before all else. */
const twinFirst: Question = { ...resource, twin: true }

/** A doctor for one examination: a question that was asked before is not asked again. */
export function createDoctor(options: DoctorOptions): Doctor {
  const known = new Map<string, Promise<Asked>>()
  const inTurn = createTurns(atOnce)
  const places = new Map<string, Promise<readonly HostAddress[]>>()
  const placesOf: Places = (name) => {
    const found = places.get(name) ?? addressesOf(options.names, name)
    places.set(name, found)
    return found
  }
  const askOnce = (question: Question): Promise<Asked> => {
    const key = keyOf(question)
    const asked = known.get(key) ?? askNew(question)
    known.set(key, asked)
    return asked
  }
  /** Where nothing answers by the other name, one question has found that out: each would take its time. */
  const askNew = async (question: Question): Promise<Asked> => {
    const twin = question.twin === true && keyOf(question) !== keyOf(twinFirst) ? await askOnce(twinFirst) : undefined
    return twin?.fault ? twin : inTurn(() => ask(options, question, placesOf))
  }
  return {
    options,
    base: options.base,
    ask: askOnce,
    askAll: (questions) => Promise.all(questions.map(askOnce)),
  }
}

/** The other spelling of a host: with `www.` or without. An address has none but itself. */
export function twinOf(host: string): string {
  if (isIP(nameOf(host).replace(/^\[|\]$/g, '')) !== 0) return host
  return host.startsWith('www.') ? host.slice(4) : `www.${host}`
}

/** A host without its port. */
export const nameOf = (host: string): string => host.replace(/:\d+$/, '')

/** The address that is examined. */
export const hrefOf = ({ base: { scheme, host, path } }: Pick<Doctor, 'base'>): string => `${scheme}://${host}${path}`

type Places = (name: string) => Promise<readonly HostAddress[]>

async function ask(options: DoctorOptions, question: Question, placesOf: Places): Promise<Asked> {
  const { base, key, trust, signal } = options
  const { method = 'GET', twin = false, plain = false, version = '1.1', body, family, path, wish = 'plain' } = question
  const own = twin ? twinOf(base.host) : base.host
  const scheme = plain ? 'http' : base.scheme
  const port = plain ? options.plainPort : portOf(base)
  const host = plain ? nameOf(own) + (port === 80 ? '' : `:${port}`) : own
  const target = path.startsWith('//') ? path.slice(1) : base.path + path
  const sent = key && markProbe(key, wish)
  const common = {
    what: `${method} ${scheme}://${host}${target}`,
    target,
    sentBytes: body === undefined ? 0 : Buffer.byteLength(body),
  }
  try {
    const [address] = (await placesOf(nameOf(own))).filter((one) => family === undefined || one.family === family)
    if (!address)
      throw new OwnFault('refused', family === undefined ? 'the name has no address' : `the name has no IPv${family} address`)
    const headers = { ...headersOf(options, question), ...(sent ? { [probeHeader]: sent.value } : {}) }
    const { announcedBytes, timeoutMs = options.timeoutMs } = question
    const about = { scheme, address: address.address, port, host, target, method, headers, body, version, announcedBytes }
    const answer = await askOwn({ ...about, trust, timeoutMs, signal })
    return { ...common, ...answer, fault: undefined, ...sightOf(key, answer, sent?.nonce) }
  } catch (error) {
    // Whoever gave up learns nothing, least of all that the site is broken.
    signal.throwIfAborted()
    if (!(error instanceof OwnFault)) throw error
    return { ...common, status: 0, headers: {}, text: '', arrivals: [], cut: false, fault: error, seen: undefined, kept: false }
  }
}

/** The port that an address means, said or not. */
export const portOf = ({ scheme, host }: Address): number => Number(/:(\d+)$/.exec(host)?.[1] ?? (scheme === 'https' ? 443 : 80))

/** Of a form that a token has, and no token. */
const uselessToken = `pst_${'0'.repeat(43)}`

function headersOf({ token }: DoctorOptions, question: Question): Record<string, string> {
  const { agent = 'Postern doctor', body, headers = {}, announcedBytes } = question
  const shown = question.token === 'own' ? token : question.token === 'useless' ? uselessToken : undefined
  return {
    'user-agent': agent,
    accept: 'application/json, text/event-stream',
    ...(body === undefined && announcedBytes === undefined ? {} : { 'content-type': 'application/json' }),
    ...(shown === undefined ? {} : { authorization: `Bearer ${shown}` }),
    ...headers,
  }
}

function sightOf(key: DoctorKey | undefined, answer: OwnAnswer, nonce: string | undefined): Pick<Asked, 'seen' | 'kept'> {
  const seen = key && readSeen(key, answer.headers[sawHeader])
  return seen && seen.nonce !== nonce ? { seen: undefined, kept: true } : { seen, kept: false }
}

/** Runs at most so many at once, in the order they came. */
function createTurns(most: number): <T>(run: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (run) => {
    if (running >= most) await new Promise<void>((go) => waiting.push(go))
    else running++
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
