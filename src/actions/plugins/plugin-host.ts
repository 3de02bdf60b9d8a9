// The abilities of plugins on the site: calls with their own rights, and requests to confirmed hosts. A plugin that fails too often
// is quarantined.

import { baseUrlText } from '../../base/config.ts'
import { Failure } from '../../base/failure.ts'
import { type Caller, system } from '../../identity/caller.ts'
import type { FetchReply } from '../../plugins/api.ts'
import { findPluginRow, type Plugin } from '../../plugins/plugin-store.ts'
import type { Failing } from '../../plugins/failing.ts'
import type { PluginsHost } from '../../plugins/plugins.ts'
import type { Ask } from '../../plugins/process.ts'
import type { Registered } from '../../plugins/registered.ts'
import { callRights, mayReach } from '../../plugins/rights.ts'
import type { PluginRow } from '../../store/core/schema.ts'
import { dispatch } from '../call/dispatch.ts'
import { readOptions } from '../call/options.ts'
import { pluginAction } from './plugin-actions.ts'
import { commit, recordChange } from '../call/commit.ts'
import type { OperationServices, ProgramServices, Services, StoreServices } from '../call/services.ts'

/** Returns the host of the plugins of a site. */
export function pluginsHost(site: Services): PluginsHost {
  return {
    ask: (plugin, ask) => (ask.kind === 'call' ? callFor(site, plugin, ask) : fetchFor(site, plugin, ask)),
    quarantine: (plugin, reason) => quarantine(site, plugin, reason),
    changed: ({ actions }) => site.registry.replacePlugins(actions.map(pluginAction)),
  }
}

const nameOf = (action: { readonly class: string; readonly action: string }): string => `${action.class}.${action.action}`

/**
 * Returns the plugin as a caller. It has only its confirmed rights (attack 114), within the limits of the caller that it works for.
 */
const callerOf = ({ id, may, registered }: Plugin, { depth, limits }: CallAsk): Caller => ({
  tier: 'admin',
  account: null,
  token: null,
  door: 'plugin',
  address: '',
  plugin: {
    id,
    calls: [...callRights(may), ...registered.actions.map(nameOf)],
    depth,
    limits,
  },
})

type CallAsk = Extract<Ask, { kind: 'call' }>
type FetchAsk = Extract<Ask, { kind: 'fetch' }>

async function callFor(site: Services, plugin: Plugin, ask: CallAsk): Promise<unknown> {
  const name = nameOf(ask)
  const options = readOptions(ask.options as Readonly<Record<string, unknown>>)
  const isRead = site.registry.find(name)?.effect === 'read'
  const call = {
    name,
    input: ask.input as Readonly<Record<string, unknown>>,
    options: ask.dryRun && !isRead ? { ...options, dryRun: true } : options,
  }
  const outcome = await dispatch(site, callerOf(plugin, ask), call, { origin: originOf(site) })
  if (outcome.ok) return outcome.data.parse()
  throw outcome.failure
}

/** Returns the origin for links in answers to plugins, which have no request. */
function originOf({ config }: ProgramServices): string {
  const base = config.POSTERN_BASE_URL
  return base ? baseUrlText(base) : ''
}

/** The longest and shortest wait for another machine, and the time left to the plugin if no answer comes, in milliseconds. */
const fetchMs = { longest: 10_000, shortest: 100, left: 500 }

/** Sends a request for a plugin. The plugin's own process decodes the response body. */
async function fetchFor(
  site: OperationServices,
  plugin: Plugin,
  { url, init, dryRun, leftMs = Infinity }: FetchAsk,
): Promise<Omit<FetchReply, 'body'>> {
  if (dryRun) throw new Failure('refused', 'A dry run sends no requests.', { rule: 'a dry run sends no requests' })
  const { method = 'GET', headers = {}, body } = init as { method?: unknown; headers?: unknown; body?: unknown }
  const good = typeof method === 'string' && isTexts(headers) && (body === undefined || typeof body === 'string')
  if (!good) {
    throw new Failure('invalid', 'A request has a method, headers and a body, all of them texts.', {
      expected: '{method, headers, body}',
    })
  }
  const answer = await site.outbound.fetch(url, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    timeoutMs: Math.floor(Math.max(Math.min(fetchMs.longest, leftMs - fetchMs.left), fetchMs.shortest)),
    allowHost: (host) => mayReach(plugin.may, host),
  })
  const texts = Object.entries(answer.headers).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : value.join(', '),
  ])
  return {
    status: answer.status,
    headers: Object.fromEntries(texts) as Record<string, string>,
    bodyBase64: Buffer.from(answer.body).toString('base64'),
  }
}

const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  value !== null && typeof value === 'object' && Object.values(value).every((one) => typeof one === 'string')

async function quarantine(
  site: StoreServices & ProgramServices,
  { id, revision, package: files }: Failing,
  why: string,
): Promise<void> {
  const now = site.clock.now()
  const reason = await commit(site, 'SVC_Plugins.deactivate', async (open) => {
    const row = await findPluginRow(open.db, id)
    // An inactive plugin is quarantined too, because it failed while it was being activated. A plugin that has been changed or
    // replaced is not.
    if (!row || row.revision !== revision || row.package !== files || row.state === 'quarantined') return undefined
    const reason = why + lossOf(row)
    const recording = {
      caller: system,
      call: 'SVC_Plugins.deactivate',
      effect: 'act',
      summary: 'Quarantines a plugin that failed.',
      input: { id, reason },
      now,
    } as const
    await recordChange(open, recording, (change) => change.update('plugin', row, { state: 'quarantined', reason }))
    return reason
  })
  if (reason !== undefined) site.log.error('plugin quarantined', { plugin: id, source: `plugin:${id}`, reason })
}

/** Returns a warning that calls are no longer guarded, which could otherwise go unnoticed. */
function lossOf({ state, registered }: PluginRow): string {
  const { hooks } = JSON.parse(registered) as Registered
  return state === 'active' && hooks > 0 ? ' Calls that it would refuse are let through until it is activated again.' : ''
}
