// The thread in which texts are rendered: Markdown in, cleaned HTML and its words out. It holds nothing between two texts, and
// `render.ts` may end it at any moment.
import { parentPort } from 'node:worker_threads'
import { createMarkdown } from './markdown.ts'
import { textOfHtml } from './plain-text.ts'
import { createSanitizer } from './sanitize.ts'
import type { FromWorker, Rendered, ToWorker } from './render.ts'

const port = parentPort
if (port === null) throw new Error('render-worker.js is a worker of Postern; it does nothing on its own.')

const toHtml = await createMarkdown()
const sanitize = await createSanitizer()

function renderText(text: ToWorker): Rendered {
  const { html, removed } = sanitize('html' in text ? tidy(text.html) : toHtml(tidy(text.markdown)))
  return { html, text: textOfHtml(html), removed }
}

/** Markup that HTML readers treat unlike each other starts with what isn't text at all. */
const tidy = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

const tell = (message: FromWorker) => port.postMessage(message)

port.on('message', (text: ToWorker) => {
  try {
    tell({ kind: 'rendered', rendered: renderText(text) })
  } catch (error) {
    tell({
      kind: 'failed',
      reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
    })
  }
})
tell({ kind: 'ready' })
