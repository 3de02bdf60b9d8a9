// Deadlines without a timer each: one look a second at whatever waits. Late by at most that second.

/** Something that waits. `dueTick` is set by `watch`. */
export interface Waiting {
  dueTick: number
  expire(): void
}

export interface Sweep {
  watch(waiting: Waiting, seconds: number): void
  unwatch(waiting: Waiting): void
  start(): void
  stop(): void
}

/** A sweep every so many seconds. It keeps no process alive. */
export function createSweep(everySeconds: number): Sweep {
  const waiting = new Set<Waiting>()
  let tick = 0
  let timer: NodeJS.Timeout | undefined
  const look = (): void => {
    tick++
    for (const one of waiting) {
      if (one.dueTick > tick) continue
      waiting.delete(one)
      one.expire()
    }
  }
  return {
    watch(one, seconds) {
      // One more than asked: the current tick has begun already.
      one.dueTick = tick + Math.ceil(seconds / everySeconds) + 1
      waiting.add(one)
    },
    unwatch: (one) => void waiting.delete(one),
    start() {
      timer ??= setInterval(look, everySeconds * 1000).unref()
    },
    stop() {
      clearInterval(timer)
      timer = undefined
    },
  }
}
