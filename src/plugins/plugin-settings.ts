// A plugin's settings: what its owner gave held against its manifest, with secrets kept apart from what may be shown.

import { Failure } from '../failure.ts'
import type { PluginSetting } from './api.ts'
import type { Manifest } from './manifest.ts'

export type SettingValue = string | number | boolean
export type PluginSettingValues = Readonly<Record<string, SettingValue>>

/** As a row keeps them: JSON texts, of what was given only. */
export interface StoredSettings {
  readonly settings: string
  readonly secrets: string
}

/** Longest text of a setting, and of a secret. */
const maxTextLength = 10_000

/** For each kind: whether a value is of it, and what would be. */
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

/** What a plugin's process is given: stored values that still fit, else defaults. What has neither is left out. */
export function filledSettings(manifest: Manifest, stored: StoredSettings | undefined): PluginSettingValues {
  const { settings, secrets } = readStored(stored)
  const values = Object.entries(manifest.settings).flatMap(([key, setting]) => {
    const given = (setting.kind === 'secret' ? secrets : settings)[key]
    // After an update a setting may be of another kind.
    const value = given !== undefined && kinds[setting.kind].takes(given, setting) ? given : setting.default
    return value === undefined ? [] : [[key, value]]
  })
  return Object.fromEntries(values) as PluginSettingValues
}

/**
 * The stored settings with these put over them; null takes one away, so that its default holds.
 * @throws Failure `invalid` for a key that the manifest doesn't have, and for a value of another kind; no secret is repeated
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
    const place = setting.kind === 'secret' ? secrets : settings
    if (value === null) delete place[key]
    else place[key] = checkValue(key, setting, value)
  }
  return { settings: JSON.stringify(settings), secrets: JSON.stringify(secrets) }
}

/** What a person sees of a setting's value: of a secret only whether there is one. */
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

type Given = Record<string, SettingValue>

/** Without a prototype: a key is a key, whatever it is called. */
function readStored(stored: StoredSettings | undefined): { settings: Given; secrets: Given } {
  const read = (text: string | undefined) =>
    Object.assign(Object.create(null), text === undefined ? {} : JSON.parse(text)) as Given
  return { settings: read(stored?.settings), secrets: read(stored?.secrets) }
}
