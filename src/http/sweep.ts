// Deadlines without a timer for each: one check per second for all. A deadline is late by at most that second.

export interface Waiting {
  readonly dueTick: number
  readonly expire: () => void
  /** Index in the list of the sweep; -1 once removed. */
  place: number
}

export interface Sweep {
  /** Calls `expire` once after this many seconds, unless cancelled. */
  watch(seconds: number, expire: () => void): Waiting
  unwatch(waiting: Waiting): void
  start(): void
  stop(): void
}

/** Creates a sweep that runs every `everySeconds`. It does not keep the process alive. */
export function createSweep(everySeconds: number): Sweep {
  // Each deadline knows its index. Entries change with every request, and a Set would cost ten times as much.
  const waiting: Waiting[] = []
  let tick = 0
  let timer: NodeJS.Timeout | undefined
  const look = (): void => {
    tick++
    // From the end: the entry that moves into the place of an expired one was checked already.
    for (let at = waiting.length - 1; at >= 0; at--) {
      const one = waiting[at]
      if (!one || one.dueTick > tick) continue
      unwatch(one)
      one.expire()
    }
  }
  const unwatch = (one: Waiting): void => {
    if (one.place < 0) return
    const last = waiting.pop()
    if (last && last !== one) {
      waiting[one.place] = last
      last.place = one.place
    }
    one.place = -1
  }
  return {
    watch(seconds, expire) {
      // One more tick, because the current one has already begun.
      const dueTick = tick + Math.ceil(seconds / everySeconds) + 1
      const one = { dueTick, expire, place: waiting.length }
      waiting.push(one)
      return one
    },
    unwatch,
    start() {
      timer ??= setInterval(look, everySeconds * 1000).unref()
    },
    stop() {
      clearInterval(timer)
      timer = undefined
    },
  }
}
