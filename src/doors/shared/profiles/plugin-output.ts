// Plugins in old release profiles: each request loads all of them, their output comes before the body of the answer, and a broken
// plugin turns the answer into an HTML page. In release 1 output goes to the log, and a broken plugin fails the call in the form
// of the door.

import type { Outcome } from '../../../actions/call/call.ts'
import type { ExtensionServices, ProgramServices, Services } from '../../../actions/call/services.ts'
import { Failure } from '../../../base/failure.ts'
import { html, type Reply } from '../../../http/reply.ts'
import { type Soon, whenThere } from '../../../base/soon.ts'
import { openHeaders } from '../cors.ts'

/** Makes the answer to a request. In release 1 it is the result of `answer`, unchanged. */
export function answerAmongPlugins(site: ExtensionServices & ProgramServices, answer: () => Soon<Reply>): Soon<Reply> {
  const { pluginOutput, pluginFatal } = site.release
  const isPresent = site.plugins.active.count === 0 || (pluginOutput === 'log' && pluginFatal === 'error')
  return isPresent ? answer() : answerWithOutput(site.plugins, answer)
}

async function answerWithOutput(plugins: Services['plugins'], answer: () => Soon<Reply>): Promise<Reply> {
  const prints: string[] = []
  try {
    prints.push(await plugins.loadAll())
    const reply = await plugins.gatherPrints(prints, async () => answer())
    return printedBefore(prints.join(''), reply)
  } catch (error) {
    if (error instanceof Failure && error.detail.plugin !== undefined) return fatalPage(error)
    throw error
  }
}

function printedBefore(printed: string, reply: Reply): Reply {
  if (printed === '') return reply
  const body = reply.body !== undefined && 'text' in reply.body ? reply.body.text : ''
  return { ...reply, body: { text: printed + body } }
}

function fatalPage(failure: Failure): Reply {
  const page = '<!doctype html>\n<title>Error</title>\n<p>There has been a critical error on this website.</p>\n'
  return html(500, failure.detail.reference === undefined ? page : `${page}<!-- ${failure.detail.reference} -->\n`, openHeaders)
}

/**
 * Returns the outcome of a call, in release 1 unchanged.
 * @throws Failure in old releases if a plugin broke: `answerAmongPlugins` makes the page
 */
export function throwFatal(site: ExtensionServices & ProgramServices, outcome: Soon<Outcome>): Soon<Outcome> {
  const isPresent = site.plugins.active.count === 0 || site.release.pluginFatal === 'error'
  return isPresent ? outcome : whenThere(outcome, throwOnFatal)
}

function throwOnFatal(outcome: Outcome): Outcome {
  if (!outcome.ok && outcome.failure.detail.plugin !== undefined) throw outcome.failure
  return outcome
}
