// Reads `theme.json` and the values of a theme's settings. Each violation of the contract gets one sentence.

import { isObject, parseObject } from '../base/json.ts'
import { checkUrl, mediaSchemes } from '../content/markdown/safe-url.ts'
import { type ThemeManifest, type ThemeSetting, settingTypes } from './contract.ts'
import type { ThemeProblem } from './engine/theme-jobs.ts'

export type ThemeSettingValue = string | number | boolean | null

export const maxSettings = 100
const limits = { settings: maxSettings, options: 50, menus: 20, widths: 20, text: 2000 } as const

/** Parses the text of `theme.json`; returns the manifest, or a problem. */
export function parseThemeManifest(text: string): ThemeManifest | ThemeProblem {
  const fault = (message: string): ThemeProblem => ({ file: 'theme.json', line: null, message })
  const given = parseObject(text)
  if (!given) return fault('is not a JSON object')
  const { name, version, contract, settings = [], menus = {}, image_widths: widths, description, author, ...unknown } = given
  const [extra] = Object.keys(unknown)
  if (extra !== undefined) return fault(`has an unknown member ${JSON.stringify(extra.slice(0, 60))}`)
  if (!isLine(name, 100)) return fault('"name" must be a text of at most 100 characters')
  if (!isLine(version, 40)) return fault('"version" must be a text such as "1.0.0"')
  if (contract !== 1) return fault('"contract" must be 1')
  for (const [key, value] of [
    ['description', description],
    ['author', author],
  ] as const)
    if (value !== undefined && !isLine(value, 500)) return fault(`"${key}" must be a text of at most 500 characters`)
  if (!Array.isArray(settings) || settings.length > limits.settings)
    return fault(`"settings" must be a list of at most ${limits.settings} settings`)
  const seen = new Set<string>()
  for (const [at, setting] of settings.entries()) {
    const wrong = faultOfSetting(setting, seen)
    // The id names the setting, because its place in the list changes when the base's settings are joined.
    if (wrong !== undefined) return fault(`"settings.${nameOf(setting) ?? at}" ${wrong}`)
  }
  const isMenus =
    isObject(menus) &&
    Object.entries(menus).every(([location, label]) => idForm.test(location) && isLine(label, 100)) &&
    Object.keys(menus).length <= limits.menus
  if (!isMenus) return fault('"menus" must have labels by location, such as {"main": "Main menu"}')
  const isWidths =
    widths === undefined ||
    (Array.isArray(widths) && widths.length <= limits.widths && widths.every((width) => Number.isInteger(width) && width > 0))
  if (!isWidths) return fault('"image_widths" must be a list of whole numbers')
  return { ...given, settings, menus } as unknown as ThemeManifest
}

export const isProblem = (value: ThemeManifest | ThemeProblem): value is ThemeProblem => 'message' in value

const idForm = /^[a-z][a-z0-9_]{0,40}$/
const isLine = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= max && !/\p{Cc}/u.test(value)

const nameOf = (setting: unknown): string | undefined =>
  isObject(setting) && typeof setting['id'] === 'string' ? setting['id'].slice(0, 60) : undefined

function faultOfSetting(given: unknown, seen: Set<string>): string | undefined {
  if (!isObject(given)) return 'must be an object'
  const setting = given as Partial<ThemeSetting>
  const { id, type, label, options } = setting
  if (typeof id !== 'string' || !idForm.test(id)) return '"id" must be lower-case letters, digits and underscores'
  if (seen.has(id)) return `"id" ${id} is there twice`
  seen.add(id)
  if (!settingTypes.some((one) => one === type)) return `"type" must be one of ${settingTypes.join(', ')}`
  if (!isLine(label, 200)) return '"label" must be a text of at most 200 characters'
  if (type === 'select' || options !== undefined) {
    const good =
      Array.isArray(options) &&
      options.length > 0 &&
      options.length <= limits.options &&
      options.every((option) => typeof option?.value === 'string' && isLine(option.label, 200))
    if (!good) return '"options" must be a list such as [{"value": "wide", "label": "Wide"}]'
  }
  if (!('default' in setting)) return 'has no "default"'
  const wrong = setting.default === null ? undefined : faultOfValue(setting as ThemeSetting, setting.default)
  return wrong === undefined ? undefined : `"default" must be ${wrong}`
}

/** The requirement that a value violates, as words after "must be"; undefined for a valid value. */
export function faultOfValue(setting: ThemeSetting, value: unknown): string | undefined {
  return faults[setting.type](setting, value)
}

const faults: Readonly<Record<ThemeSetting['type'], (setting: ThemeSetting, value: unknown) => string | undefined>> = {
  text: (_setting, value) => {
    if (typeof value !== 'string' || value.length > limits.text || /[^\P{Cc}\n\t]/u.test(value))
      return `a text of at most ${limits.text} characters`
    // A theme may put any text into a link (attack 146).
    return /^\s*(?:javascript|vbscript|data)\s*:/i.test(value) ? 'a text, not an address that runs a script' : undefined
  },
  boolean: (_setting, value) => (typeof value === 'boolean' ? undefined : 'true or false'),
  select: isOption,
  // The theme's style sheet defines the names of fonts.
  font: (setting, value) =>
    setting.options
      ? isOption(setting, value)
      : /^[a-z][a-z0-9-]{0,40}$/.test(String(value))
        ? undefined
        : 'the name of a font of the theme',
  color: (_setting, value) =>
    typeof value === 'string' && /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(value) ? undefined : 'a colour such as "#1a5fb4"',
  image: (_setting, value) =>
    typeof value === 'string' && value.length <= 1000 && value !== '' && checkUrl(value, mediaSchemes).safe
      ? undefined
      : 'the address of an image, or null',
  number: ({ min = -1e9, max = 1e9 }, value) =>
    typeof value === 'number' && value >= min && value <= max ? undefined : `a number from ${min} to ${max}`,
}

function isOption({ options = [] }: ThemeSetting, value: unknown): string | undefined {
  return options.some((option) => option.value === value)
    ? undefined
    : `one of ${options.map((option) => JSON.stringify(option.value)).join(', ')}`
}

/** The values for templates: the owner's choices that are still valid, otherwise the defaults. */
export function effectiveSettings(
  { settings }: ThemeManifest,
  chosen: Readonly<Record<string, unknown>>,
): Readonly<Record<string, ThemeSettingValue>> {
  return Object.fromEntries(
    settings.map((setting) => {
      const value = Object.hasOwn(chosen, setting.id) ? chosen[setting.id] : undefined
      const usable = value !== undefined && value !== null && faultOfValue(setting, value) === undefined
      return [setting.id, (usable ? value : setting.default) as ThemeSettingValue]
    }),
  )
}
