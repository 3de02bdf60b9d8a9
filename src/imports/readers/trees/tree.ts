// A tree of files as its generator sees it: the folder that holds everything is left away, and the settings are read.

import { parse as parseYaml } from 'yaml'
import { isObject } from '../../../base/json.ts'
import { readToml } from '../../../content/entries/front-matter-toml.ts'
import type { SourceFiles } from '../../source-files.ts'
import { headOf, wholeText } from '../head-of.ts'

export type TreeDialect = 'plain' | 'jekyll' | 'hugo' | 'zola' | 'eleventy' | 'astro' | 'obsidian'

export interface Tree {
  readonly dialect: TreeDialect
  /** The paths below the root of the site by their paths in the import. */
  readonly paths: ReadonlyMap<string, string>
  readonly config: Readonly<Record<string, unknown>>
  /** Files that are no content, by the kind that the report names. */
  readonly passedOver: readonly TreeLeftOver[]
}

export interface TreeLeftOver {
  readonly path: string
  readonly name: string
  readonly reason: string
}

const isText = (path: string): boolean => /\.(?:md|markdown|mkdown|mkdn|mkd|mdx)$/i.test(path)
export const isPageFile = (path: string): boolean => isText(path) || /\.(?:html?|textile)$/i.test(path)

/** The folders of each generator for designs, and for what it makes. Below others, folders of these names hold content. */
const noContent: Readonly<Record<TreeDialect, RegExp>> = {
  plain: /^(?:vendor|_site)\//,
  jekyll: /^(?:_site|_layouts|_includes|_sass|_plugins|vendor)\//,
  hugo: /^(?:public|layouts|themes|archetypes|i18n|resources|_vendor)\//,
  zola: /^(?:public|templates|themes|sass)\//,
  eleventy: /^(?:_site|dist|(?:[^/]+\/)?_(?:includes|layouts|data))\//,
  astro: /^(?:dist|src\/(?:layouts|components|styles))\//,
  obsidian: /^$/,
}

/** Files and folders that programs hide. */
const hidden = /(?:^|\/)\.(?!htaccess)[^/]/

/** Files about the repository. */
const aboutTree = /^(?:LICEN[CS]E|CHANGELOG|CONTRIBUTING|CODE_OF_CONDUCT|SECURITY)\b/i

/** @returns undefined for files without a text in Markdown */
export async function readTree(files: SourceFiles): Promise<Tree | undefined> {
  const all = [...files.sizes.keys()]
  if (!all.some(isText)) return undefined
  const base = rootOf(all)
  const below = all.filter((path) => path.startsWith(base)).map((path) => path.slice(base.length))
  const dialect = await recognise(files, base, below)
  const visible = below.filter((path) => !aboutTree.test(path) && !hidden.test(path))
  const isDesign = (path: string) =>
    noContent[dialect].test(path) && !(dialect === 'jekyll' && /(?:^|\/)_(?:posts|drafts)\//.test(path))
  const beside = all.filter((path) => !path.startsWith(base) && !hidden.test(path))
  return {
    dialect,
    paths: new Map(visible.filter((path) => !isDesign(path)).map((path) => [base + path, path])),
    config: await readConfig(files, base, below),
    passedOver: [
      ...visible
        .filter(isDesign)
        .map((path) => ({ path, name: `${path.split('/')[0]}/`, reason: 'a part of the design, or made by the generator' })),
      ...beside.map((path) => ({ path, name: 'files beside the site', reason: `the site is in ${base.slice(0, -1)}` })),
    ],
  }
}

/**
 * The root of the site, with a slash at its end; empty for the import itself. A download wraps it in a folder, and a repository may
 * keep it in one.
 */
function rootOf(paths: readonly string[]): string {
  const folders = new Set(
    paths.flatMap((path) =>
      path
        .split('/')
        .slice(0, -1)
        .slice(0, 3)
        .map((_, at, parts) => `${parts.slice(0, at + 1).join('/')}/`),
    ),
  )
  const roots = ['', ...[...folders].sort((one, other) => one.split('/').length - other.split('/').length)]
  const marked = roots.find((root) => {
    const below = paths.filter((path) => path.startsWith(root)).map((path) => path.slice(root.length))
    return below.some(marksRoot)
  })
  return marked ?? commonFolder(paths)
}

/** The folder around all files. A folder that means something to a generator is no wrapping. */
function commonFolder(paths: readonly string[]): string {
  const folder = /^[^/]+\//.exec(paths[0] ?? '')?.[0] ?? ''
  if (/^(?:content|src|static|posts|blog|docs|pages)\/$/.test(folder)) return ''
  return paths.every((path) => path.startsWith(folder)) ? folder : ''
}

/** The files and folders by which a generator finds its root. */
const marks: readonly (readonly [TreeDialect | undefined, RegExp])[] = [
  ['astro', /^astro\.config\./],
  ['eleventy', /^(?:\.eleventy|eleventy\.config)\.\w+$|^[^/]+\.11tydata\.\w+$/],
  ['jekyll', /^_config\.ya?ml$|^_posts\//],
  ['obsidian', /^\.obsidian\//],
  // Hugo and Zola share names.
  [undefined, /^(?:hugo|config)\.(?:toml|ya?ml|json)$|^config\/_default\//],
]

const marksRoot = (path: string): boolean => marks.some(([, form]) => form.test(path))

async function recognise(files: SourceFiles, base: string, paths: readonly string[]): Promise<TreeDialect> {
  const [known] = marks.find(([, form]) => paths.some((path) => form.test(path))) ?? []
  if (known !== undefined) return known
  if (paths.includes('config.toml') && (await headOf(files, `${base}config.toml`)).includes('base_url')) return 'zola'
  if (paths.some(marksRoot) && paths.some((path) => path.startsWith('content/'))) return 'hugo'
  return (await hasNotes(files, base, paths)) ? 'obsidian' : 'plain'
}

/** True if five of a hundred texts link to notes by their names. */
async function hasNotes(files: SourceFiles, base: string, paths: readonly string[]): Promise<boolean> {
  const texts = paths.filter(isText).slice(0, 200)
  let linking = 0
  for (const path of texts) if (/\[\[[^[\]\n]{1,200}\]\]/.test(await headOf(files, base + path))) linking++
  return linking > 0 && linking * 20 >= texts.length
}

const maxConfigBytes = 1024 ** 2
const configNames = [
  '_config.yml',
  ...['hugo', 'config'].flatMap((name) => ['toml', 'yaml', 'yml', 'json'].map((end) => `${name}.${end}`)),
]

/** Files of Hugo beside its settings, each of which is the setting of its name. */
const settingFile = /^config\/_default\/([a-z][\w-]*(?:\.[\w-]+)?)\.(?:toml|ya?ml|json)$/i

/** True for a file of settings that is read. */
export const isConfigFile = (path: string): boolean =>
  settingFile.test(path) || configNames.includes(path.replace(/^config\/_default\//, ''))

async function readConfig(
  files: SourceFiles,
  base: string,
  paths: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  const name = [...configNames, ...configNames.map((one) => `config/_default/${one}`)].find((one) => paths.includes(one))
  const config = name === undefined ? {} : await settingsIn(files, base + name)
  const parts: Record<string, unknown> = {}
  for (const path of paths) {
    const [, part = ''] = settingFile.exec(path) ?? []
    if (part !== '' && path !== name) parts[part.toLowerCase()] = await settingsIn(files, base + path)
  }
  return { ...config, ...parts }
}

async function settingsIn(files: SourceFiles, path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const text = await wholeText(files, path, maxConfigBytes)
    const parsed: unknown = path.endsWith('.toml') ? readToml(text) : parseYaml(text, { maxAliasCount: 0 })
    return isObject(parsed) ? parsed : {}
  } catch {
    return {}
  }
}

/** Returns the first text among settings of several names, in any case. */
export function settingIn(config: Readonly<Record<string, unknown>>, ...names: readonly string[]): string | undefined {
  const lower = new Map(Object.entries(config).map(([name, value]) => [name.toLowerCase(), value]))
  const value = names.map((name) => lower.get(name.toLowerCase())).find((one) => typeof one === 'string' && one !== '')
  return typeof value === 'string' ? value : undefined
}
