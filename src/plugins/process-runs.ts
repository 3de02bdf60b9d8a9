// The open runs of a plugin's process: the function, its output, and its deadline.

import type { Failure } from '../base/failure.ts'
import type { PluginFatal } from './fatal.ts'
import type { RunOutcome } from './process.ts'
import type { RunTarget } from './registered.ts'

/** The facts about a run at its beginning. */
interface About {
  readonly target: RunTarget
  readonly dryRun: boolean
  /** As in `RunOptions`. */
  readonly depth: number
  readonly limits: readonly object[]
}

/** The facts about the run that asks a question. */
type During = Omit<About, 'target'> & { readonly target: RunTarget | undefined; readonly leftMs: number | undefined }

interface Run {
  readonly about: About
  /** The deadline, on the clock of `performance.now()`. */
  readonly endsAt: number
  readonly timer: NodeJS.Timeout
  printed: string
  resolve(ran: RunOutcome): void
  reject(fatal: PluginFatal): void
}

/** The number of ended runs that are remembered. */
const maxEnded = 1000

export class Runs {
  readonly #open = new Map<number, Run>()
  /** Ended runs that were dry runs, had limits, or were caused by an event. Code that they started can still ask questions. */
  readonly #ended = new Map<number, About>()
  #next = 1

  get count(): number {
    return this.#open.size
  }

  has(run: number): boolean {
    return this.#open.has(run)
  }

  /** Opens a run. `onTimeout` is called if it isn't settled in time. */
  open(about: About, timeoutMs: number, onTimeout: () => void): { run: number; ran: Promise<RunOutcome> } {
    const run = this.#next++
    // If this process was busy, the answer may already be in the pipe. `setImmediate` lets it be read before the check.
    const timer = setTimeout(() => setImmediate(() => this.#open.has(run) && onTimeout()), timeoutMs)
    const ran = new Promise<RunOutcome>((resolve, reject) => {
      this.#open.set(run, { about, endsAt: performance.now() + timeoutMs, timer, printed: '', resolve, reject })
    })
    return { run, ran }
  }

  /** Adds to the output of a run. */
  print(run: number, text: string): void {
    const open = this.#open.get(run)
    if (open !== undefined) open.printed += text
  }

  /** Resolves a run with its answer. @returns false if there is no such run */
  settle(run: number, answer: { readonly value?: unknown; readonly failure?: Failure }): boolean {
    const taken = this.#take(run)
    taken?.resolve({ ...answer, printed: taken.printed })
    return taken !== undefined
  }

  /** Rejects all open runs. */
  fail(fatal: (printed: string, shared: boolean) => PluginFatal): void {
    const shared = this.count > 1
    for (const run of this.#open.keys()) {
      const taken = this.#take(run)
      taken?.reject(fatal(taken.printed, shared))
    }
  }

  /**
   * Returns the facts about the run that asks a question. The plugin names the run. If that run isn't open, any open run may have
   * asked: the limits of all open runs apply, and the question is a dry run if one of them is.
   */
  during(run: number | undefined): During {
    const open = run === undefined ? undefined : this.#open.get(run)
    if (open !== undefined) return { ...open.about, leftMs: Math.max(open.endsAt - performance.now(), 0) }
    const all = [...this.#open.values()].map(({ about }) => about)
    const ended = run === undefined ? undefined : this.#ended.get(run)
    const depth = run === undefined ? Math.max(0, ...all.map((one) => one.depth)) : (ended?.depth ?? 0)
    const dryRun = (ended?.dryRun ?? false) || all.some((one) => one.dryRun)
    const limits = [...(ended?.limits ?? []), ...all.flatMap((one) => one.limits)]
    return { target: undefined, dryRun, depth, limits, leftMs: undefined }
  }

  #take(run: number): Run | undefined {
    const taken = this.#open.get(run)
    clearTimeout(taken?.timer)
    this.#open.delete(run)
    if (taken !== undefined) this.#remember(run, taken.about)
    return taken
  }

  #remember(run: number, about: About): void {
    if (about.depth === 0 && !about.dryRun && about.limits.length === 0) return
    this.#ended.set(run, about)
    const [oldest] = this.#ended.keys()
    if (this.#ended.size > maxEnded && oldest !== undefined) this.#ended.delete(oldest)
  }
}
