// Renders texts and finds their headings in a separate thread, one after the other, each within a time and a memory limit. A text
// that is slow on purpose fails for its writer and does not delay others (attacks 125, 133). Rendering itself is in `markdown.ts`
// and `sanitize.ts`, sections are in `outline.ts`.
import { Failure } from '../../base/failure.ts'
import type { Log } from '../../base/log.ts'
import type { FromHtml } from '../from-html/from-html.ts'
import type { FromHtmlOptions } from '../from-html/writing.ts'
import type { RenderSettings } from './markdown.ts'
import type { Notice } from './markdown-state.ts'
import type { Section, SectionReplaced } from './outline.ts'
import { workerFile } from '../../base/worker-file.ts'
import { createWorkerQueue, openThread } from '../../base/worker-queue.ts'

/** A text as the public site shows it. */
export interface Rendered {
  /** Safe to insert into a page unescaped. */
  readonly html: string
  /** The beginning on one line, as `summaries` makes it. */
  readonly excerpt: string
  /** The markup that was removed, for the warning `markup_removed`. */
  readonly removed: readonly Removed[]
  /** Unsupported constructs, for the warning `not_understood`. Empty for HTML. */
  readonly notices: readonly Notice[]
}

/** Something that the sanitizer removed. */
export interface Removed {
  /** `<script>`, `style attribute`, `javascript: link` */
  readonly name: string
  /** The number of its first line, from 1, if it is known. */
  readonly line?: number
}

/** A text to summarize in one line: by its beginning, or whole if it is an excerpt already. */
export interface SummarySource {
  readonly text: string
  readonly whole: boolean
  readonly language: string
}

/** A message to the worker. `text` is HTML for `clean`, `fromHtml` and `marks`, Markdown for the others. */
export type ToWorker =
  | { readonly kind: 'render'; readonly text: string; readonly settings: RenderSettings }
  | { readonly kind: 'plain'; readonly text: string; readonly settings: RenderSettings }
  | { readonly kind: 'clean'; readonly text: string; readonly known: string }
  | { readonly kind: 'outline'; readonly text: string }
  | { readonly kind: 'summaries'; readonly text: string; readonly sources: readonly SummarySource[] }
  | { readonly kind: 'fromHtml'; readonly text: string; readonly options: FromHtmlOptions }
  | { readonly kind: 'marks'; readonly text: string; readonly before: string }
  | { readonly kind: 'section'; readonly text: string; readonly ref: string }
  | { readonly kind: 'replaceSection'; readonly text: string; readonly ref: string; readonly by: string }

/** The worker's answer to each kind of message. */
export interface Answers {
  readonly render: Rendered
  readonly plain: string
  readonly clean: Rendered
  readonly fromHtml: FromHtml | undefined
  readonly summaries: readonly string[]
  readonly outline: readonly Section[]
  readonly marks: string | undefined
  readonly section: Section | undefined
  readonly replaceSection: SectionReplaced
}

export interface RendererOptions {
  /** The time limit for one text. */
  readonly timeoutMs?: number
  /** Heap of the thread in MiB. */
  readonly maxOldSpaceMb?: number
  /** The time after which an idle thread ends. */
  readonly idleMs?: number
  /** The most texts that may wait; further ones fail with `unavailable`. */
  readonly maxWaiting?: number
  readonly log: Log
  /** The URL of the worker's script. The default is `content/render-worker.js` in `dist`. */
  readonly workerUrl?: URL
}

export interface Renderer {
  /** The number of waiting texts, without the one that is being rendered. */
  readonly waiting: number
  /**
   * This and the following methods work in the thread.
   * @throws Failure `unprocessable` when the text takes too long or too much memory, `unavailable` when too many texts wait or the
   * renderer is closed, `failed` when the thread crashes
   */
  render(markdown: string, settings?: RenderSettings): Promise<Rendered>
  /** The plain text of a page. @throws Failure as `render` */
  plain(markdown: string, settings?: RenderSettings): Promise<string>
  /** One line for each text, in plain words. @throws Failure as `render`, for all of them together */
  summaries(sources: readonly SummarySource[]): Promise<readonly string[]>
  /**
   * Cleans HTML that came from elsewhere, within the same limits.
   * @param known a rendered text whose formulas may stay; all other MathML is removed
   * @throws Failure as `render`
   */
  clean(html: string, known?: string): Promise<Rendered>
  /** Turns HTML into Markdown; undefined for HTML that is nested too deeply. @throws Failure as `render` */
  fromHtml(html: string, options?: FromHtmlOptions): Promise<FromHtml | undefined>
  /**
   * The HTML `after` with its differences from `before` marked; undefined if they take too long to compare. Both are cleaned.
   * @throws Failure as `render`
   */
  markChanges(before: string, after: string): Promise<string | undefined>
  /** The sections of a text in order, the first 1,500 of them. @throws Failure as `render` */
  outline(markdown: string): Promise<readonly Section[]>
  /** The section with this id or title. @throws Failure as `render` */
  findSection(markdown: string, ref: string): Promise<Section | undefined>
  /** Replaces a section. @throws Failure as `render` */
  replaceSection(markdown: string, ref: string, text: string): Promise<SectionReplaced>
  /** Ends the thread. Texts that still wait fail with `unavailable`. */
  close(): Promise<void>
}

/** Creates a renderer. Its thread starts with the first text. */
export function createRenderer({ log, workerUrl, maxOldSpaceMb = 256, ...limits }: RendererOptions): Renderer {
  const queue = createWorkerQueue<ToWorker, Answers[keyof Answers]>({
    timeoutMs: 2000,
    idleMs: 30_000,
    maxWaiting: 200,
    ...limits,
    log,
    open: openThread(() => workerUrl ?? workerFile('content/render-worker.js', import.meta.url), maxOldSpaceMb),
    words: { thread: 'the renderer', job: 'a text', verb: 'render' },
    facts: ({ text }) => ({ chars: text.length }),
    failures: { full: tooMany, tooMuch, broken },
  })
  const put = <T extends ToWorker>(job: T) => queue.put(job) as Promise<Answers[T['kind']]>
  return {
    get waiting() {
      return queue.waiting
    },
    render: (text, settings = {}) => put({ kind: 'render', text, settings }),
    plain: (text, settings = {}) => put({ kind: 'plain', text, settings }),
    summaries: (sources) => put({ kind: 'summaries', text: '', sources }),
    clean: (text, known = '') => put({ kind: 'clean', text, known }),
    fromHtml: (text, options = {}) => put({ kind: 'fromHtml', text, options }),
    markChanges: (before, text) => put({ kind: 'marks', before, text }),
    outline: (text) => put({ kind: 'outline', text }),
    findSection: (text, ref) => put({ kind: 'section', text, ref }),
    replaceSection: (text, ref, by) => put({ kind: 'replaceSection', text, ref, by }),
    close: () => queue.close(),
  }
}

const tooMany = (): Failure =>
  new Failure('unavailable', 'Too many texts are waiting to be rendered. Try again in a moment.', { retry_after: 2 })

const broken = (cause?: Error): Failure =>
  new Failure('failed', 'This text could not be rendered.', {}, cause === undefined ? {} : { cause })

function tooMuch(what: string): Failure {
  return new Failure('unprocessable', `This text ${what}. Make it simpler, or split it into several entries.`, {
    field: 'body',
    hint: 'Long runs of brackets, asterisks or quotation marks, and very deep nesting, take long to render.',
  })
}
