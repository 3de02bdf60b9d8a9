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
}

const isText = (path: string): boolean => /\.(?:md|markdown|mkdown|mkdn|mkd|mdx)$/i.test(path)
export const isPageFile = (path: string): boolean => isText(path) || /\.(?:html?|textile)$/i.test(path)

/** Folders of designs and of what generators make. */
const noContent =
  /(?:^|\/)(?:_site|public|dist|\.obsidian|\.jekyll-cache|_layouts|_includes|_sass|_plugins|layouts|themes|archetypes|templates|vendor|\.github|i18n)\//

/** Files about the repository. */
const aboutTree = /^(?:LICEN[CS]E|CHANGELOG|CONTRIBUTING|CODE_OF_CONDUCT|SECURITY)\b/i

/** @returns undefined for files without a text in Markdown */
export async function readTree(files: SourceFiles): Promise<Tree | undefined> {
  const all = [...files.sizes.keys()]
  if (!all.some(isText)) return undefined
  const base = rootOf(all)
  const below = all.filter((path) => path.startsWith(base)).map((path) => path.slice(base.length))
  const dialect = await recognise(files, base, below)
  const kept = below
    .filter((path) => !aboutTree.test(path))
    .filter((path) => !noContent.test(path) || (dialect === 'jekyll' && /(?:^|\/)_(?:posts|drafts)\//.test(path)))
  return {
    dialect,
    paths: new Map(kept.map((path) => [base + path, path])),
    config: await readConfig(files, base, below),
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
  'hugo.toml',
  'hugo.yaml',
  'hugo.yml',
  'hugo.json',
  'config.toml',
  'config.yaml',
  'config.yml',
  'config.json',
]

async function readConfig(
  files: SourceFiles,
  base: string,
  paths: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  const name = [...configNames, ...configNames.map((one) => `config/_default/${one}`)].find((one) => paths.includes(one))
  if (name === undefined) return {}
  try {
    const text = await wholeText(files, base + name, maxConfigBytes)
    const parsed: unknown = name.endsWith('.toml') ? readToml(text) : parseYaml(text, { maxAliasCount: 0 })
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
