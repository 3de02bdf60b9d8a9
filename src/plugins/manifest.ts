// Reads `plugin.json`: checks every member and fills in the defaults. `stage-package.ts` checks that the file in `main` exists.

import valid from 'semver/functions/valid.js'
import { Failure } from '../base/failure.ts'
import { isObject } from '../base/json.ts'
import type { PluginManifest, PluginSetting } from './api.ts'
import { faultOfPath } from './package-path.ts'
import { whyNoRight } from './rights.ts'
import { readSettingForms } from './setting-form.ts'

export const manifestName = 'plugin.json'

/** `plugin.json` with its defaults filled in. */
export interface Manifest extends PluginManifest {
  readonly description: string
  readonly may: readonly string[]
  readonly settings: Readonly<Record<string, PluginSetting>>
}

const maxRights = 100

/** The prefix of core classes, which plugins can't use. */
const core = 'svc'

type Test = (value: unknown) => boolean

/** One line of text for people, without control characters and characters that change the direction of text. */
const line =
  (min: number, max: number): Test =>
  (value) =>
    typeof value === 'string' && /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u.test(value) && within([...value].length, min, max)

const within = (count: number, min: number, max: number): boolean => count >= min && count <= max

interface Member {
  readonly good: Test
  readonly expected: string
  readonly fallback?: unknown
}

const members: Readonly<Record<keyof PluginManifest, Member>> = {
  id: {
    good: isPluginId,
    expected: 'lower-case letters, digits and single hyphens, 2 to 32 characters, and neither "svc" nor "svc-…"',
  },
  name: { good: line(1, 100), expected: 'a text of 1 to 100 characters on one line' },
  version: {
    good: (value) => typeof value === 'string' && value.length <= 64 && /^\d\S*$/.test(value) && valid(value) !== null,
    expected: 'a semantic version of at most 64 characters, such as "1.2.0"',
  },
  main: { good: isMain, expected: 'the path of a .js or .mjs file in the plugin\'s folder, such as "index.js"' },
  description: { good: line(0, 1000), expected: 'a text of at most 1,000 characters on one line', fallback: '' },
  may: {
    good: (value) => Array.isArray(value) && value.length <= maxRights && value.every((item) => typeof item === 'string'),
    expected: `a list of at most ${maxRights} rights`,
    fallback: [],
  },
  settings: { good: isObject, expected: 'an object with a member for each setting', fallback: {} },
}

/**
 * Reads `plugin.json`.
 * @throws Failure `unprocessable` with the invalid member and its expected form
 */
export function readPluginManifest(text: string): Manifest {
  const value = readObject(text)
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(members, name))
  if (unknown !== undefined) {
    const known = Object.keys(members)
    const sentence = `${manifestName} has a member ${JSON.stringify(unknown.slice(0, 100))} that plugins don't have: there are ${known.join(', ')}.`
    throw new Failure('unprocessable', sentence, { field: unknown.slice(0, 100), expected: known })
  }
  const checked = Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, readMember(name, member, value[name])]),
  )
  const { may, settings, ...rest } = checked as unknown as Manifest
  return { ...rest, may: checkRights(may), settings: readSettingForms(settings) }
}

/** True if a value is a valid plugin id. `svc` and `svc-…` are reserved for the core (attacks 114, 115). */
export function isPluginId(value: unknown): value is string {
  if (typeof value !== 'string' || value.length < 2 || value.length > 32) return false
  return /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(value) && value !== core && !value.startsWith(`${core}-`)
}

/** The prefix of a plugin's classes: `LEGACY_BRIDGE_` for `legacy-bridge`. */
export function classPrefix(id: string): string {
  return `${id.toUpperCase().replaceAll('-', '_')}_`
}

/**
 * True if a class belongs to this plugin: its prefix and one word. So `legacy` can't have a class of `legacy-bridge` (attack 114).
 */
export function ownClass(id: string, name: string): boolean {
  const prefix = classPrefix(id)
  return name.startsWith(prefix) && /^[A-Z][A-Za-z0-9]{0,39}$/.test(name.slice(prefix.length))
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Failure(
      'unprocessable',
      `${manifestName} is not JSON.`,
      { field: manifestName, expected: 'a JSON object' },
      { cause: error },
    )
  }
  if (isObject(value)) return value
  throw new Failure('unprocessable', `${manifestName} must hold a JSON object.`, {
    field: manifestName,
    expected: 'a JSON object',
  })
}

function readMember(name: string, { good, expected, fallback }: Member, value: unknown): unknown {
  if (value === undefined && fallback !== undefined) return fallback
  if (good(value)) return value
  const verb = value === undefined ? 'is missing and must be' : 'must be'
  throw new Failure('unprocessable', `${manifestName}: "${name}" ${verb} ${expected}.`, { field: name, expected })
}

function checkRights(may: readonly string[]): readonly string[] {
  for (const [index, text] of may.entries()) {
    const why = whyNoRight(text)
    if (why !== undefined)
      throw new Failure('unprocessable', `${manifestName}: ${why}`, {
        field: `may.${index}`,
        expected: 'a right that plugins may have',
      })
  }
  return [...new Set(may)]
}

function isMain(value: unknown): boolean {
  return typeof value === 'string' && /\.m?js$/.test(value) && faultOfPath(value) === undefined
}
