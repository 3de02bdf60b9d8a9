// Counts each answered request and writes its line of the access log. This runs for every answer, so it must be cheap. Metrics of
// the service as a whole are in `measures.ts`.

import type { Clock } from '../base/clock.ts'
import type { AnswerRecord } from '../http/exchange.ts'
import { lineText } from '../base/log.ts'
import type { Cell, Metrics, Series } from '../base/metrics.ts'

type OnAnswer = (record: AnswerRecord) => void

/** Upper bounds of the histogram: from cached answers to requests that are stuck. */
const boundsSeconds = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10]

/** Creates a function that counts the requests, time and bytes of each door. */
export function countAnswers(metrics: Metrics): OnAnswer {
  const requests = metrics.counter('postern_http_requests_total', 'Requests answered, by door and status.')
  const seconds = metrics.histogram('postern_http_request_duration_seconds', 'Time from head to reply, by door.', boundsSeconds)
  const sent = metrics.counter('postern_http_response_bytes_total', 'Bytes of bodies, by door.')
  const doors = new Map<string, { byStatus: Map<number, Cell>; seconds: Series; sent: Cell }>()

  const countsOf = (door: string) => {
    const known = doors.get(door)
    if (known) return known
    const made = { byStatus: new Map<number, Cell>(), seconds: seconds({ door }), sent: sent({ door }) }
    doors.set(door, made)
    return made
  }
  const cellOf = (door: string, byStatus: Map<number, Cell>, status: number): Cell => {
    const known = byStatus.get(status)
    if (known) return known
    const made = requests({ door, status: String(status) })
    byStatus.set(status, made)
    return made
  }

  return ({ door = 'none', status, bytes, durationMs }) => {
    const counts = countsOf(door)
    cellOf(door, counts.byStatus, status).value += 1
    counts.seconds.observe(durationMs / 1000)
    counts.sent.value += bytes
  }
}

/** Lines are written together, after this time or at this number. One write per line would cost more than all its other work. */
const maxHeldMs = 100
const maxHeldLines = 256

/** The access log: one line per request. */
export interface AccessLog {
  readonly onAnswer: OnAnswer
  /** Writes the waiting lines. After that, each line is written at once. */
  close(): void
}

/**
 * Creates an access log.
 * @param out receives several lines, each with its line end
 * @param mark prefix of each line, for the journal
 * @param process the name of this process, if the site has several
 */
export function createAccessLog(clock: Clock, out: (text: string) => void, mark = '', process?: string): AccessLog {
  let held: string[] = []
  let timer: NodeJS.Timeout | undefined
  let maxHeld = maxHeldLines
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (held.length > 0) out(held.join(''))
    held = []
  }
  return {
    onAnswer(record) {
      held.push(`${mark}${requestLine(clock.now(), record, process)}\n`)
      if (held.length >= maxHeld) flush()
      else timer ??= setTimeout(flush, maxHeldMs).unref()
    },
    close() {
      maxHeld = 1
      flush()
    },
  }
}

/**
 * Makes one line of the access log, by concatenation: making it in `log.ts` would cost twenty times as much. Only the path is text
 * from outside, and is escaped. The query is left out: at `/oauth/` it contains codes, and elsewhere the searches of people.
 */
export function requestLine(at: number, record: AnswerRecord, process?: string): string {
  const { request, client, door, method, path, status, bytes, durationMs } = record
  const asked = path === undefined ? '' : `,"method":"${method}","path":${lineText(path)}`
  const numbers = `"status":${status},"bytes":${bytes},"ms":${Math.round(durationMs * 10) / 10}`
  const who = `"client":"${client ?? ''}"${request ? `,"id":"${request.id}"` : ''}`
  const by = process === undefined ? '' : `,"process":"${process}"`
  return `{"at":"${timeText(at)}","level":"info","event":"request"${by},"door":"${door ?? 'none'}"${asked},${numbers},${who}}`
}

let lastAt = 0
let lastText = new Date(lastAt).toISOString()

/** Returns the time as text. The last text is cached, because several requests come in one millisecond. */
function timeText(at: number): string {
  if (at !== lastAt) {
    lastAt = at
    lastText = new Date(at).toISOString()
  }
  return lastText
}
