// The runs of a plugin's process that have yet to end: which function, what it printed, and by when it must answer.

import type { Failure } from '../failure.ts'
import type { PluginFatal } from './fatal.ts'
import type { Ran } from './process.ts'
import type { Target } from './registered.ts'

interface Run {
  readonly target: Target
  readonly dryRun: boolean
  readonly timer: NodeJS.Timeout
  printed: string
  resolve(ran: Ran): void
  reject(fatal: PluginFatal): void
}

export class Runs {
  readonly #open = new Map<number, Run>()
  #next = 1

  /** How many there are. */
  get count(): number {
    return this.#open.size
  }

  has(run: number): boolean {
    return this.#open.has(run)
  }

  /** A new one. `onTimeout` is called where it isn't settled in time. */
  open(target: Target, dryRun: boolean, timeoutMs: number, onTimeout: () => void): { run: number; ran: Promise<Ran> } {
    const run = this.#next++
    // The answer may lie in the pipe while this process was busy: it is read before the second look.
    const timer = setTimeout(() => setImmediate(() => this.#open.has(run) && onTimeout()), timeoutMs)
    const ran = new Promise<Ran>((resolve, reject) => {
      this.#open.set(run, { target, dryRun, timer, printed: '', resolve, reject })
    })
    return { run, ran }
  }

  /** What it printed. */
  print(run: number, text: string): void {
    const found = this.#open.get(run)
    if (found !== undefined) found.printed += text
  }

  /** It answered. @returns false for an answer to what nobody asked */
  settle(run: number, answer: { readonly value?: unknown; readonly failure?: Failure }): boolean {
    const found = this.#take(run)
    found?.resolve({ ...answer, printed: found.printed })
    return found !== undefined
  }

  /** None will be answered any more. */
  fail(fatal: (printed: string, shared: boolean) => PluginFatal): void {
    const shared = this.count > 1
    for (const run of this.#open.keys()) {
      const found = this.#take(run)
      found?.reject(fatal(found.printed, shared))
    }
  }

  /** The function in which something is asked, as the plugin says. Where it names none, it may come from any, so from a dry run too. */
  during(run: number | undefined): { readonly during: Target | undefined; readonly dryRun: boolean } {
    const found = run === undefined ? undefined : this.#open.get(run)
    if (found !== undefined) return { during: found.target, dryRun: found.dryRun }
    return { during: undefined, dryRun: [...this.#open.values()].some(({ dryRun }) => dryRun) }
  }

  #take(run: number): Run | undefined {
    const found = this.#open.get(run)
    clearTimeout(found?.timer)
    this.#open.delete(run)
    return found
  }
}
