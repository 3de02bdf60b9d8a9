// The service's half of the doctor. The answer to a request with a valid probe reports what arrived, sealed for the sender. Any
// other request costs only the search for one header.

import type { Clock } from '../base/clock.ts'
import { events, type Reply, type ServerEvent } from '../http/reply.ts'
import type { Request } from '../http/request.ts'
import { seal, unseal } from '../identity/sealed.ts'
import type { SiteKey } from '../identity/site-key.ts'
import { programRelease } from '../base/program.ts'
import { type DoctorKey, type ProbeWish, probeHeader, readProbe, sawHeader } from './doctor-key.ts'

/** A request as it arrived. */
export interface Seen {
  readonly nonce: string
  readonly method: string
  readonly target: string
  /** The names of the headers, as many as fit. */
  readonly headers: readonly string[]
  /** The first word of `Authorization`, in lower case; null if there is no such header. */
  readonly authorization: string | null
  /** The number of bytes that the request announced; null if the request body came in chunks. */
  readonly bytes: number | null
  readonly client: string
  readonly scheme: string
  readonly host: string
  /** The program that answered. Older releases don't report it. */
  readonly by?: Answerer | undefined
}

export interface Answerer {
  readonly release: string
  /** Its clock, in UTC milliseconds. */
  readonly at: number
  /** The name of the process, if the site has several. */
  readonly process: string | null
}

/** Limits that keep the sealed report below 2 KiB, because a proxy's buffer for the headers of an answer is small. */
const maxTargetChars = 300
const maxHeaderChars = 600

/** Creates the server's `beforeAnswer`. @param process the name of this process, if the site has several */
export function answerProbes(
  key: SiteKey,
  clock: Clock,
  process: string | null = null,
): (request: Request, reply: Reply) => Reply {
  const release = programRelease()
  return (request, reply) => {
    const sent = request.header(probeHeader)
    if (sent === undefined) return reply
    const found = readProbe(key, sent, clock.now())
    if (!found) return reply
    const { by, probe } = found
    const answer = wishes[probe.wish](reply, request.signal)
    const seen: Seen = { ...seenOf(request, probe.nonce), by: { release, at: clock.now(), process } }
    return { ...answer, headers: { ...answer.headers, [sawHeader]: seal(by.key, 'saw', seen) } }
  }
}

/** Reads the service's report about a probe; undefined if there is none, or if this key can't read it. */
export function readSeen({ key }: DoctorKey, text: string | undefined): Seen | undefined {
  return text === undefined ? undefined : (unseal(key, 'saw', text) as Seen | undefined)
}

function seenOf(request: Request, nonce: string): Seen {
  let room = maxHeaderChars
  const headers = request.headerNames().filter((name) => name !== probeHeader && (room -= name.length + 3) > 0)
  const length = request.header('content-length')
  const chunked = request.header('transfer-encoding') !== undefined
  return {
    nonce,
    method: request.method,
    target: request.target.slice(0, maxTargetChars),
    headers,
    authorization: request.header('authorization')?.split(' ')[0]?.toLowerCase().slice(0, 20) ?? null,
    bytes: chunked ? null : Number(length ?? 0),
    client: request.client,
    scheme: request.scheme,
    host: request.host.slice(0, 260),
  }
}

const wishes: Readonly<Record<ProbeWish, (reply: Reply, signal: AbortSignal) => Reply>> = {
  plain: (reply) => reply,
  events: (_reply, signal) => events(eventsApart(5, 200, signal)),
  // Longer than the idle limits of proxies, which are 60 and 100 s.
  quiet: (_reply, signal) => events(eventsApart(2, 110_000, signal)),
}

async function* eventsApart(count: number, apartMs: number, signal: AbortSignal): AsyncIterable<ServerEvent> {
  for (let number = 1; number <= count; number++) {
    yield { data: String(number) }
    if (number < count) await pause(apartMs, signal)
    if (signal.aborted) return
  }
}

/** Waits. Resolves at once if the client has left. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}
