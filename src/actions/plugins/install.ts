// SVC_Plugins.install: adds a package to the site as a plugin. It stays inactive until the owner confirms its rights.

import { itemAnswer } from '../call/write-answer.ts'
import type { WriteWarning } from '../call/write-answer.ts'
import { type Static } from 'typebox'
import { Failure } from '../../base/failure.ts'
import { bundledPlugins } from '../../plugins/bundled.ts'
import type { Manifest } from '../../plugins/manifest.ts'
import { findPluginRow, freshRow, getPlugin } from '../../plugins/plugin-store.ts'
import type { Db } from '../../store/core/database.ts'
import type { PluginRow } from '../../store/core/schema.ts'
import { action, type WriteContext } from '../call/action.ts'
import { type Arrived, arrive, isPlaced, discardArrived } from './arrival.ts'
import { greeterPackage } from './example-package.ts'
import { toItem } from './item.ts'
import { packageProperties } from './package-input.ts'
import { overtaken, pluginOutput } from './writing.ts'
import { closed } from '../../base/schema.ts'

export const install = action('SVC_Plugins.install', {
  title: 'Install [the plugin {title}|a plugin]',
  summary: 'Installs a plugin from a zip. It stays inactive until `activate` confirms its rights.',
  did: 'installed [the plugin {title}|a plugin]',
  tier: 'admin',
  effect: 'write',
  failures: ['not_found', 'conflict', 'exists', 'unprocessable', 'unreachable'],
  touches: 'unlimited',
  job: true,
  input: closed(packageProperties),
  output: pluginOutput,
  examples: [{ title: 'A small package inside the call', input: { base64: greeterPackage } }],
  prepare: (context, input) => arrive(context, input, ({ manifest, hash }) => checkFree(context.db, manifest, hash)),
  abandon: ({ site }, arrived) => discardArrived(site, arrived),
  async run(context, _input, arrived: Arrived): Promise<Static<typeof pluginOutput>> {
    const { db, site, dryRun } = context
    await checkFree(db, arrived.manifest, arrived.hash)
    if (!dryRun && !isPlaced(site, arrived)) throw overtaken(arrived.manifest.id)
    const row = await findPluginRow(db, arrived.manifest.id)
    const { changed, warnings } = row?.package === arrived.hash ? unchanged : await write(context, arrived, row)
    const item = toItem(site, await getPlugin(db, arrived.manifest.id))
    return itemAnswer(item, changed, warnings)
  },
})

/** @throws Failure `exists` if a plugin with this id is installed, unless it is the same package */
async function checkFree(db: Db, { id, name }: Manifest, hash: string): Promise<void> {
  if (bundledPlugins().has(id))
    throw new Failure('exists', `A plugin with the id ${id} is bundled with Postern.`, { by: id, hint: 'Give yours another id.' })
  const row = await findPluginRow(db, id)
  if (row === undefined || row.package === '' || row.package === hash) return
  throw new Failure('exists', `${name} is installed already, in version ${row.version}.`, {
    by: id,
    hint: 'Use SVC_Plugins.update to install another version.',
  })
}

const unchanged = { changed: [], warnings: [] } as const

/** Writes the row. The stored settings of a deleted plugin are reused, unless another key signed the new package. */
async function write({ change }: WriteContext, arrived: Arrived, row: PluginRow | undefined) {
  const { manifest, hash, signer } = arrived
  const fresh = freshRow({ id: manifest.id, version: manifest.version, package: hash, manifest, signer })
  if (!row) {
    await change.insert('plugin', fresh)
    return { changed: ['files'], warnings: [] }
  }
  const { settings: _settings, secrets: _secrets, ...files } = fresh
  const isOthers = row.signer !== null && row.signer !== signer
  await change.update('plugin', row, isOthers ? fresh : files)
  const warnings: WriteWarning[] = isOthers
    ? [
        {
          code: 'settings_dropped',
          message: 'The package is signed by another key than before, so its kept settings were deleted.',
        },
      ]
    : []
  return { changed: ['files'], warnings }
}
