import { Type } from 'typebox'
import { includesTier } from '../../identity/caller.ts'
import { closed } from '../../base/schema.ts'
import { definitionOf, settingGroups, settingKeys, settingKinds } from '../../settings/definitions.ts'
import { action } from '../call/action.ts'

export const list = action('SVC_Settings.list', {
  title: 'List the settings',
  summary: "Lists the site's settings with their values.",
  tier: 'read',
  effect: 'read',
  input: closed({ group: Type.Optional(Type.Enum([...settingGroups], { description: 'Only settings of this group.' })) }),
  output: Type.Object({
    items: Type.Array(
      Type.Object({
        key: Type.String(),
        group: Type.Enum([...settingGroups]),
        value: Type.Unknown(),
        kind: Type.Enum([...settingKinds]),
        default: Type.Unknown(),
        help: Type.String(),
      }),
    ),
  }),
  examples: [
    { title: 'All of them', input: {} },
    { title: 'Name and language of the site', input: { group: 'site' } },
  ],
  run({ caller, site }, { group: wanted }) {
    const shown = settingKeys(site.release).filter((key) => {
      const { group, tier } = definitionOf(key)
      return (wanted === undefined || group === wanted) && includesTier(caller.tier, tier)
    })
    return {
      items: shown.map((key) => {
        const { group, kind, fallback, help } = definitionOf(key)
        return { key, group, value: site.settings.values[key], kind, default: fallback, help }
      }),
    }
  },
})
