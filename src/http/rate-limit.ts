// Rate limits: counts per key in fixed windows, in bounded memory. The caller chooses the keys and words the refusals.

export interface Taken {
  readonly allowed: boolean
  readonly limit: number
  /** The number of calls left in this window. */
  readonly remaining: number
  /** Whole seconds until the window ends: the value of `Retry-After`. */
  readonly resetSeconds: number
}

export interface Limiter {
  /** Counts one call for a key, or several at once. If several exceed the limit, none of them is counted. */
  take(key: string, count?: number): Taken
  /** Uncounts one call, for limits that count failures only. */
  giveBack(key: string): void
  /** The number of keys in memory. */
  readonly size: number
}

export interface LimiterOptions {
  /** The number of calls that a window allows. */
  readonly limit: number
  readonly windowMs: number
  /** The largest number of keys in memory. Beyond it, the oldest window is dropped. */
  readonly maxKeys: number
  readonly clock: { now(): number }
}

interface Window {
  count: number
  endsAt: number
}

/** Creates a limiter that allows `limit` calls per key and window. */
export function createLimiter({ limit, windowMs, maxKeys, clock }: LimiterOptions): Limiter {
  const windows = new Map<string, Window>()

  const open = (key: string, now: number): Window => {
    windows.delete(key)
    // All windows have the same length, so the first inserted key has the window that ends first.
    for (const [oldest, { endsAt }] of windows) {
      if (endsAt > now && windows.size < maxKeys) break
      windows.delete(oldest)
    }
    const opened = { count: 0, endsAt: now + windowMs }
    windows.set(key, opened)
    return opened
  }

  return {
    take(key, count = 1) {
      const now = clock.now()
      const held = windows.get(key)
      const window = held && held.endsAt > now && held.endsAt <= now + windowMs ? held : open(key, now)
      const allowed = window.count + count <= limit
      if (allowed) window.count += count
      return {
        allowed,
        limit,
        remaining: limit - window.count,
        resetSeconds: Math.max(1, Math.ceil((window.endsAt - now) / 1000)),
      }
    },
    giveBack(key) {
      const window = windows.get(key)
      if (window && window.count > 0) window.count--
    },
    get size() {
      return windows.size
    },
  }
}
