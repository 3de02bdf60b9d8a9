// SVC_Plugins.update: replaces an installed plugin with another version. It stays active only if it asks for no new rights.

import type { WriteWarning } from '../call/write-answer.ts'
import gt from 'semver/functions/gt.js'
import { type Static } from 'typebox'
import { Failure } from '../../base/failure.ts'
import { filledSettings } from '../../plugins/plugin-settings.ts'
import { freshRow, getPlugin, nothingRegistered, type Plugin } from '../../plugins/plugin-store.ts'
import type { Registered } from '../../plugins/registered.ts'
import { action, type Context } from '../call/action.ts'
import { type Arrived, arrive, isPlaced, discardArrived } from './arrival.ts'
import { helloPackage } from './example-package.ts'
import { rightsInWords } from './item.ts'
import { packageProperties } from './package-input.ts'
import { getUnchanged, overtaken, pluginOutput, savePlugin, tryOut } from './writing.ts'
import { closed } from '../../base/schema.ts'

interface Prepared {
  readonly plugin: Plugin
  readonly arrived: Arrived
  /** The registrations of the new version; undefined if it will be inactive. */
  readonly registered: Registered | undefined
  readonly warnings: readonly WriteWarning[]
}

export const update = action('SVC_Plugins.update', {
  title: 'Update [the plugin {title}|a plugin]',
  summary: 'Replaces an installed plugin by another version. A version that asks for more rights becomes inactive.',
  did: 'updated [the plugin {title}|a plugin]',
  tier: 'admin',
  effect: 'write',
  failures: ['not_found', 'unprocessable', 'unreachable'],
  touches: 'unlimited',
  revisioned: true,
  job: true,
  input: closed(packageProperties),
  output: pluginOutput,
  examples: [{ title: 'A newer version inside the call', input: { base64: helloPackage } }],
  async prepare(context, input): Promise<Prepared> {
    const arrived = await arrive(context, input, async (one) => checkSuccessor(await getPlugin(context.db, one.manifest.id), one))
    try {
      return await prepareUpdate(context, await getPlugin(context.db, arrived.manifest.id), arrived)
    } catch (error) {
      if (!context.dryRun) await discardArrived(context.site, arrived)
      throw error
    }
  },
  abandon: ({ site }, { arrived }) => discardArrived(site, arrived),
  async run(context, _input, { plugin: prepared, arrived, registered, warnings }): Promise<Static<typeof pluginOutput>> {
    const plugin = await getUnchanged(context, prepared)
    if (!context.dryRun && !isPlaced(context.site, arrived)) throw overtaken(plugin.id)
    if (plugin.package === arrived.hash) return savePlugin(context, plugin, {})
    const { manifest, hash, signer } = arrived
    const {
      settings: _settings,
      secrets: _secrets,
      ...files
    } = freshRow({ id: plugin.id, version: manifest.version, package: hash, manifest, signer })
    const may = JSON.stringify(manifest.may)
    const state = registered ? { state: 'active', may, registered: JSON.stringify(registered) } : {}
    return savePlugin(context, plugin, { ...files, ...state }, warnings)
  },
})

/** @throws Failure `refused` for a bundled plugin, and for a package signed with another key than the installed one */
function checkSuccessor({ id, name, bundled, signer }: Plugin, arrived: Pick<Arrived, 'signer'>): void {
  if (bundled)
    throw new Failure('refused', `${name} is bundled with Postern and is updated with it.`, {
      id,
      rule: 'bundled plugins are not updated separately',
    })
  if (signer !== null && signer !== arrived.signer)
    throw new Failure(
      'refused',
      `${name} was signed by ${signer}; this package ${arrived.signer === null ? 'is not signed' : `is signed by ${arrived.signer}`}.`,
      {
        id,
        rule: 'an update is signed by the same key',
        hint: 'If you trust this package, delete the plugin and install the package.',
      },
    )
}

async function prepareUpdate(context: Context, plugin: Plugin, arrived: Arrived): Promise<Prepared> {
  const { manifest } = arrived
  const warnings =
    gt(manifest.version, plugin.version) || plugin.package === arrived.hash ? [] : [notNewer(plugin, manifest.version)]
  if (plugin.state !== 'active' || plugin.package === arrived.hash) return { plugin, arrived, registered: undefined, warnings }
  const grown = manifest.may.filter((right) => !plugin.may.includes(right))
  if (grown.length > 0) return { plugin, arrived, registered: undefined, warnings: [...warnings, asksForMore(grown)] }
  // A dry run writes no files, so the plugin can't be started.
  if (context.dryRun) return { plugin, arrived, registered: nothingRegistered, warnings }
  const settings = filledSettings(manifest, plugin.row)
  const next: Plugin = {
    ...plugin,
    manifest,
    name: manifest.name,
    version: manifest.version,
    package: arrived.hash,
    may: manifest.may,
    settings,
  }
  const tried = await tryOut(context, next)
  if ('registered' in tried) return { plugin, arrived, registered: tried.registered, warnings }
  const message = `The plugin failed when it started, and is now inactive: ${tried.fatal.message}`
  return { plugin, arrived, registered: undefined, warnings: [...warnings, { code: 'plugin_failed', message }] }
}

const notNewer = ({ version }: Plugin, given: string): WriteWarning => ({
  code: 'not_newer',
  message: `The version ${given} is not newer than the installed version ${version}.`,
})

function asksForMore(grown: readonly string[]): WriteWarning {
  const words = rightsInWords(grown).map(({ right, means }) => `${right} (${means})`)
  return {
    code: 'inactive',
    message: `The plugin asks for more rights, and is inactive until you confirm them: ${words.join(', ')}.`,
  }
}
