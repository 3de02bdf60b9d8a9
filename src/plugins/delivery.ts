// Events on their way to plugins: to each function one after the other, in the order in which they happened. What can't be delivered is
// told in the log and forgotten: an event is news, not a task.

import type { Log } from '../log.ts'
import type { EventAbout } from './api.ts'
import type { Handle } from './handle.ts'

const maxWaiting = 1000
const drainMs = 5000

export interface Delivery {
  put(handle: Handle<string>, event: EventAbout): void
  /** Waits until all is delivered, for five seconds at most. */
  drain(): Promise<void>
}

export function createDelivery(log: Log): Delivery {
  const lines = new Map<Handle<string>, { waiting: number; last: Promise<void> }>()
  return {
    put(handle, event) {
      const line = lines.get(handle) ?? { waiting: 0, last: Promise.resolve() }
      if (line.waiting >= maxWaiting)
        return log.warn('event dropped: too many wait', { plugin: handle.plugin, event: event.event, id: event.id })
      line.waiting += 1
      line.last = line.last.then(async () => {
        try {
          await handle.run([event])
        } catch (error) {
          log.warn('event not delivered', { plugin: handle.plugin, event: event.event, id: event.id, error })
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
