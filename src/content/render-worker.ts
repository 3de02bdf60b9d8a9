// The thread that renders texts and finds their headings. It keeps no state between two texts, and `render.ts` may end it at any moment.
import { parentPort } from 'node:worker_threads'
import { createMarkdown, onlyCharacters } from './markdown.ts'
import { createOutliner, findSection } from './outline.ts'
import { textOfHtml } from './plain-text.ts'
import { createSanitizer } from './sanitize.ts'
import type { Answers, FromWorker, Rendered, ToWorker } from './render.ts'

const port = parentPort
if (port === null) throw new Error('render-worker.js is a worker of Postern; it does nothing on its own.')

/** No answer has room for more, and passing on a million of them would keep the main thread busy. */
const maxOutlineSections = 1500

const markdown = await createMarkdown()
const sanitize = await createSanitizer()
const outliner = createOutliner(markdown)

type Workers = { readonly [K in keyof Answers]: (job: Extract<ToWorker, { kind: K }>) => Answers[K] }

const workers: Workers = {
  render: ({ text }) => cleaned(markdown.toHtml(text)),
  clean: ({ text }) => cleaned(onlyCharacters(text)),
  outline: ({ text }) => outliner.outline(text).slice(0, maxOutlineSections),
  section: ({ text, ref }) => findSection(outliner.outline(text), ref),
  replaceSection: ({ text, ref, by }) => outliner.replaceSection(text, ref, by),
}

function cleaned(source: string): Rendered {
  const { html, removed } = sanitize(source)
  return { html, text: textOfHtml(html), removed }
}

const tell = (message: FromWorker) => port.postMessage(message)

port.on('message', (job: ToWorker) => {
  try {
    tell({ kind: 'done', answer: workers[job.kind](job as never) })
  } catch (error) {
    tell({
      kind: 'failed',
      reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
    })
  }
})
tell({ kind: 'ready' })
