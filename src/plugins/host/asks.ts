// What the plugin asks of the site: so many at a time, each waiting for its answer.

import { send, type ToPlugin } from './channel.ts'
import { heardFailure } from './plugin-failure.ts'
import { currentRun } from './runs.ts'

type Answer = Extract<ToPlugin, { kind: 'answer' }>

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

export class Asks {
  readonly #limit: number
  readonly #asked = new Map<number, Waiting>()
  readonly #queue: (() => void)[] = []
  #next = 1

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Asks, or waits for its turn. @throws PluginFailure as the site answers */
  ask(question: object): Promise<unknown> {
    const during = currentRun()
    return new Promise((resolve, reject) => {
      const go = (): void => {
        const ask = this.#next++
        this.#asked.set(ask, { resolve, reject })
        send({ kind: 'ask', ask, during, ...question })
      }
      if (this.#asked.size < this.#limit) go()
      else this.#queue.push(go)
    })
  }

  hear({ ask, value, failure }: Answer): void {
    const waiting = this.#asked.get(ask)
    this.#asked.delete(ask)
    if (failure === undefined) waiting?.resolve(value)
    else waiting?.reject(heardFailure(failure))
    this.#queue.shift()?.()
  }
}
