// The calls that make the structure of a site equal to that of a folder: types, terms, menus, settings, themes and root
// files.

import { Failure } from '../base/failure.ts'
import { markName } from '../base/export-mark.ts'
import { isObject, sameJson } from '../base/json.ts'
import { changedItems, differing, type Item, type PlannedCall, readYaml, sameText, type Sides, slugOf } from './folder-sides.ts'
import { type ExportMark, readMark } from './read-mark.ts'

export function typeCalls(sides: Sides): readonly PlannedCall[] {
  const path = 'types.yaml'
  return changedItems(sides, path, slugOf).map(([item, before]) =>
    before
      ? { call: 'SVC_Types.update', input: { id: slugOf(item), ...differing(item, before, ['slug']) }, path }
      : { call: 'SVC_Types.create', input: item, path },
  )
}

export const taxonomyCalls = (sides: Sides): readonly PlannedCall[] =>
  changedItems(sides, 'taxonomies.yaml', slugOf).map(([item]) => ({
    call: 'SVC_Terms.save-taxonomy',
    input: item,
    path: 'taxonomies.yaml',
  }))

export const refOf = ({ taxonomy, slug }: Item): string => `${String(taxonomy)}/${String(slug)}`

export function termCalls(sides: Sides): readonly PlannedCall[] {
  const path = 'terms.yaml'
  return changedItems(sides, path, refOf).map(([item, before]) =>
    before
      ? { call: 'SVC_Terms.update', input: { id: refOf(item), ...differing(item, before, ['slug', 'taxonomy']) }, path }
      : { call: 'SVC_Terms.create', input: item, path },
  )
}

export const menuCalls = (sides: Sides): readonly PlannedCall[] =>
  changedItems(sides, 'menus.yaml', slugOf).map(([item, before]) => {
    const { slug, ...rest } = before ? { slug: item['slug'], ...differing(item, before, ['slug']) } : item
    const call = before ? 'SVC_Menus.update' : 'SVC_Menus.create'
    return { call, input: before ? { id: slug, ...rest } : item, path: 'menus.yaml' }
  })

export const formCalls = (sides: Sides): readonly PlannedCall[] =>
  changedItems(sides, 'forms.yaml', slugOf).map(([item, before]) =>
    before
      ? { call: 'SVC_Forms.update', input: { id: slugOf(item), ...differing(item, before, ['slug']) }, path: 'forms.yaml' }
      : { call: 'SVC_Forms.create', input: item, path: 'forms.yaml' },
  )

export const skillCalls = (sides: Sides): readonly PlannedCall[] =>
  changedItems(sides, 'skills.yaml', slugOf).map(([item]) => ({ call: 'SVC_Skills.put', input: item, path: 'skills.yaml' }))

export function settingCalls(sides: Sides): readonly PlannedCall[] {
  const path = 'settings.yaml'
  if (!sides.folder.has(path) || sameText(sides, path)) return []
  const [wanted, present] = [readYaml(sides.folder, path) ?? {}, readYaml(sides.site, path) ?? {}]
  if (!isObject(wanted) || !isObject(present))
    throw new Failure('unprocessable', `${path} must be a map of settings.`, { field: path })
  return Object.entries(differing(wanted, present)).map(([key, value]) => ({
    call: 'SVC_Settings.update',
    input: { set: { [key]: value } },
    path,
  }))
}

/**
 * The calls that add the languages of an export of entries alone. A site without entries also gets its main language; otherwise the
 * entries of the site would move.
 */
export function languageCalls({ site }: Sides, mark: ExportMark): readonly PlannedCall[] {
  const present = readYaml(site, 'settings.yaml')
  const values = isObject(present) ? present : {}
  const isBare = ![...site.keys()].some((path) => path.startsWith('content/'))
  const main = isBare && mark.language !== null ? mark.language : readMark(site).language
  const known = Array.isArray(values['languages']) ? values['languages'].map(String) : []
  const languages = [...new Set([...known, ...mark.languages])].filter((one) => one !== main)
  const set = (change: Item): PlannedCall => ({ call: 'SVC_Settings.update', input: { set: change }, path: markName })
  return [
    ...(main === readMark(site).language ? [] : [set({ language: main })]),
    ...(sameJson(languages, known) ? [] : [set({ languages })]),
  ]
}

/** Settings that decide where entries stand. */
export const isLanguage = ({ set }: Item): boolean => ['language', 'languages', 'time_zone'].some((key) => key in (set as object))

export const rootCalls = ({ folder, site }: Sides): readonly PlannedCall[] =>
  [...folder.values()]
    .filter(({ path, digest }) => path.startsWith('root/') && site.get(path)?.digest !== digest)
    .map(({ path, text }) => ({ call: 'SVC_Site.put-file', input: { name: path.slice('root/'.length), text }, path }))

/** `themes/SLUG/PATH` */
const themePath = /^themes\/([^/]+)\/(.+)$/

export function themeCalls({ folder, site }: Sides): readonly PlannedCall[] {
  const known = new Set([...site.keys()].flatMap((path) => themePath.exec(path)?.[1] ?? []))
  const created = new Set<string>()
  const calls: PlannedCall[] = []
  for (const { path, text, digest } of folder.values()) {
    const [, slug, file] = themePath.exec(path) ?? []
    if (slug === undefined || file === undefined || site.get(path)?.digest === digest) continue
    if (created.has(slug)) continue
    if (!known.has(slug)) {
      created.add(slug)
      calls.push({ call: 'SVC_Themes.create', input: { slug }, path: `themes/${slug}`, sendsFile: true })
      continue
    }
    const input = text === undefined ? { id: slug, file } : { id: slug, file, text }
    calls.push({ call: 'SVC_Themes.write', input, path, ...(text === undefined && { sendsFile: true as const }) })
  }
  return calls
}

export function themeSettingCalls(sides: Sides): readonly PlannedCall[] {
  const path = 'themes.yaml'
  return changedItems(sides, path, slugOf).flatMap(([item, before]) => {
    const [wanted, present] = [item, before ?? {}].map((one) => (one['settings'] ?? {}) as Item)
    const settings = differing(wanted ?? {}, present ?? {})
    const calls: PlannedCall[] = []
    if (Object.keys(settings).length > 0)
      calls.push({ call: 'SVC_Themes.configure', input: { id: slugOf(item), settings }, path })
    if (item['active'] === true && before?.['active'] !== true)
      calls.push({ call: 'SVC_Themes.activate', input: { id: slugOf(item) }, path })
    return calls
  })
}
