// Checks the settings that a plugin declares in `plugin.json`. `plugin-settings.ts` handles the owner's values.

import { Failure } from '../base/failure.ts'
import { isObject } from '../base/json.ts'
import type { PluginSetting } from './api.ts'

const maxSettings = 100
const maxOptions = 100
const maxText = 10_000

type Test = (value: unknown, setting: PluginSetting) => boolean

const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length <= max && value.isWellFormed() && !value.includes('\0')

const isLabel: Test = (value) => isText(value, 200) && value !== '' && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value)

/** The valid defaults of each kind. A secret has no default, because everyone can read `plugin.json`. */
const defaults: Readonly<Record<PluginSetting['kind'], { readonly good: Test; readonly expected: string }>> = {
  text: { good: (value) => isText(value, maxText), expected: 'a text' },
  number: { good: (value) => typeof value === 'number' && Number.isFinite(value), expected: 'a number' },
  boolean: { good: (value) => typeof value === 'boolean', expected: 'true or false' },
  choice: {
    good: (value, { options }) => typeof value === 'string' && options?.includes(value) === true,
    expected: 'one of "options"',
  },
  secret: { good: () => false, expected: 'left out: a secret has no default' },
}

const kinds = Object.keys(defaults)

/** The members of a setting, in the order in which they are checked. Later checks rely on earlier ones. */
const members: Readonly<
  Record<keyof PluginSetting, { readonly good: Test; readonly expected: (setting: PluginSetting) => string }>
> = {
  kind: { good: (value) => kinds.includes(value as string), expected: () => `one of ${kinds.join(', ')}` },
  label: { good: isLabel, expected: () => 'a text of 1 to 200 characters on one line' },
  help: { good: (value) => value === undefined || isText(value, maxText), expected: () => 'a text' },
  options: {
    good: (value, { kind }) => (kind === 'choice' ? isOptions(value) : value === undefined),
    expected: ({ kind }) =>
      kind === 'choice' ? `a list of 1 to ${maxOptions} different texts` : 'left out: only a choice has options',
  },
  default: {
    good: (value, setting) => value === undefined || defaults[setting.kind].good(value, setting),
    expected: ({ kind }) => defaults[kind].expected,
  },
}

/**
 * Checks each declared setting.
 * @throws Failure `unprocessable`, with the path of the invalid member, such as `settings.api_key.kind`
 */
export function readSettingForms(value: Readonly<Record<string, unknown>>): Readonly<Record<string, PluginSetting>> {
  const entries = Object.entries(value)
  if (entries.length > maxSettings) throw fault('settings', `an object of at most ${maxSettings} settings`)
  return Object.fromEntries(entries.map(([key, setting]) => [key, readSettingForm(key, setting)]))
}

function readSettingForm(key: string, value: unknown): PluginSetting {
  const path = `settings.${key.slice(0, 100)}`
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(key)) throw fault(path, 'named by lower-case letters, digits and underscores, at most 64')
  if (!isObject(value)) throw fault(path, 'an object with "kind" and "label"')
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(members, name))
  if (unknown !== undefined)
    throw fault(`${path}.${unknown.slice(0, 100)}`, `left out: a setting has ${Object.keys(members).join(', ')}`)
  const setting = value as unknown as PluginSetting
  for (const [name, { good, expected }] of Object.entries(members))
    if (!good(setting[name as keyof PluginSetting], setting)) throw fault(`${path}.${name}`, expected(setting))
  return setting
}

const isOptions = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= maxOptions &&
  value.every((option) => isText(option, 200) && option !== '') &&
  new Set(value).size === value.length

const fault = (field: string, expected: string): Failure =>
  new Failure('unprocessable', `plugin.json: ${JSON.stringify(field)} must be ${expected}.`, { field, expected })
