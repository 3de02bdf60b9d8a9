// Plugins in the path of a call over `/mcp/` and `/api/`: those that stand before dispatch are asked, and old releases load all of them
// there, with what they print and how they break. Nothing of it comes before the credential: the challenge is answered without any plugin.

import { callName, storable } from '../actions/action.ts'
import { batch, callsIn } from '../actions/classes/batch.ts'
import type { Call, Outcome } from '../actions/call.ts'
import { dispatch } from '../actions/dispatch.ts'
import { callerFacts } from '../actions/plugin-actions.ts'
import { isVisible } from '../actions/registry.ts'
import type { Services } from '../actions/services.ts'
import { Failure } from '../failure.ts'
import { html, type Reply } from '../http/reply.ts'
import type { Request } from '../http/request.ts'
import type { Caller } from '../identity/caller.ts'
import { isObject } from '../json.ts'
import { plainLine } from '../plugins/plain-line.ts'
import { aroundOf } from './call.ts'
import { openHeaders } from './cors.ts'

/**
 * Asks the plugins that stand before dispatch, then runs the call. Where none does, nothing of this costs anything.
 * @throws Failure where a plugin broke and the release makes a page of that: `throughPlugins` knows it
 */
export function runCall(site: Services, caller: Caller, call: Call, request: Request): Promise<Outcome> {
  const { active } = site.plugins
  const apart = active.count === 0 || (active.hooks.length === 0 && site.release.pluginFatal === 'error')
  return apart ? dispatch(site, caller, call, aroundOf(request)) : runAfterHooks(site, caller, call, request)
}

async function runAfterHooks(site: Services, caller: Caller, call: Call, request: Request): Promise<Outcome> {
  const { active } = site.plugins
  const refused = active.hooks.length === 0 ? undefined : await askHooks(site, caller, call)
  const outcome: Outcome = refused ? { ok: false, failure: refused } : await dispatch(site, caller, call, aroundOf(request))
  if (!outcome.ok && site.release.pluginFatal === 'page' && outcome.failure.detail.plugin !== undefined) throw outcome.failure
  return outcome
}

/**
 * Asks the plugins that stand before dispatch about a request to `/mcp/` that calls no action, on releases that have them in the path of all.
 * @param method of the message; empty where the body holds none
 * @returns the refusal of the first plugin that refuses
 * @throws Failure where a plugin broke: `throughPlugins` makes a page of that
 */
export async function askBeforeMethod(site: Services, caller: Caller, method: string): Promise<Failure | undefined> {
  if (!standsBeforeMethods(site)) return undefined
  const refused = await askAbout(site, caller, { name: method, input: {}, options: {} }, false)
  if (refused?.detail.plugin !== undefined) throw refused
  return refused
}

/** Whether `askBeforeMethod` has anybody to ask. */
export const standsBeforeMethods = ({ release, plugins }: Services): boolean =>
  release.pluginPath === 'requests' && plugins.active.hooks.length > 0

/** The first refusal, of the call or of one that it holds: what is refused by itself is refused in a batch. */
async function askHooks(site: Services, caller: Caller, call: Call): Promise<Failure | undefined> {
  const within = call.name === callName(batch) ? callsIn(call.input) : []
  for (const one of [call, ...within]) {
    const refused = await askAbout(site, caller, one, call.options.dryRun === true)
    if (refused) return refused
  }
  return undefined
}

/** A hook that breaks refuses too: what it guards stays guarded. */
async function askAbout(site: Services, caller: Caller, call: Call, dryRun: boolean): Promise<Failure | undefined> {
  const { name, input } = call
  const action = site.registry.find(name)
  const shown = action && isVisible(action, caller) ? storable(site, action, input, {}).input : {}
  const about = {
    door: caller.door,
    call: name,
    input: shown,
    caller: callerFacts({ caller }),
    dryRun,
  }
  for (const hook of site.plugins.active.hooks) {
    try {
      const answer = await hook.run([about], { dryRun })
      const sentence = isObject(answer) ? answer['refuse'] : undefined
      if (typeof sentence === 'string') return refusal(hook.plugin, sentence)
    } catch (error) {
      // Switched off or configured anew while it was asked: those that stand now decide.
      if (!site.plugins.active.hooks.includes(hook)) return askAbout(site, caller, call, dryRun)
      if (error instanceof Failure) return error
      throw error
    }
  }
  return undefined
}

const refusal = (plugin: string, sentence: string): Failure =>
  new Failure('refused', plainLine(sentence, 500) || 'A plugin refused this call.', {
    rule: `the plugin ${plugin} decides on each call`,
    hint: 'The owner of the site can configure or deactivate it.',
  })

/**
 * Makes the answer to a request as the release does with its plugins: on old ones each is loaded first, what they print stands before
 * the body, and a plugin that breaks makes a page of it (INTERFACE.md "POST /mcp/").
 */
export function throughPlugins(site: Services, answer: () => Promise<Reply>): Promise<Reply> {
  const { pluginOutput, pluginFatal } = site.release
  const apart = site.plugins.active.count === 0 || (pluginOutput === 'log' && pluginFatal === 'error')
  return apart ? answer() : answerAmongPlugins(site.plugins, answer)
}

async function answerAmongPlugins(plugins: Services['plugins'], answer: () => Promise<Reply>): Promise<Reply> {
  const prints: string[] = []
  try {
    prints.push(await plugins.loadAll())
    const reply = await plugins.gatherPrints(prints, answer)
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

/** The page of an old release whose plugin broke. */
function fatalPage(failure: Failure): Reply {
  const page = '<!doctype html>\n<title>Error</title>\n<p>There has been a critical error on this website.</p>\n'
  return html(500, failure.detail.reference === undefined ? page : `${page}<!-- ${failure.detail.reference} -->\n`, openHeaders)
}
