// Counting by key in fixed windows, in memory that can't grow past its cap. Who is counted, and what is refused, is the caller's.

export interface Taken {
  readonly allowed: boolean
  readonly limit: number
  /** How many are left in this window. */
  readonly remaining: number
  /** Whole seconds until the window ends: the value of `Retry-After`. */
  readonly resetSeconds: number
}

export interface Limiter {
  /** Counts one for a key, or several: all of them or, where they are too many, none. */
  take(key: string, count?: number): Taken
  /** Gives one back: for limits that count failures only. */
  giveBack(key: string): void
  /** Keys held now. */
  readonly size: number
}

export interface LimiterOptions {
  /** Allowed in a window. */
  readonly limit: number
  readonly windowMs: number
  /** Keys held at most; past it the oldest window makes room. */
  readonly maxKeys: number
  readonly clock: { now(): number }
}

interface Window {
  count: number
  endsAt: number
}

/** A limiter of `limit` a window and key. */
export function createLimiter({ limit, windowMs, maxKeys, clock }: LimiterOptions): Limiter {
  const windows = new Map<string, Window>()

  const open = (key: string, now: number): Window => {
    windows.delete(key)
    // Insertion order is order of ending, since all windows are equally long: the first is the one to lose.
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
