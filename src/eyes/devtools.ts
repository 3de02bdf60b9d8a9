// The DevTools protocol through a pipe: JSON messages, each followed by a zero byte.
// https://chromedevtools.github.io/devtools-protocol/

import { Failure } from '../base/failure.ts'
import type { Browser } from './browser.ts'

/** An event of the browser or, with a session, of one of its targets. */
export interface DevToolsEvent {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  readonly sessionId?: string
}

/** The longest message. The longest that comes is a picture. */
const maxMessageBytes = 64 * 1024 ** 2

interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
}

/** A conversation with one browser. Whatever waits for an answer or an event fails once the browser has ended or its time is up. */
export class DevTools {
  readonly #browser: Browser
  readonly #waiting = new Map<number, Waiting>()
  readonly #listeners: ((event: DevToolsEvent) => void)[] = []
  #parts: Buffer[] = []
  #bytes = 0
  #last = 0
  #failed: Error | undefined

  constructor(browser: Browser) {
    this.#browser = browser
    browser.output.on('data', (part: Buffer) => {
      // Whatever a program at the other end says, the service goes on.
      try {
        this.#take(part)
      } catch (error) {
        this.fail(notUnderstood(error))
      }
    })
    // The end of the browser tells the reason.
    for (const stream of [browser.input, browser.output]) stream.on('error', () => undefined)
    void browser.lost.then((failure) => this.fail(failure))
  }

  /** Sends a command. @param session of the target, if it is not for the browser itself */
  send<Result = unknown>(method: string, params: object = {}, session?: string): Promise<Result> {
    return this.#wait<Result>((waiting) => {
      const id = ++this.#last
      this.#waiting.set(id, waiting)
      const message = { id, method, params, ...(session === undefined ? {} : { sessionId: session }) }
      this.#browser.input.write(`${JSON.stringify(message)}\0`)
    })
  }

  on(listen: (event: DevToolsEvent) => void): void {
    this.#listeners.push(listen)
  }

  /** Waits for something that `begin` calls back about. */
  until(begin: (done: () => void) => void): Promise<void> {
    return this.#wait<void>((waiting) => {
      this.#waiting.set(++this.#last, waiting)
      const id = this.#last
      begin(() => {
        this.#waiting.delete(id)
        waiting.resolve(undefined)
      })
    })
  }

  /** Ends the conversation: what waits, and what is sent later, fails. */
  fail(failure: Failure | Error): void {
    this.#failed ??= failure
    for (const { reject } of this.#waiting.values()) reject(this.#failed)
    this.#waiting.clear()
  }

  #wait<Result>(begin: (waiting: Waiting) => void): Promise<Result> {
    if (this.#failed) return Promise.reject(this.#failed)
    return new Promise<Result>((resolve, reject) => begin({ resolve, reject }))
  }

  #take(part: Buffer): void {
    if (this.#failed) return
    let from = 0
    for (let end = part.indexOf(0); end >= 0; end = part.indexOf(0, from)) {
      this.#hear(Buffer.concat([...this.#parts, part.subarray(from, end)]).toString('utf8'))
      this.#parts = []
      this.#bytes = 0
      from = end + 1
    }
    if (from === part.length) return
    this.#parts.push(part.subarray(from))
    this.#bytes = from === 0 ? this.#bytes + part.length : part.length - from
    if (this.#bytes > maxMessageBytes) throw new Error('a message without an end')
  }

  #hear(text: string): void {
    const message = JSON.parse(text) as Heard
    if (message.id === undefined) return this.#listeners.forEach((listen) => listen(message as DevToolsEvent))
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if (message.error) waiting?.reject(new Error(`Chromium: ${message.error.message}`))
    else waiting?.resolve(message.result)
  }
}

const notUnderstood = (cause: unknown): Failure =>
  new Failure('unavailable', 'What POSTERN_CHROMIUM names does not answer as Chromium does.', { retry_after: 60 }, { cause })

type Heard = Partial<DevToolsEvent> & {
  readonly id?: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
}
