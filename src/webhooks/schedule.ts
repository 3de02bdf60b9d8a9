// The schedule of a delivery that failed: ten tries in 75 hours, as Standard Webhooks proposes.

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** The delay after each failed try, in milliseconds. After the last there is none. */
const delays = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

/** The number of tries of a delivery. */
export const maxTries = delays.length + 1
/** The longest wait that a receiver may ask for. */
const maxRetryAfterMs = 24 * hour
/** The shortest wait after an answer that says that the receiver has too much to do. */
const busyMs = minute
const busy: ReadonlySet<number> = new Set([429, 502, 504])

/**
 * The delay until the next try, in milliseconds; undefined after the last. It is up to a tenth longer than the schedule has it, so
 * that the tries of many deliveries don't come at once.
 * @param tries the tries so far
 * @param random from 0 to 1
 */
export function delayAfter(
  tries: number,
  { status, retryAfterMs }: { readonly status: number | null; readonly retryAfterMs: number | undefined },
  random: number = Math.random(),
): number | undefined {
  const delay = delays[tries - 1]
  if (delay === undefined) return undefined
  const asked = Math.min(retryAfterMs ?? (status !== null && busy.has(status) ? busyMs : 0), maxRetryAfterMs)
  return Math.max(Math.round(delay * (1 + random / 10)), asked)
}

/** Reads `Retry-After`: seconds or a date (RFC 9110 §10.2.3). @returns milliseconds; undefined for anything else */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * second
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
