// The retired parts of shipped themes: settings that said texts of the home page, and the templates that showed them. Such texts
// stand in the home page by now, as sections. A theme gets the retired parts back, and so looks as before, while the owner has
// values for them, or while files of the owner name them.

import type { ThemeManifest, ThemeSetting } from './contract.ts'
import { overBase } from './over-base.ts'
import { retiredFiles, shippedThemes } from './shipped.ts'
import type { ThemeFiles } from './theme.ts'

/** The parts of a theme that decide if it needs the retired ones. */
export interface RetiredUse {
  /** The values that the owner has set. */
  readonly chosen: Readonly<Record<string, unknown>>
  /** The files of a theme of the owner on a shipped one. */
  readonly own?: ThemeFiles | undefined
}

/** The retired settings of a shipped theme. */
export function retiredSettings(slug: string): readonly ThemeSetting[] {
  const text = retiredFiles().get(slug)?.get('theme.json')
  return text === undefined ? [] : (JSON.parse(text) as ThemeManifest).settings
}

/** The retired settings of a shipped theme for which an owner has set another value than the default. */
export const retiredValues = (slug: string, chosen: RetiredUse['chosen']): readonly string[] =>
  retiredSettings(slug)
    .filter(({ id, default: value }) => Object.hasOwn(chosen, id) && chosen[id] !== null && chosen[id] !== value)
    .map(({ id }) => id)

/**
 * True if files of the owner name a retired setting or part, or replace the file of one. Such a theme shows the retired settings in
 * its own way.
 */
export function namesRetired(slug: string, own: ThemeFiles): boolean {
  const gone = [...(retiredFiles().get(slug)?.keys() ?? [])].filter((path) => shippedThemes().get(slug)?.has(path) === false)
  const names = new Set([...retiredSettings(slug).map(({ id }) => id), ...gone.map((path) => path.replace(/\.liquid$/, ''))])
  const isTold = ([path, text]: readonly [string, string]): boolean =>
    /\.(?:liquid|json)$/.test(path) && (text.match(/[\w/]+/g) ?? []).some((word) => names.has(word))
  return gone.some((path) => own.has(path)) || [...own].some(isTold)
}

/** The files of a shipped theme, with its retired parts if they are needed; undefined for a slug that no shipped theme has. */
export function shippedFiles(slug: string, { chosen, own = new Map() }: RetiredUse): ThemeFiles | undefined {
  const files = shippedThemes().get(slug)
  const retired = retiredFiles().get(slug)
  if (!files || !retired) return files
  return retiredValues(slug, chosen).length > 0 || namesRetired(slug, own) ? overBase(retired, files) : files
}
