// A theme in use: its files over those of its base, the manifest in `theme.json`, the values of its settings, and the source for
// the renderer. The caller decides where the theme's own files come from.

import { createHash } from 'node:crypto'
import type { Reply } from '../http/reply.ts'
import { fallbacks, type ThemeManifest, type ThemePageKind } from './contract.ts'
import { effectiveSettings, isProblem, parseThemeManifest, type ThemeSettingValue } from './manifest.ts'
import { overBase } from './over-base.ts'
import { shippedFiles } from './retired.ts'
import { shippedMessages, shippedThemes } from './shipped.ts'
import type { ThemeProblem, ThemeSource } from './engine/theme-jobs.ts'
import { parseObject } from '../base/json.ts'
import { isBinary } from './theme-path.ts'
import type { Messages } from './engine/theme-words.ts'

/** The text of each file by its path; base64 for binary files. */
export type ThemeFiles = ReadonlyMap<string, string>

export interface Theme {
  readonly slug: string
  /** True if its files ship with Postern and can't be changed. */
  readonly shipped: boolean
  readonly active: boolean
  readonly manifest: ThemeManifest
  /** The shipped theme that this one extends, as `theme.json` declares. */
  readonly base: string | undefined
  /** The files of the theme itself. */
  readonly own: ThemeFiles
  /** All files: its own, over those of the base. */
  readonly files: ThemeFiles
  /** The templates that a writer with limits wrote. Code that a browser would run is removed from their output. */
  readonly limited: ReadonlySet<string>
  /** The values that the owner has set. */
  readonly chosen: Readonly<Record<string, unknown>>
  readonly settings: Readonly<Record<string, ThemeSettingValue>>
  readonly source: ThemeSource
  /** The path of its assets below the site's base path. It changes with every change of an asset. */
  readonly assetFolder: string
  /** Cached replies with its assets, made at the first request. */
  readonly assetReplies: Map<string, Reply>
  /** The problems that are known before rendering. */
  readonly problems: readonly ThemeProblem[]
}

export interface ThemeParts {
  readonly slug: string
  readonly shipped: boolean
  readonly active: boolean
  readonly own: ThemeFiles
  readonly limited: ReadonlySet<string>
  readonly chosen: Readonly<Record<string, unknown>>
}

const required = ['theme.json', 'layout.liquid', 'page.liquid', 'list.liquid'] as const

const unnamed: ThemeManifest = { name: '', version: '', contract: 1, settings: [], menus: {} }

export function makeTheme({ slug, shipped, active, own, limited: named, chosen }: ThemeParts): Theme {
  const { base, fault } = baseOf(own)
  const files = base === undefined ? own : overBase(own, shippedFiles(base, { chosen, own }) ?? new Map())
  const missing = required.filter((file) => !files.has(file))
  const parsed = fault ?? parseThemeManifest(files.get('theme.json') ?? '{}')
  const manifest = isProblem(parsed) ? { ...unnamed, name: slug } : parsed
  const assets = [...files].filter(([path]) => path.startsWith('assets/'))
  const assetFolder = `/assets/${slug}-${hashOf(assets)}`
  const templates = [...files].filter(([path]) => path.endsWith('.liquid'))
  const limited = templates.map(([path]) => path).filter((path) => named.has(path))
  const ownMessages = Object.fromEntries(
    [...files]
      .filter(([path]) => path.startsWith('locales/'))
      .map(([path, text]) => [path.slice('locales/'.length, -'.json'.length), (parseObject(text) ?? {}) as Messages]),
  )
  return {
    slug,
    shipped,
    active,
    manifest,
    base,
    own,
    files,
    limited: named,
    chosen,
    settings: effectiveSettings(manifest, chosen),
    assetFolder,
    assetReplies: new Map(),
    source: {
      version: `${slug} ${hashOf([...files, ['limited', limited.join(' ')]])}`,
      templates: Object.fromEntries(templates),
      limited,
      assets: Object.fromEntries(assets.map(([path]) => [nameOfAsset(path), `${assetFolder}/${nameOfAsset(path)}`])),
      messages: [ownMessages, shippedMessages()],
    },
    // Without a readable `theme.json` the files of the base are missing too, and reporting those would hide the cause.
    problems:
      isProblem(parsed) && files.has('theme.json')
        ? [parsed]
        : missing.map((file) => ({ file, line: null, message: 'is missing; every theme needs it' })),
  }
}

/**
 * The base that `theme.json` names, or the problem with that name. Only shipped themes can be bases, and they have none themselves.
 */
function baseOf(own: ThemeFiles): { readonly base: string | undefined; readonly fault?: ThemeProblem } {
  const base = parseObject(own.get('theme.json') ?? '')?.['base']
  if (base === undefined) return { base }
  if (typeof base === 'string' && shippedThemes().has(base)) return { base }
  return { base: undefined, fault: { file: 'theme.json', line: null, message: `"base" ${baseForm()}` } }
}

/** The end of a sentence that begins with the name of a field: the valid bases. */
export const baseForm = (): string =>
  `must be one of the themes that come with Postern: ${[...shippedThemes().keys()].join(', ')}`

/** Finds the template for a kind of page, without its extension; undefined if the theme has no suitable template. */
export function templateOf({ files }: Theme, kind: ThemePageKind): string | undefined {
  return fallbacks[kind].find((name) => files.has(`${name}.liquid`))
}

export const bytesOf = (path: string, text: string): Buffer => Buffer.from(text, isBinary(path) ? 'base64' : 'utf8')

const nameOfAsset = (path: string): string => path.slice('assets/'.length)

function hashOf(files: readonly (readonly [string, string])[]): string {
  const hash = createHash('sha256')
  for (const [path, text] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) hash.update(`${path}\0${text.length}\0${text}\0`)
  return hash.digest('hex').slice(0, 12)
}
