// A plugin's settings: checks the owner's values against the manifest, and stores secrets apart from the values that can be shown.

import { Failure } from '../base/failure.ts'
import type { PluginSetting } from './api.ts'
import type { Manifest } from './manifest.ts'

export type SettingValue = string | number | boolean
export type PluginSettingValues = Readonly<Record<string, SettingValue>>

/** The two columns of a row: JSON texts with the values that the owner set. */
export interface StoredSettings {
  readonly settings: string
  readonly secrets: string
}

/** Longest text of a setting, and of a secret. */
const maxTextLength = 10_000

/** The check of values for each kind, and the accepted values in words. */
const kinds: Readonly<
  Record<
    PluginSetting['kind'],
    { takes(value: unknown, setting: PluginSetting): boolean; expected(setting: PluginSetting): string }
  >
> = {
  text: { takes: isText, expected: () => `a text of at most ${maxTextLength} characters` },
  secret: { takes: isText, expected: () => `a text of at most ${maxTextLength} characters` },
  number: { takes: (value) => typeof value === 'number' && Number.isFinite(value), expected: () => 'a number' },
  boolean: { takes: (value) => typeof value === 'boolean', expected: () => 'true or false' },
  choice: {
    takes: (value, { options }) => typeof value === 'string' && options?.includes(value) === true,
    expected: ({ options = [] }) => `one of ${options.map((option) => JSON.stringify(option)).join(', ')}`,
  },
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= maxTextLength
}

/** The settings for a plugin's process: stored values that still fit, otherwise defaults. A setting with neither is left out. */
export function filledSettings(manifest: Manifest, stored: StoredSettings | undefined): PluginSettingValues {
  const { settings, secrets } = readStored(stored)
  const values = Object.entries(manifest.settings).flatMap(([key, setting]) => {
    const storedValue = (setting.kind === 'secret' ? secrets : settings)[key]
    // An update of the plugin can change the kind of a setting.
    const fits = storedValue !== undefined && kinds[setting.kind].takes(storedValue, setting)
    const value = fits ? storedValue : setting.default
    return value === undefined ? [] : [[key, value]]
  })
  return Object.fromEntries(values) as PluginSettingValues
}

/**
 * Merges the given values into the stored settings. A null removes a value, so that the default applies.
 * @throws Failure `invalid` for a key that the manifest doesn't have, and for a value of another kind; the message contains no
 * secret
 */
export function mergeSettings(
  manifest: Manifest,
  stored: StoredSettings | undefined,
  given: Readonly<Record<string, unknown>>,
): StoredSettings {
  const { settings, secrets } = readStored(stored)
  for (const [key, value] of Object.entries(given)) {
    const setting = Object.hasOwn(manifest.settings, key) ? manifest.settings[key] : undefined
    if (!setting) throw unknownSetting(manifest, key)
    const target = setting.kind === 'secret' ? secrets : settings
    if (value === null) delete target[key]
    else target[key] = checkValue(key, setting, value)
  }
  return { settings: JSON.stringify(settings), secrets: JSON.stringify(secrets) }
}

/** A setting's value for display. A secret is shown only as set or not set. */
export function shownSetting(setting: PluginSetting, value: SettingValue | undefined): SettingValue | null {
  if (setting.kind === 'secret') return value !== undefined && value !== ''
  return value ?? null
}

function checkValue(key: string, setting: PluginSetting, value: unknown): SettingValue {
  const kind = kinds[setting.kind]
  if (kind.takes(value, setting)) return value as SettingValue
  const expected = kind.expected(setting)
  throw new Failure('invalid', `The setting ${JSON.stringify(key)} must be ${expected}.`, { field: `settings.${key}`, expected })
}

function unknownSetting(manifest: Manifest, key: string): Failure {
  const known = Object.keys(manifest.settings)
  const name = key.slice(0, 80).toWellFormed()
  return new Failure('invalid', `${manifest.name} has no setting ${JSON.stringify(name)}.`, {
    field: `settings.${name}`,
    expected: known.length === 0 ? 'nothing: it has no settings' : `one of ${known.join(', ')}`,
  })
}

type Values = Record<string, SettingValue>

/** The objects have no prototype, so that a key such as `constructor` is an ordinary key. */
function readStored(stored: StoredSettings | undefined): { settings: Values; secrets: Values } {
  const read = (text: string | undefined) =>
    Object.assign(Object.create(null), text === undefined ? {} : JSON.parse(text)) as Values
  return { settings: read(stored?.settings), secrets: read(stored?.secrets) }
}
