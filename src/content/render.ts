// Renders texts and finds their headings in a separate thread, one after the other, each within a time and a memory limit. A text that
// was made to be slow fails for its writer, and does not slow others down (attacks 125, 133). Rendering itself is in `markdown.ts` and
// `sanitize.ts`, sections are in `outline.ts`.
import { Worker } from 'node:worker_threads'
import { toError } from '../error-message.ts'
import { Failure } from '../failure.ts'
import type { Log } from '../log.ts'
import type { RenderSettings } from './markdown.ts'
import type { Notice } from './markdown-state.ts'
import type { Section, SectionReplaced } from './outline.ts'
import { workerFile } from '../worker-file.ts'

/** A text as the public site shows it. */
export interface Rendered {
  /** Safe to put into a page as it is. */
  readonly html: string
  /** The same as plain text. */
  readonly text: string
  /** The beginning on one line, as `summaries` makes it. */
  readonly excerpt: string
  /** What was removed, for the warning `markup_removed`. */
  readonly removed: readonly Removed[]
  /** What isn't understood, for the warning `not_understood`. Empty for HTML. */
  readonly notices: readonly Notice[]
}

/** Something that the sanitizer removed. */
export interface Removed {
  /** `<script>`, `style attribute`, `javascript: link` */
  readonly name: string
  /** The first line where it stands, from 1, if it can be told. */
  readonly line?: number
}

/** A text of which a line is wanted: its beginning, or all of it if it is an excerpt already. */
export interface SummarySource {
  readonly text: string
  readonly whole: boolean
  readonly language: string
}

/** A message to the worker. `text` is HTML for `clean`, Markdown for the others. */
export type ToWorker =
  | { readonly kind: 'render'; readonly text: string; readonly settings: RenderSettings }
  | { readonly kind: 'clean' | 'outline'; readonly text: string }
  | { readonly kind: 'summaries'; readonly text: string; readonly sources: readonly SummarySource[] }
  | { readonly kind: 'section'; readonly text: string; readonly ref: string }
  | { readonly kind: 'replaceSection'; readonly text: string; readonly ref: string; readonly by: string }

/** The worker's answer to each kind of message. */
export interface Answers {
  readonly render: Rendered
  readonly clean: Rendered
  readonly summaries: readonly string[]
  readonly outline: readonly Section[]
  readonly section: Section | undefined
  readonly replaceSection: SectionReplaced
}

/** A message from the worker: first that it is loaded, then one answer per text. */
export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly answer: Answers[keyof Answers] }
  | { readonly kind: 'failed'; readonly reason: string }

export interface RendererOptions {
  /** The time limit for one text. */
  readonly timeoutMs?: number
  /** Heap of the thread in MiB. */
  readonly maxOldSpaceMb?: number
  /** An idle thread ends after this time. */
  readonly idleMs?: number
  /** How many texts may wait; further ones fail with `unavailable`. */
  readonly maxWaiting?: number
  readonly log: Log
  /** The URL of the worker's script. The default is `content/render-worker.js` in `dist`. */
  readonly workerUrl?: URL
}

export interface Renderer {
  /** How many texts wait, without the one that is being rendered. */
  readonly waiting: number
  /**
   * This and the following methods work in the thread.
   * @throws Failure `unprocessable` when the text takes too long or too much memory, `unavailable` when too many texts wait or the
   * renderer is closed, `failed` when the thread crashes
   */
  render(markdown: string, settings?: RenderSettings): Promise<Rendered>
  /** One line for each text, in plain words. @throws Failure as `render`, for all of them together */
  summaries(sources: readonly SummarySource[]): Promise<readonly string[]>
  /** Cleans HTML that came from elsewhere, within the same limits. @throws Failure as `render` */
  clean(html: string): Promise<Rendered>
  /** The sections of a text in order, the first 1,500 of them. @throws Failure as `render` */
  outline(markdown: string): Promise<readonly Section[]>
  /** The section with this id or title. @throws Failure as `render` */
  findSection(markdown: string, ref: string): Promise<Section | undefined>
  /** Replaces a section. @throws Failure as `render` */
  replaceSection(markdown: string, ref: string, text: string): Promise<SectionReplaced>
  /** Ends the thread. Texts that still wait fail with `unavailable`. */
  close(): Promise<void>
}

/** Starting the thread has its own time limit, which doesn't count for the first text. */
const startMs = 30_000

interface Job {
  readonly text: ToWorker
  readonly resolve: (answer: never) => void
  readonly reject: (failure: Failure) => void
}

/** Creates a renderer. Its thread starts with the first text. */
export function createRenderer(options: RendererOptions): Renderer {
  return new ThreadRenderer(options)
}

class ThreadRenderer implements Renderer {
  readonly #options: Required<Omit<RendererOptions, 'workerUrl'>> & Pick<RendererOptions, 'workerUrl'>
  readonly #waiting: Job[] = []
  #current: Job | undefined
  #worker: Worker | undefined
  #ready = false
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: RendererOptions) {
    this.#options = {
      timeoutMs: 2000,
      maxOldSpaceMb: 256,
      idleMs: 30_000,
      maxWaiting: 200,
      ...options,
    }
  }

  get waiting(): number {
    return this.#waiting.length
  }

  render(markdown: string, settings: RenderSettings = {}): Promise<Rendered> {
    return this.#put({ kind: 'render', text: markdown, settings })
  }

  summaries(sources: readonly SummarySource[]): Promise<readonly string[]> {
    return this.#put({ kind: 'summaries', text: '', sources })
  }

  clean(html: string): Promise<Rendered> {
    return this.#put({ kind: 'clean', text: html })
  }

  outline(markdown: string): Promise<readonly Section[]> {
    return this.#put({ kind: 'outline', text: markdown })
  }

  findSection(markdown: string, ref: string): Promise<Section | undefined> {
    return this.#put({ kind: 'section', text: markdown, ref })
  }

  replaceSection(markdown: string, ref: string, text: string): Promise<SectionReplaced> {
    return this.#put({ kind: 'replaceSection', text: markdown, ref, by: text })
  }

  #put<T extends ToWorker>(text: T): Promise<Answers[T['kind']]> {
    if (this.#closed) return Promise.reject(closing())
    if (this.#waiting.length >= this.#options.maxWaiting) {
      const sentence = 'Too many texts are waiting to be rendered. Try again in a moment.'
      return Promise.reject(new Failure('unavailable', sentence, { retry_after: 2 }))
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, resolve, reject })
      this.#next()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    const dropped = this.#current === undefined ? this.#waiting.splice(0) : [this.#current, ...this.#waiting.splice(0)]
    this.#current = undefined
    for (const job of dropped) job.reject(closing())
    await this.#endWorker()
  }

  /** Sends the next text to the thread. Without one, an idle thread ends after a while and doesn't keep the process alive. */
  #next(): void {
    if (this.#current !== undefined) return
    this.#current = this.#waiting.shift()
    if (this.#current === undefined) return this.#rest()
    const worker = this.#worker ?? this.#start()
    if (worker === undefined) return
    worker.ref()
    if (this.#ready) this.#send(worker)
    else this.#within(startMs, () => this.#lose(new Error('the renderer did not start in time')))
  }

  #send(worker: Worker): void {
    if (this.#current === undefined) return
    this.#within(this.#options.timeoutMs, () => this.#expire(worker))
    worker.postMessage(this.#current.text)
  }

  #rest(): void {
    if (this.#worker === undefined) return
    this.#worker.unref()
    this.#within(this.#options.idleMs, () => void this.#endWorker())
    this.#timer?.unref()
  }

  #within(ms: number, then: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(then, ms)
  }

  #start(): Worker | undefined {
    let worker: Worker
    try {
      worker = this.#open()
    } catch (error) {
      this.#lose(toError(error))
      return undefined
    }
    this.#worker = worker
    worker.on('message', (message: FromWorker) => this.#worker === worker && this.#hear(worker, message))
    worker.on('error', (error: Error) => this.#worker === worker && this.#lose(error))
    worker.on('exit', () => this.#worker === worker && this.#lose(new Error('the renderer ended by itself')))
    return worker
  }

  #open(): Worker {
    return new Worker(this.#options.workerUrl ?? workerFile('content/render-worker.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: this.#options.maxOldSpaceMb },
      env: {},
      execArgv: [],
    })
  }

  #hear(worker: Worker, message: FromWorker): void {
    if (message.kind === 'ready') {
      this.#ready = true
      return this.#send(worker)
    }
    if (message.kind === 'done') return this.#settle((job) => job.resolve(message.answer as never))
    this.#options.log.error('rendering failed', { reason: message.reason })
    this.#settle((job) => job.reject(new Failure('failed', 'This text could not be rendered.')))
  }

  #settle(tell: (job: Job) => void): void {
    const job = this.#current
    this.#current = undefined
    clearTimeout(this.#timer)
    if (job !== undefined) tell(job)
    this.#next()
  }

  /** The time is up. An answer that arrived while this process was busy still counts: it is handled before the check. */
  #expire(worker: Worker): void {
    const late = this.#current
    setImmediate(() => {
      if (late === undefined || this.#current !== late || this.#worker !== worker) return
      this.#options.log.warn('a text took too long to render', {
        chars: late.text.text.length,
        limit_ms: this.#options.timeoutMs,
      })
      void this.#endWorker()
      this.#settle((job) => job.reject(tooMuch(`takes longer than ${this.#options.timeoutMs} ms to render`)))
    })
  }

  /** The thread crashed: its text fails, and the other texts get a new thread. */
  #lose(error: Error): void {
    const outOfMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
    this.#options.log[outOfMemory ? 'warn' : 'error']('the renderer ended', { error })
    void this.#endWorker()
    const failure = outOfMemory
      ? tooMuch('takes too much memory to render')
      : new Failure('failed', 'This text could not be rendered.', {}, { cause: error })
    this.#settle((job) => job.reject(failure))
  }

  async #endWorker(): Promise<void> {
    const worker = this.#worker
    clearTimeout(this.#timer)
    this.#worker = undefined
    this.#ready = false
    await worker?.terminate()
  }
}

function closing(): Failure {
  return new Failure('unavailable', 'The site is stopping. Try again in a moment.', {
    retry_after: 5,
  })
}

function tooMuch(what: string): Failure {
  return new Failure('unprocessable', `This text ${what}. Make it simpler, or split it into several entries.`, {
    field: 'body',
    hint: 'Long runs of brackets, asterisks or quotation marks, and very deep nesting, take long to render.',
  })
}
