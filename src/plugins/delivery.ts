// Delivers events to plugins. Each function gets its events one at a time, in the order in which they happened. An event that can't
// be delivered is logged and dropped, without a retry.

import type { Log } from '../base/log.ts'
import type { EventAbout } from './api.ts'
import type { Handle } from './handle.ts'

const maxWaiting = 1000
/** The longest chain of events in which each event led to the next. Without a limit, plugins could react to each other for ever. */
const maxDepth = 4
const drainMs = 5000

export interface Delivery {
  /** @param depth 1 for an event that no other event led to */
  put(handle: Handle<string>, event: EventAbout, depth: number): void
  /** Waits until all events are delivered, for five seconds at most. */
  drain(): Promise<void>
}

export function createDelivery(log: Log): Delivery {
  const queues = new Map<Handle<string>, { waiting: number; last: Promise<void> }>()
  return {
    put(handle, event, depth) {
      const about = { plugin: handle.plugin, source: `plugin:${handle.plugin}`, happened: event.event, id: event.id }
      if (depth > maxDepth) return log.warn('event dropped: plugins keep reacting to each other', about)
      const queue = queues.get(handle) ?? { waiting: 0, last: Promise.resolve() }
      if (queue.waiting >= maxWaiting) return log.warn('event dropped: too many events are waiting', about)
      queue.waiting += 1
      queue.last = queue.last.then(async () => {
        try {
          await handle.run([event], { depth })
        } catch (error) {
          log.warn('event not delivered', { ...about, error })
        }
        queue.waiting -= 1
        if (queue.waiting === 0) queues.delete(handle)
      })
      queues.set(handle, queue)
    },
    async drain() {
      const all = Promise.all([...queues.values()].map(({ last }) => last))
      let timer: NodeJS.Timeout | undefined
      await Promise.race([all, new Promise<void>((resolve) => (timer = setTimeout(resolve, drainMs)))])
      clearTimeout(timer)
    },
  }
}
