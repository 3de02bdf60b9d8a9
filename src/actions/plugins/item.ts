// A plugin in answers: rights in plain words, registrations, settings. Of a secret, only whether it is set.

import { type Static, Type } from 'typebox'
import { describeRight, parseRight, sameRights } from '../../plugins/rights.ts'
import type { PluginSetting } from '../../plugins/api.ts'
import { shownSetting } from '../../plugins/plugin-settings.ts'
import { type Plugin, pluginStates } from '../../plugins/plugin-store.ts'
import { formatDate } from '../../settings/time-zone.ts'
import type { Services } from '../call/services.ts'
import { nullable } from '../call/write-answer.ts'
import { nonEmptyText } from '../../base/schema.ts'

/** `id` of an input. */
export const idProperty = nonEmptyText('Id of a plugin, such as `legacy-bridge`.', 100)

const leanProperties = {
  id: Type.String(),
  name: Type.String(),
  version: Type.String(),
  description: Type.String(),
  state: Type.Enum([...pluginStates]),
  reason: nullable(Type.String(), 'Why it is quarantined.'),
  bundled: Type.Boolean({ description: 'Bundled with Postern: it is not installed or deleted.' }),
  revision: Type.Integer({ description: '0 for a bundled plugin that was never changed.' }),
  created_at: nullable(Type.String()),
  updated_at: nullable(Type.String()),
}

/** An item of a list. */
export const leanPluginItem = Type.Object(leanProperties)

/** The rights of a plugin, as `activate` confirms them. */
const rightsProperty = Type.Array(Type.Object({ right: Type.String(), means: Type.String() }), {
  description: 'The rights that it asks for. `activate` confirms exactly these.',
})

const settingKinds: readonly PluginSetting['kind'][] = ['text', 'number', 'boolean', 'choice', 'secret']

const settingItem = Type.Object({
  key: Type.String(),
  kind: Type.Enum([...settingKinds]),
  label: Type.String(),
  help: nullable(Type.String()),
  value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
    description: 'The current value. For a secret, only whether it is set.',
  }),
  options: Type.Optional(Type.Array(Type.String())),
})

export type PluginSettingItem = Static<typeof settingItem>

const errorItem = Type.Object({ at: Type.String(), reason: Type.String(), message: Type.String() })

/** A whole plugin. */
export const pluginItem = Type.Object({
  ...leanProperties,
  may: rightsProperty,
  confirmed: Type.Boolean({ description: 'Whether the owner has confirmed exactly these rights.' }),
  actions: Type.Array(Type.String(), { description: 'The actions that it adds.' }),
  filters: Type.Array(Type.String()),
  routes: Type.Array(Type.String()),
  events: Type.Array(Type.String()),
  jobs: Type.Array(Type.String(), { description: 'How often each job runs.' }),
  hooks: Type.Integer({ description: 'How many of its functions run before each call.' }),
  authenticates: Type.Boolean({ description: 'Whether it authenticates requests by X-API-Key.' }),
  settings: Type.Array(settingItem),
  signer: nullable(Type.String(), 'Fingerprint of the key that signed it.'),
  errors: Type.Array(errorItem, { description: 'Its recent failures, since the service started.' }),
})

export type PluginItem = Static<typeof pluginItem>

/** Returns a plugin as an item of a list. */
export function toLeanItem({ id, name, version, manifest, state, reason, bundled, revision, row }: Plugin) {
  return {
    id,
    name,
    version,
    description: manifest.description,
    state,
    reason,
    bundled,
    revision,
    created_at: row ? formatDate(row.created_at) : null,
    updated_at: row ? formatDate(row.updated_at) : null,
  }
}

/** Returns a plugin as a whole item. */
export function toItem({ plugins }: Pick<Services, 'plugins'>, plugin: Plugin): PluginItem {
  const { manifest, registered, signer, id } = plugin
  return {
    ...toLeanItem(plugin),
    may: rightsInWords(manifest.may),
    confirmed: sameRights(plugin.may, manifest.may),
    actions: registered.actions.map((one) => `${one.class}.${one.action}`),
    filters: [...registered.filters],
    routes: registered.routes.map(({ method, path }) => `${method} /ext/${id}${path}`),
    events: [...registered.events],
    jobs: registered.jobs.map(({ everyMs }) => everyInWords(everyMs)),
    hooks: registered.hooks,
    authenticates: registered.authenticates,
    settings: Object.entries(manifest.settings).map(([key, setting]) => toSetting(key, setting, plugin)),
    signer,
    errors: plugins.errorsOf(id).map(({ at, reason, message }) => ({ at: formatDate(at), reason, message })),
  }
}

/** Returns each right with its meaning, for the owner who confirms them. */
export function rightsInWords(may: readonly string[]): { right: string; means: string }[] {
  return may.map((right) => {
    const parsed = parseRight(right)
    return { right, means: parsed ? describeRight(parsed) : right }
  })
}

function toSetting(key: string, setting: PluginSetting, { settings }: Plugin): Static<typeof settingItem> {
  const { kind, label, help = null, options } = setting
  const value = shownSetting(setting, settings[key])
  return { key, kind, label, help, value, ...(options ? { options: [...options] } : {}) }
}

const units: readonly (readonly [ms: number, unit: string])[] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
]

function everyInWords(ms: number): string {
  const [size, unit] = units.find(([each]) => ms % each === 0) ?? [1, 'millisecond']
  const count = ms / size
  return count === 1 ? `every ${unit}` : `every ${count} ${unit}s`
}
