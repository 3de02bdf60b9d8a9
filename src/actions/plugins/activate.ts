import { Type } from 'typebox'
import { getPlugin, nothingRegistered, type Plugin } from '../../plugins/plugin-store.ts'
import { closed } from '../../base/schema.ts'
import { Failure } from '../../base/failure.ts'
import { sameRights } from '../../plugins/rights.ts'
import { action, type Context } from '../call/action.ts'
import { getUnchanged, pluginFailure, pluginOutput, savePlugin, tryOut } from './writing.ts'
import { idProperty, rightsInWords } from './item.ts'

export const activate = action('SVC_Plugins.activate', {
  title: 'Activate [the plugin {title}|a plugin]',
  summary: 'Activates a plugin and confirms its rights. This also ends its quarantine.',
  did: 'activated [the plugin {title}|a plugin]',
  tier: 'admin',
  effect: 'write',
  failures: ['not_found', 'unprocessable'],
  touches: 'unlimited',
  revisioned: true,
  batchable: false,
  input: closed({
    id: idProperty,
    may: Type.Optional(
      Type.Array(Type.String({ maxLength: 300 }), {
        description: 'The rights that you confirm: exactly those in `may` of `get`, in any order.',
        maxItems: 100,
      }),
    ),
  }),
  output: pluginOutput,
  examples: [{ title: 'Accept old API keys', input: { id: 'legacy-bridge', may: ['authenticate'] } }],
  async prepare(context, { id, may = [] }) {
    const plugin = await getPlugin(context.db, id)
    checkConfirmed(plugin, may)
    return prepareActive(context, { ...plugin, may: plugin.manifest.may })
  },
  async run(context, _input, { plugin: prepared, registered, warnings }) {
    const plugin = await getUnchanged(context, prepared)
    const { version, may } = plugin.manifest
    const confirmed = { version, may: JSON.stringify(may), registered: JSON.stringify(registered) }
    return savePlugin(context, plugin, { ...confirmed, state: 'active', reason: null }, warnings)
  },
})

/** @throws Failure `refused`, with the meaning of each right, unless exactly these rights are confirmed */
function checkConfirmed({ name, manifest }: Plugin, may: readonly string[]): void {
  if (sameRights(may, manifest.may)) return
  const rights = rightsInWords(manifest.may)
  const words = rights.map(({ right, means }) => `${right}: ${means}`).join('; ')
  throw new Failure('refused', `${name} asks for rights that only you can give. To activate it, confirm each of them.`, {
    field: 'may',
    expected: rights,
    rule: 'a plugin has only the rights that the owner confirmed',
    hint:
      rights.length === 0
        ? 'It asks for no rights: leave `may` out.'
        : `Repeat the call with "may": ${JSON.stringify(manifest.may)} to grant these rights: ${words}.`,
  })
}

/**
 * @throws Failure `failed` if the plugin can't be activated. It is then quarantined, except in release profiles that ignore fatal
 * errors
 */
async function prepareActive(context: Context, plugin: Plugin) {
  const { site, dryRun } = context
  const tried = await tryOut(context, plugin)
  if ('registered' in tried) return { plugin, registered: tried.registered, warnings: [] }
  const { fatal, reference } = tried
  // The files of the plugin may have changed during its start.
  await getUnchanged(context, plugin)
  if (site.release.pluginFatal === 'page') {
    const message = `The plugin fails when it starts: ${fatal.message} It is active anyway, as in release ${site.release.name}.`
    return { plugin, registered: nothingRegistered, warnings: [{ code: 'plugin_failed', message }] }
  }
  // An unchanged bundled plugin has no row for the state.
  if (dryRun || !plugin.row) throw pluginFailure(plugin, fatal, reference, 'Nothing was changed.')
  await site.plugins.quarantine(plugin, `It could not be activated: ${fatal.message}`)
  throw pluginFailure(plugin, fatal, reference, 'It is quarantined.')
}
