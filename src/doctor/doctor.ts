// The questions of the doctor. It sends each question once, a few at a time, within limits, and stores the answer with the
// service's report about the request. The rows interpret the answers.

import type { BaseUrl } from '../base/config.ts'
import { isIP } from 'node:net'
import { askOwn, type OwnAnswer, OwnFault } from '../outbound/ask-own.ts'
import { type DoctorKey, markProbe, probeHeader, type ProbeWish, sawHeader } from './doctor-key.ts'
import { addressesOf, type HostAddress, type Names } from './names.ts'
import { resource } from './questions.ts'
import { readSeen, type Seen } from './seen.ts'

export interface DoctorOptions {
  readonly base: BaseUrl
  /** A token of scope read that was created for the doctor. */
  readonly token?: string | undefined
  /** The doctor's key. Without it the service does not report what arrives. */
  readonly key?: DoctorKey | undefined
  readonly names: Names
  /** Certificates to trust in addition to the usual ones, in PEM. */
  readonly trust: readonly string[]
  /** The port of plain http; usually 80. */
  readonly plainPort: number
  readonly signal: AbortSignal
  /** Limit of one request, in milliseconds. */
  readonly timeoutMs: number
  /** The nodes of a site on several machines: the `HOST:PORT` of each. */
  readonly nodes?: readonly string[] | undefined
  /** Milliseconds between requests that look for occasional faults. The default is 5 s. */
  readonly gapsMs?: number
}

/** One request. Equal questions are asked once. */
export interface Question {
  /** The path below the base path. A path that begins with `//` starts at the host's root. */
  readonly path: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** The token to send: the doctor's own, or an invalid one. */
  readonly token?: 'own' | 'useless'
  /** True to use the host's twin (`twinOf`): the name with `www.` if the site's has none, and the other way round. */
  readonly twin?: boolean
  /** True to use plain http. */
  readonly plain?: boolean
  /** The address of a node to ask by plain http, without the web server in front. */
  readonly node?: string
  readonly version?: '1.1' | '2'
  readonly family?: 4 | 6
  readonly agent?: string
  readonly wish?: ProbeWish
  readonly announcedBytes?: number
  readonly timeoutMs?: number
  /** A number that makes a repeated question differ from the earlier one. */
  readonly round?: number
}

/** The answer to a question. Its status is 0 if no answer came. */
export interface DoctorAnswer extends OwnAnswer {
  /** `POST https://example.org/mcp` */
  readonly what: string
  readonly target: string
  readonly sentBytes: number
  /** The times at which the request was sent and the answer arrived, by the clock of this machine. */
  readonly sentAt: number
  readonly cameAt: number
  /** The reason why no answer came. */
  readonly fault: OwnFault | undefined
  /** The report of the service; undefined if another program answered, or if there is no key. */
  readonly seen: Seen | undefined
  /** True for the answer to an earlier question, which a cache stored. */
  readonly kept: boolean
}

export interface Doctor {
  readonly options: DoctorOptions
  readonly base: BaseUrl
  ask(question: Question): Promise<DoctorAnswer>
  /** Asks several questions. The answers are in the order of the questions. */
  askAll(questions: readonly Question[]): Promise<readonly DoctorAnswer[]>
}

const atOnce = 6
const keyOf = (question: Question): string => JSON.stringify({ ...question, body: question.body?.toString() })
/** The question that is sent first to the host's twin. */
const twinFirst: Question = { ...resource, twin: true }

/** Creates a doctor for one examination, which never repeats a question. */
export function createDoctor(options: DoctorOptions): Doctor {
  const known = new Map<string, Promise<DoctorAnswer>>()
  const inTurn = createTurns(atOnce)
  const places = new Map<string, Promise<readonly HostAddress[]>>()
  const placesOf: Places = (name) => {
    const found = places.get(name) ?? addressesOf(options.names, name)
    places.set(name, found)
    return found
  }
  const askOnce = (question: Question): Promise<DoctorAnswer> => {
    const key = keyOf(question)
    const asked = known.get(key) ?? askNew(question)
    known.set(key, asked)
    return asked
  }
  /** If the twin doesn't answer one question, no other is sent: each would run into its time limit. */
  const askNew = async (question: Question): Promise<DoctorAnswer> => {
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

/** The other spelling of a host: with `www.` or without. An IP address is its own twin. */
export function twinOf(host: string): string {
  if (isIP(nameOf(host).replace(/^\[|\]$/g, '')) !== 0) return host
  return host.startsWith('www.') ? host.slice(4) : `www.${host}`
}

export const nameOf = (host: string): string => host.replace(/:\d+$/, '')

/** The address of the site that is examined. */
export const hrefOf = ({ base: { scheme, host, path } }: Pick<Doctor, 'base'>): string => `${scheme}://${host}${path}`

type Places = (name: string) => Promise<readonly HostAddress[]>

async function ask(options: DoctorOptions, question: Question, placesOf: Places): Promise<DoctorAnswer> {
  const { base, key, trust, signal } = options
  const { method = 'GET', version = '1.1', body, family, path, wish = 'plain' } = question
  const { scheme, host, name, port } = placeOf(options, question)
  const target = path.startsWith('//') ? path.slice(1) : base.path + path
  const sent = key && markProbe(key, wish)
  const common = {
    what: `${method} ${scheme}://${question.node ?? host}${target}`,
    target,
    sentBytes: body === undefined ? 0 : Buffer.byteLength(body),
  }
  let sentAt = Date.now()
  try {
    const [address] = (await placesOf(name)).filter((one) => family === undefined || one.family === family)
    if (!address)
      throw new OwnFault('refused', family === undefined ? 'the name has no address' : `the name has no IPv${family} address`)
    const headers = { ...headersOf(options, question), ...(sent ? { [probeHeader]: sent.value } : {}) }
    const { announcedBytes, timeoutMs = options.timeoutMs } = question
    const about = { scheme, address: address.address, port, host, target, method, headers, body, version, announcedBytes }
    sentAt = Date.now()
    const answer = await askOwn({ ...about, trust, timeoutMs, signal })
    return { ...common, ...answer, sentAt, cameAt: Date.now(), fault: undefined, ...sightOf(key, answer, sent?.nonce) }
  } catch (error) {
    // A caller that gave up must not read this as a fault of the site.
    signal.throwIfAborted()
    if (!(error instanceof OwnFault)) throw error
    const nothing = { status: 0, headers: {}, text: '', arrivals: [], cut: false, sentAt, cameAt: Date.now(), seen: undefined }
    return { ...common, ...nothing, fault: error, kept: false }
  }
}

/** The destination of a question: the name and port to connect to, and the host to ask for. */
interface Place {
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly name: string
  readonly port: number
}

function placeOf({ base, plainPort }: DoctorOptions, { twin = false, plain = false, node }: Question): Place {
  if (node !== undefined)
    return { scheme: 'http', host: base.host, name: nameOf(node), port: portOf({ scheme: 'http', host: node }) }
  const own = twin ? twinOf(base.host) : base.host
  const scheme = plain ? 'http' : base.scheme
  const port = plain ? plainPort : portOf(base)
  return { scheme, host: plain ? nameOf(own) + (port === 80 ? '' : `:${port}`) : own, name: nameOf(own), port }
}

export const portOf = ({ scheme, host }: Pick<BaseUrl, 'scheme' | 'host'>): number =>
  Number(/:(\d+)$/.exec(host)?.[1] ?? (scheme === 'https' ? 443 : 80))

/** A text with the form of a token that is not a valid token. */
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

function sightOf(key: DoctorKey | undefined, answer: OwnAnswer, nonce: string | undefined): Pick<DoctorAnswer, 'seen' | 'kept'> {
  const seen = key && readSeen(key, answer.headers[sawHeader])
  return seen && seen.nonce !== nonce ? { seen: undefined, kept: true } : { seen, kept: false }
}

/** Runs at most `most` tasks at once, in order. */
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
