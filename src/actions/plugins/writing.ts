// The common parts of writes to plugins: saving the row, a trial start, and the answer.

import { Failure } from '../../base/failure.ts'
import { PluginFatal } from '../../plugins/fatal.ts'
import { freshRow, getPlugin, type Plugin } from '../../plugins/plugin-store.ts'
import type { Registered } from '../../plugins/registered.ts'
import { newId } from '../../store/core/ids.ts'
import type { PluginRow } from '../../store/core/schema.ts'
import type { Context, WriteContext } from '../call/action.ts'
import { type WriteWarning, itemAnswer, itemOutput } from '../call/write-answer.ts'
import { pluginItem, toItem } from './item.ts'

/** The answer of a write to one plugin. */
export const pluginOutput = itemOutput(pluginItem)

/** Changes the row of a plugin, and returns the answer. */
export async function savePlugin(
  context: WriteContext,
  plugin: Plugin,
  patch: Partial<PluginRow>,
  warnings: readonly WriteWarning[] = [],
) {
  const changed = await saveRow(context, plugin, patch)
  const item = toItem(context.site, await getPlugin(context.db, plugin.id))
  const shown = new Set(changed.map((column) => shownAs[column] ?? column))
  return itemAnswer(item, [...shown], warnings)
}

async function saveRow({ change }: WriteContext, plugin: Plugin, patch: Partial<PluginRow>): Promise<readonly string[]> {
  if (plugin.row) return (await change.update('plugin', plugin.row, patch)).changed
  const fresh = freshRow(plugin)
  const changed = Object.entries(patch).filter(([column, value]) => fresh[column as keyof typeof fresh] !== value)
  if (changed.length > 0) await change.insert('plugin', { ...fresh, ...patch })
  return changed.map(([column]) => column)
}

/** The names of some columns in answers. */
const shownAs: Readonly<Record<string, string>> = { secrets: 'settings', registered: 'actions', package: 'files' }

/**
 * Returns the plugin in its present state in the transaction.
 * @throws Failure `conflict` if it has changed since `prepare`
 */
export async function getUnchanged({ db }: Pick<Context, 'db'>, prepared: Pick<Plugin, 'id' | 'revision'>): Promise<Plugin> {
  const plugin = await getPlugin(db, prepared.id)
  if (plugin.revision === prepared.revision) return plugin
  throw overtaken(plugin.id)
}

/** The failure if another call has changed the plugin. */
export const overtaken = (id: string): Failure =>
  new Failure('conflict', `The plugin ${id} was changed by another call at the same time. Read it again and repeat the call.`, {
    id,
  })

/** The result of a trial start: the plugin's registrations, or its fatal error. */
export type TriedOut = { readonly registered: Registered } | { readonly fatal: PluginFatal; readonly reference: string }

/**
 * Starts a plugin once as it would run. A fatal error goes to the log. @throws Failure if the plugin registers something it has no
 * right to
 */
export async function tryOut({ site, now, dryRun }: Context, plugin: Plugin): Promise<TriedOut> {
  try {
    return { registered: await site.plugins.tryOut(plugin, dryRun) }
  } catch (error) {
    if (!(error instanceof PluginFatal)) throw error
    const reference = newId(now)
    const { reason, message } = error
    site.log.error('plugin failed', { plugin: plugin.id, source: `plugin:${plugin.id}`, reference, reason, message })
    return { fatal: error, reference }
  }
}

export function pluginFailure({ id, name }: Plugin, { message }: PluginFatal, reference: string, outcome: string): Failure {
  return new Failure('failed', `${name} failed while it was activated: ${message} ${outcome}`, { plugin: id, reference })
}
