// Structured log lines: one JSON object a line, one line an event. Where they go is a sink's business.

import { isSecretName, maskSecrets } from './mask.ts'

export const levels = ['debug', 'info', 'warn', 'error'] as const

/** How loud a line is; `POSTERN_LOG_LEVEL` sets the quietest that is written. */
export type Level = (typeof levels)[number]

/** What a line carries beside its event; JSON values, errors are told by name, message and stack. */
export type LogFields = Readonly<Record<string, unknown>>

/** Writes events. `event` is a few words without values in them; the values go into `fields`. */
export interface Log {
  debug(event: string, fields?: LogFields): void
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
}

/** Takes a finished line, without its line end, and what it was made of. */
export type Sink = (line: string, level: Level, fields: LogFields) => void

/**
 * A log over a sink. Lines hold no control characters but as JSON escapes, so that one event is one line whatever was logged.
 * @param now milliseconds, for the line's `at`
 */
export function createLog(level: Level, sink: Sink, now: () => number = Date.now): Log {
  const lowest = levels.indexOf(level)
  const writer = (at: Level) =>
    levels.indexOf(at) < lowest
      ? () => undefined
      : (event: string, fields: LogFields = {}) => sink(formatLine(now(), at, event, fields), at, fields)
  return { debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') }
}

function formatLine(at: number, level: Level, event: string, fields: LogFields): string {
  const head = { at: new Date(at).toISOString(), level, event }
  return maskSecrets(textOf(head, fields)).replace(unescaped, escape)
}

/** A text as it may stand in a line that is put together by hand: a JSON string without credentials and control characters. */
export function lineText(text: string): string {
  return JSON.stringify(maskSecrets(text)).replace(unescaped, escape)
}

/** What can't be told as JSON (a cycle, a getter that throws) costs its fields, not the line: who logs is in trouble enough. */
function textOf(head: LogFields, fields: LogFields): string {
  try {
    return JSON.stringify({ ...head, ...fields }, logged)
  } catch (error) {
    return JSON.stringify({ ...head, not_told: String(error) })
  }
}

/** Controls that pass JSON.stringify unescaped: DEL and C1 (an ANSI introducer among them), line ends, and what turns the direction of writing. */
const unescaped = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
const escape = (c: string): string => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The holder is asked for the value itself: a failure that shows callers less than it knows has a `toJSON`. */
function logged(this: unknown, key: string, value: unknown): unknown {
  if (isSecretName(key)) return '…'
  const itself = (this as Record<string, unknown>)[key]
  if (itself instanceof Error) return errorFields(itself)
  return typeof value === 'bigint' ? String(value) : value
}

/** An error and what led to it; a chain that doesn't end is cut. */
function errorFields(error: Error, depth = 0): LogFields {
  const tell = (one: unknown) => (!(one instanceof Error) ? one : depth < maxCauses ? errorFields(one, depth + 1) : String(one))
  const { name, message, stack, cause } = error
  return {
    name,
    ...('code' in error ? { code: error.code } : {}),
    message,
    stack,
    ...(cause === undefined ? {} : { cause: tell(cause) }),
    ...(error instanceof AggregateError ? { errors: error.errors.slice(0, maxCauses).map(tell) } : {}),
  }
}

const maxCauses = 8
