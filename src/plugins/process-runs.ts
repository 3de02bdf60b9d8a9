// The runs of a plugin's process that have yet to end: which function, what it printed, and by when it must answer.

import type { Failure } from '../failure.ts'
import type { PluginFatal } from './fatal.ts'
import type { Ran } from './process.ts'
import type { Target } from './registered.ts'

/** What is known of a run when it begins. */
interface About {
  readonly target: Target
  readonly dryRun: boolean
  /** As `RunOptions` has them. */
  readonly depth: number
  readonly limits: readonly object[]
}

/** What is known of a run in which something is asked. */
type During = Omit<About, 'target'> & { readonly target: Target | undefined; readonly leftMs: number | undefined }

interface Run {
  readonly about: About
  /** By `performance.now()`. */
  readonly endsAt: number
  readonly timer: NodeJS.Timeout
  printed: string
  resolve(ran: Ran): void
  reject(fatal: PluginFatal): void
}

/** Of so many ended runs it is known what they were. */
const maxEnded = 1000

/** Those of one process. */
export class Runs {
  readonly #open = new Map<number, Run>()
  /** Ended runs that were dry, limited, or that some event led to: what such a run started may ask for more after its end. */
  readonly #ended = new Map<number, About>()
  #next = 1

  /** How many there are. */
  get count(): number {
    return this.#open.size
  }

  has(run: number): boolean {
    return this.#open.has(run)
  }

  /** A new one. `onTimeout` is called where it isn't settled in time. */
  open(about: About, timeoutMs: number, onTimeout: () => void): { run: number; ran: Promise<Ran> } {
    const run = this.#next++
    // The answer may lie in the pipe while this process was busy: it is read before the second look.
    const timer = setTimeout(() => setImmediate(() => this.#open.has(run) && onTimeout()), timeoutMs)
    const ran = new Promise<Ran>((resolve, reject) => {
      this.#open.set(run, { about, endsAt: performance.now() + timeoutMs, timer, printed: '', resolve, reject })
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

  /** The run in which something is asked, as the plugin says. Where it names none, it may come from any, so from a dry or limited run too. */
  during(run: number | undefined): During {
    const found = run === undefined ? undefined : this.#open.get(run)
    if (found !== undefined) return { ...found.about, leftMs: Math.max(found.endsAt - performance.now(), 0) }
    const all = [...this.#open.values()].map(({ about }) => about)
    const ended = run === undefined ? undefined : this.#ended.get(run)
    const depth = run === undefined ? Math.max(0, ...all.map((one) => one.depth)) : (ended?.depth ?? 0)
    const dryRun = (ended?.dryRun ?? false) || all.some((one) => one.dryRun)
    const limits = [...(ended?.limits ?? []), ...all.flatMap((one) => one.limits)]
    return { target: undefined, dryRun, depth, limits, leftMs: undefined }
  }

  #take(run: number): Run | undefined {
    const found = this.#open.get(run)
    clearTimeout(found?.timer)
    this.#open.delete(run)
    if (found !== undefined) this.#remember(run, found.about)
    return found
  }

  #remember(run: number, about: About): void {
    if (about.depth === 0 && !about.dryRun && about.limits.length === 0) return
    this.#ended.set(run, about)
    const [oldest] = this.#ended.keys()
    if (this.#ended.size > maxEnded && oldest !== undefined) this.#ended.delete(oldest)
  }
}
