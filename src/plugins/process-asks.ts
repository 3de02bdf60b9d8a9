// Answers the questions of a plugin's process, each once. A process that asks too much gets a failure, or is killed.

import { Failure } from '../base/failure.ts'
import type { Ask, PluginLogLine } from './process.ts'
import type { ProcessLimits } from './process-limits.ts'
import type { FromPlugin } from './process-messages.ts'
import type { Runs } from './process-runs.ts'

type AskMessage = Extract<FromPlugin, { kind: 'ask' }>

/** The services that this file needs from the process that asks. */
export interface AskParts {
  readonly limits: ProcessLimits
  readonly runs: Runs
  /** Answers a question. Rejects with a Failure to refuse it. */
  readonly ask: (ask: Ask) => Promise<unknown>
  readonly onLog: (line: PluginLogLine) => void
  /** The number of bytes sent to the process that it hasn't read yet. */
  readonly waitingBytes: () => number
  readonly say: (message: object) => void
  /** Kills the process for asking too much. */
  readonly flooded: (what: string) => void
}

export class Asks {
  readonly #parts: AskParts
  #unanswered = 0

  constructor(parts: AskParts) {
    this.#parts = parts
  }

  /** Answers a question; never rejects. */
  async hear(message: AskMessage): Promise<void> {
    const { ask, limits, flooded } = this.#parts
    if (++this.#unanswered > limits.maxAsks) return flooded('asked too much of the site at once')
    try {
      this.#answer(message.ask, { value: await ask(this.#toAsk(message)) })
    } catch (error) {
      this.#answer(message.ask, { failure: this.#failureOf(error) })
    } finally {
      this.#unanswered--
    }
  }

  #toAsk(message: AskMessage): Ask {
    const { target: during, dryRun, depth, limits, leftMs } = this.#parts.runs.during(message.during)
    if (message.what === 'fetch') return { kind: 'fetch', url: message.url, init: message.init, dryRun, leftMs }
    const { class: className, action, input, options } = message
    return { kind: 'call', class: className, action, input, options, during, depth, limits, dryRun }
  }

  #answer(ask: number, answer: object): void {
    const { limits, waitingBytes, say, flooded } = this.#parts
    const unread = waitingBytes() / limits.maxWaitingBytes
    if (unread > 2) return flooded('asked for more and more, and read nothing of it')
    say({ kind: 'answer', ask, ...(unread > 1 ? { failure: crowded() } : answer) })
  }

  /** An error other than a Failure is a defect of the site. The plugin gets `failed`, and the log gets the details. */
  #failureOf(error: unknown): object {
    if (error instanceof Failure) return error.toJSON()
    this.#parts.onLog({ level: 'error', message: 'call of a plugin failed unexpectedly', fields: { error } })
    return new Failure('failed', 'The site could not do this.').toJSON()
  }
}

/** The failure for a process that has too much to do. */
export function crowded(): Failure {
  return new Failure('unavailable', 'This part of the site has too much to do. Try again in a moment.', { retry_after: 2 })
}
