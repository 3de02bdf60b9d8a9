// The thread that renders texts, finds headings and turns HTML into Markdown. It has no state between texts, and `render.ts` may
// terminate it at any moment.
import { createMarkdown, onlyCharacters } from './markdown.ts'
import { hideFormulas, noFormulas, withFormulas } from './formulas.ts'
import { lineOfRemoved, type Markup } from './markdown-notices.ts'
import type { Notice } from './markdown-state.ts'
import { markChanges } from './marked-html.ts'
import { createOutliner, findSection } from './outline.ts'
import { textOfHtml } from './plain-text.ts'
import { createSanitizer } from './sanitize.ts'
import { type FromHtml, fromHtml } from '../from-html/from-html.ts'
import { TooDeep } from '../from-html/tree.ts'
import type { FromHtmlOptions } from '../from-html/writing.ts'
import { createSummarizer, summaryOf } from '../entries/summary.ts'
import type { Answers, Rendered, ToWorker } from './render.ts'
import { answerJobs } from '../../base/worker-queue.ts'

/** The most sections in an answer. Passing a million of them would block the main thread. */
const maxOutlineSections = 1500

const markdown = await createMarkdown()
const sanitize = await createSanitizer()
const outliner = createOutliner(markdown)
const summarize = createSummarizer(markdown, sanitize)
const workers: { readonly [K in keyof Answers]: (job: Extract<ToWorker, { kind: K }>) => Answers[K] | Promise<Answers[K]> } = {
  render,
  plain: async (job) => textOfHtml((await render(job)).html),
  clean({ text, known }) {
    const hidden = hideFormulas(onlyCharacters(text), known)
    const { html, removed } = cleaned(hidden.html, [])
    return rendered(hidden.show(html), removed, [])
  },
  summaries: ({ sources }) => sources.map(summarize),
  outline: ({ text }) => outliner.outline(text).slice(0, maxOutlineSections),
  marks: ({ text, before }) => markChanges(before, text),
  section: ({ text, ref }) => findSection(outliner.outline(text), ref),
  fromHtml: ({ text, options }) => converted(text, options),
  replaceSection: ({ text, ref, by }) => outliner.replaceSection(text, ref, by),
}

async function render({ text, settings }: Pick<Extract<ToWorker, { kind: 'render' }>, 'text' | 'settings'>): Promise<Rendered> {
  const formulas = settings.formulas ? noFormulas() : undefined
  const { html, markup, notices } = markdown.render(text, settings, formulas)
  const { html: clean, removed } = cleaned(html, markup)
  const told = [...notices]
  const shown = formulas ? await withFormulas(clean, formulas, told) : clean
  return rendered(
    shown,
    removed,
    told.toSorted((a, b) => a.line - b.line),
  )
}

function cleaned(source: string, markup: readonly Markup[]): Pick<Rendered, 'html' | 'removed'> {
  const { html, removed } = sanitize(source)
  const located = removed.map((name) => {
    const line = lineOfRemoved(name, markup)
    return line === undefined ? { name } : { name, line }
  })
  return { html, removed: located }
}

const rendered = (html: string, removed: Rendered['removed'], notices: readonly Notice[]): Rendered => ({
  html,
  excerpt: summaryOf(html),
  removed,
  notices,
})

function converted(html: string, options: FromHtmlOptions): FromHtml | undefined {
  try {
    return fromHtml(html, options)
  } catch (error) {
    if (error instanceof TooDeep) return undefined
    throw error
  }
}

answerJobs((job: ToWorker) => workers[job.kind](job as never))
