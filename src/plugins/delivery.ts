// Events on their way to plugins: to each function one after the other, in the order in which they happened. What can't be delivered is
// told in the log and forgotten: an event is news, not a task.

import type { Log } from '../log.ts'
import type { EventAbout } from './api.ts'
import type { Handle } from './handle.ts'

const maxWaiting = 1000
/** So many events in a row may be each the answer to the one before: further on, plugins would answer each other for ever. */
const maxDepth = 4
const drainMs = 5000

export interface Delivery {
  /** @param depth 1 for what no event led to */
  put(handle: Handle<string>, event: EventAbout, depth: number): void
  /** Waits until all is delivered, for five seconds at most. */
  drain(): Promise<void>
}

export function createDelivery(log: Log): Delivery {
  const lines = new Map<Handle<string>, { waiting: number; last: Promise<void> }>()
  return {
    put(handle, event, depth) {
      const about = { plugin: handle.plugin, source: `plugin:${handle.plugin}`, happened: event.event, id: event.id }
      if (depth > maxDepth) return log.warn('event dropped: plugins answer each other', about)
      const line = lines.get(handle) ?? { waiting: 0, last: Promise.resolve() }
      if (line.waiting >= maxWaiting) return log.warn('event dropped: too many wait', about)
      line.waiting += 1
      line.last = line.last.then(async () => {
        try {
          await handle.run([event], { depth })
        } catch (error) {
          log.warn('event not delivered', { ...about, error })
        }
        line.waiting -= 1
        if (line.waiting === 0) lines.delete(handle)
      })
      lines.set(handle, line)
    },
    async drain() {
      const all = Promise.all([...lines.values()].map(({ last }) => last))
      let timer: NodeJS.Timeout | undefined
      await Promise.race([all, new Promise<void>((resolve) => (timer = setTimeout(resolve, drainMs)))])
      clearTimeout(timer)
    },
  }
}
