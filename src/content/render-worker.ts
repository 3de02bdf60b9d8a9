// The thread in which texts are rendered: Markdown in, cleaned HTML and its words out. It holds nothing between two texts, and
// `render.ts` may end it at any moment.
import { parentPort } from 'node:worker_threads'
import { createMarkdown } from './markdown.ts'
import { textOfHtml } from './plain-text.ts'
import { createSanitizer } from './sanitize.ts'
import type { FromWorker, Rendered } from './render.ts'

const port = parentPort
if (port === null) throw new Error('render-worker.js is a worker of Postern; it does nothing on its own.')

const toHtml = await createMarkdown()
const sanitize = await createSanitizer()

function renderText(markdown: string): Rendered {
  // Markup that HTML readers treat unlike each other starts with what isn't text at all.
  const { html, removed } = sanitize(toHtml(markdown.toWellFormed().replaceAll('\0', '\ufffd')))
  return { html, text: textOfHtml(html), removed }
}

const tell = (message: FromWorker) => port.postMessage(message)

port.on('message', (markdown: string) => {
  try {
    tell({ kind: 'rendered', rendered: renderText(markdown) })
  } catch (error) {
    tell({
      kind: 'failed',
      reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
    })
  }
})
tell({ kind: 'ready' })
