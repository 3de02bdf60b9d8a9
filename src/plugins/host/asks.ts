// What the plugin asks of the site: so many at a time, each waiting for its answer.

import { sendText, type ToPlugin } from './channel.ts'
import { heardFailure, PluginFailure } from './plugin-failure.ts'
import { currentRun } from './runs.ts'

type Answer = Extract<ToPlugin, { kind: 'answer' }>

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

export class SiteQuestions {
  readonly #maxAsks: number
  readonly #maxBytes: number
  readonly #asked = new Map<number, Waiting>()
  readonly #queue: (() => void)[] = []
  #next = 1

  /** @param maxAsks at a time @param maxBytes of one */
  constructor(maxAsks: number, maxBytes: number) {
    this.#maxAsks = maxAsks
    this.#maxBytes = maxBytes
  }

  /** Asks the site, or waits for its turn. @throws PluginFailure as the site answers, or `too_large`; TypeError for what JSON can't hold */
  async ask(question: object): Promise<unknown> {
    const ask = this.#next++
    // Before it counts as asked: what can't be said is never answered.
    const text = JSON.stringify({ kind: 'ask', ask, during: currentRun(), ...question })
    if (Buffer.byteLength(text) > this.#maxBytes)
      throw new PluginFailure('too_large', `What the plugin asks for is larger than the ${this.#maxBytes} bytes that are taken.`)
    return new Promise((resolve, reject) => {
      const go = (): void => {
        this.#asked.set(ask, { resolve, reject })
        sendText(text)
      }
      if (this.#asked.size < this.#maxAsks) go()
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
