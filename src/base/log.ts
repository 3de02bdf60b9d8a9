// Structured log lines: one JSON object per line, one line per event. A sink decides where the lines go.

import { isSecretName, maskSecrets } from './mask.ts'

export const levels = ['debug', 'info', 'warn', 'error'] as const

/** The level of a line. `POSTERN_LOG_LEVEL` sets the lowest level that is written. */
export type Level = (typeof levels)[number]

/** The fields of a line in addition to its event: JSON values, and errors, which become name, message and stack. */
export type LogFields = Readonly<Record<string, unknown>>

/** Writes events. `event` is a few words without values; values go into `fields`. */
export interface Log {
  debug(event: string, fields?: LogFields): void
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
}

/** Receives a finished line without its line end, and its parts. */
export type Sink = (line: string, level: Level, fields: LogFields) => void

/**
 * Creates a log that writes to a sink. Control characters are escaped, so that every event is one line.
 * @param now milliseconds, for the line's `at`
 * @param process the name of this process, which each line then has
 */
export function createLog(level: Level, sink: Sink, now: () => number = Date.now, process?: string): Log {
  const lowest = levels.indexOf(level)
  const writer = (at: Level) =>
    levels.indexOf(at) < lowest
      ? () => undefined
      : (event: string, fields: LogFields = {}) => sink(formatLine(now(), at, event, process, fields), at, fields)
  return { debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') }
}

function formatLine(at: number, level: Level, event: string, process: string | undefined, fields: LogFields): string {
  const head = { at: new Date(at).toISOString(), level, event, ...(process === undefined ? {} : { process }) }
  return maskSecrets(textOf(head, fields)).replace(unescaped, escape)
}

/** Formats a text for a line that is concatenated: a JSON string without credentials and control characters. */
export function lineText(text: string): string {
  return JSON.stringify(maskSecrets(text)).replace(unescaped, escape)
}

/** Formats a line. Fields that can't be serialised (a cycle, a getter that throws) are left out, so that logging never fails. */
function textOf(head: LogFields, fields: LogFields): string {
  try {
    return JSON.stringify({ ...head, ...fields }, logged)
  } catch (error) {
    return JSON.stringify({ ...head, not_told: String(error) })
  }
}

/**
 * Characters that JSON.stringify leaves unescaped: DEL and C1 (with an ANSI introducer), line separators, and direction controls.
 */
const unescaped = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
const escape = (c: string): string => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Reads the value from its holder, because `toJSON` of a failure omits the details that callers may not see. */
function logged(this: unknown, key: string, value: unknown): unknown {
  if (isSecretName(key)) return '…'
  const itself = (this as Record<string, unknown>)[key]
  if (itself instanceof Error) return errorFields(itself)
  return typeof value === 'bigint' ? String(value) : value
}

/** An error and its causes. A long chain is cut. */
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
