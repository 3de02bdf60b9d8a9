// Deadlines without a timer each: one look a second at whatever waits. Late by at most that second.

/** Something that waits. */
export interface Waiting {
  readonly dueTick: number
  readonly expire: () => void
  /** In the sweep's list; -1 once it is out of it. */
  place: number
}

export interface Sweep {
  /** Calls `expire` once, in so many seconds, unless that is called off. */
  watch(seconds: number, expire: () => void): Waiting
  unwatch(waiting: Waiting): void
  start(): void
  stop(): void
}

/** A sweep every so many seconds. It keeps no process alive. */
export function createSweep(everySeconds: number): Sweep {
  // Each knows its place: a set, where something comes and goes with every request, costs ten times as much.
  const waiting: Waiting[] = []
  let tick = 0
  let timer: NodeJS.Timeout | undefined
  const look = (): void => {
    tick++
    // From the end: what takes the place of one that expired has been looked at.
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
      // One more than asked: the current tick has begun already.
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
