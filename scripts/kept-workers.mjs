// Replaces `Worker` and `fork` in the modules that start threads and processes for jobs, in all runs but deep ones (test.mjs). A
// test opens a site of its own, whose threads take longer to start than to do their few jobs. So a thread or process that is idle
// when its site ends goes to the next site in the same process. It knows nothing of a site but the themes that it was sent, by
// their hashes. One that is ended amid a job, or crashes, is gone, as without this module.

import { fork as forkNow } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { Worker as Thread } from 'node:worker_threads'

export { parentPort } from 'node:worker_threads'

/** The idle threads and processes, by what they run. */
const spare = new Map()

/** A thread or process, for as long as one site has it. It has the members that the queue of workers uses. */
class Lease extends EventEmitter {
  #key
  #held
  /** The number of jobs without an answer. The first message says that the script is loaded. */
  #open = 1

  constructor(key, start) {
    super()
    this.#key = key
    const known = spare.get(key)?.pop()
    this.#held = known ?? held(start())
    this.#held.lease = this
    if (!known) return
    this.#held.inner.ref()
    setImmediate(() => this.#held && this.hear('message', { kind: 'ready' }))
  }

  get pid() {
    return this.#held?.inner.pid
  }

  get channel() {
    return this.#held?.inner.channel
  }

  hear(event, ...values) {
    if (event === 'message') this.#open--
    this.emit(event, ...values)
  }

  postMessage(job) {
    this.#open++
    this.#held?.inner.postMessage(job)
  }

  send(job) {
    this.#open++
    this.#held?.inner.send(job)
  }

  ref() {
    this.#held?.inner.ref()
  }

  unref() {
    this.#held?.inner.unref()
  }

  terminate() {
    return this.#end(({ inner }) => inner.terminate())
  }

  kill(signal) {
    return this.#end(({ inner }) => inner.kill(signal))
  }

  #end(end) {
    const ended = this.#held
    if (!ended) return undefined
    if (this.#open > 0 || ended.isOver) return end(ended)
    this.#held = undefined
    ended.lease = undefined
    ended.inner.unref()
    spare.set(this.#key, [...(spare.get(this.#key) ?? []), ended])
    return undefined
  }
}

/** Sends the events of a thread or process to the site that has it. */
function held(inner) {
  const made = { inner, lease: undefined, isOver: false }
  inner.on('message', (message) => made.lease?.hear('message', message))
  inner.on('error', (error) => made.lease?.hear('error', error))
  inner.on('exit', (...values) => {
    made.isOver = true
    for (const [key, idle] of spare)
      spare.set(
        key,
        idle.filter((one) => one !== made),
      )
    made.lease?.hear('exit', ...values)
  })
  return made
}

export class Worker extends Lease {
  constructor(script, options) {
    super(JSON.stringify([script, options]), () => new Thread(script, options))
  }
}

export function fork(script, args, options) {
  return new Lease(JSON.stringify([script, args, options]), () => forkNow(script, args, options))
}
