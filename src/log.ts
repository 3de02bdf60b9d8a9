// Structured log lines: one JSON object a line, one line an event. Where they go is a sink's business.

export const levels = ['debug', 'info', 'warn', 'error'] as const

/** How loud a line is; `POSTERN_LOG_LEVEL` sets the quietest that is written. */
export type Level = (typeof levels)[number]

/** What a line carries beside its event; JSON values, errors are told by name, message and stack. */
export type Fields = Readonly<Record<string, unknown>>

/** Writes events. `event` is a few words without values in them; the values go into `fields`. */
export interface Log {
  debug(event: string, fields?: Fields): void
  info(event: string, fields?: Fields): void
  warn(event: string, fields?: Fields): void
  error(event: string, fields?: Fields): void
}

/** Takes a finished line, without its line end. */
export type Sink = (line: string, level: Level) => void

/** Tokens, codes and passwords never reach a sink, wherever in a line they stand (ATTACKS 73, 123). */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/\b(ps[tarc]_)[A-Za-z0-9_-]{6,}/g, '$1…'],
  [/((?:access_token|refresh_token|code|code_verifier|password|client_secret|token)=)[^&\s"'\\]+/gi, '$1…'],
  [/(Bearer\s+)[^\s"'\\]+/gi, '$1…'],
  [/(Basic\s+)[A-Za-z0-9+/=]{6,}/g, '$1…'],
]

/** A text with what looks like a credential blanked. */
export function maskSecrets(text: string): string {
  let masked = text
  for (const [pattern, instead] of secrets) masked = masked.replace(pattern, instead)
  return masked
}

/**
 * A log over a sink. Lines hold no control characters but as JSON escapes, so that one event is one line whatever was logged.
 * @param now milliseconds, for the line's `at`
 */
export function createLog(level: Level, sink: Sink, now: () => number = Date.now): Log {
  const lowest = levels.indexOf(level)
  const writer = (at: Level) =>
    levels.indexOf(at) < lowest
      ? () => undefined
      : (event: string, fields: Fields = {}) => sink(formatLine(now(), at, event, fields), at)
  return { debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') }
}

function formatLine(at: number, level: Level, event: string, fields: Fields): string {
  const line = JSON.stringify({ at: new Date(at).toISOString(), level, event, ...fields }, (_key, value: unknown) =>
    value instanceof Error ? errorFields(value) : typeof value === 'bigint' ? String(value) : value,
  )
  // DEL and the C1 controls (an ANSI introducer among them) pass JSON.stringify unescaped.
  return maskSecrets(line).replace(/[\u007f-\u009f\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function errorFields(error: Error): Fields {
  return {
    name: error.name,
    message: error.message,
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: error.cause instanceof Error ? errorFields(error.cause) : error.cause }),
  }
}
