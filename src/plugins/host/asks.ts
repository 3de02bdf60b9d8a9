// The plugin's questions to the site. A limited number wait for their answers at the same time; the others queue.

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
  readonly #waiting = new Map<number, Waiting>()
  readonly #queue: (() => void)[] = []
  #next = 1

  /** @param maxAsks questions at the same time @param maxBytes size of one question */
  constructor(maxAsks: number, maxBytes: number) {
    this.#maxAsks = maxAsks
    this.#maxBytes = maxBytes
  }

  /**
   * Sends a question, in its turn, and waits for the answer.
   * @throws PluginFailure from the site, or `too_large`; TypeError if the question can't be written as JSON
   */
  async ask(question: object): Promise<unknown> {
    const ask = this.#next++
    // This may throw, so it comes before the question is counted as waiting.
    const text = JSON.stringify({ kind: 'ask', ask, during: currentRun(), ...question })
    if (Buffer.byteLength(text) > this.#maxBytes)
      throw new PluginFailure('too_large', `What the plugin asks for is larger than the limit of ${this.#maxBytes} bytes.`)
    return new Promise((resolve, reject) => {
      const go = (): void => {
        this.#waiting.set(ask, { resolve, reject })
        sendText(text)
      }
      if (this.#waiting.size < this.#maxAsks) go()
      else this.#queue.push(go)
    })
  }

  hear({ ask, value, failure }: Answer): void {
    const waiting = this.#waiting.get(ask)
    this.#waiting.delete(ask)
    if (failure === undefined) waiting?.resolve(value)
    else waiting?.reject(heardFailure(failure))
    this.#queue.shift()?.()
  }
}
