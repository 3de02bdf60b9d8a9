// Combines a theme with its base. A file of the theme replaces the base's file with that path. Three kinds of files extend the
// base's file instead: `assets/style.css` is appended, and the members of `theme.json` and of messages override the base's.

import { isObject, type JsonObject, parseObject } from '../base/json.ts'
import { maxSettings } from './manifest.ts'
import type { ThemeFiles } from './theme.ts'

/** The one style sheet that is joined with the base's, so that a page needs no second request. */
const style = 'assets/style.css'

/** True for a file that extends the base's file with that path. */
export const addsToBase = (path: string): boolean => path === style || path === 'theme.json' || path.startsWith('locales/')

/** The files of a theme together with those of its base. */
export function overBase(own: ThemeFiles, base: ThemeFiles): ThemeFiles {
  const whole = new Map(base)
  for (const [path, text] of own) whole.set(path, joined(path, base.get(path), text))
  return new Map([...whole].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function joined(path: string, base: string | undefined, own: string): string {
  if (base === undefined || !addsToBase(path)) return own
  if (path === style) return `${base}\n${own}`
  const [below, above] = [parseObject(base) ?? {}, parseObject(own)]
  // The parser of the file reports the error.
  if (above === undefined) return own
  const table = path === 'theme.json' ? manifestOver(above, below) : { ...below, ...above }
  return `${JSON.stringify(table, null, 2)}\n`
}

/** `theme.json` with the settings, the menu locations and the image widths of the base. */
function manifestOver(
  { base: _base, ...own }: JsonObject,
  { settings: below, menus: locations, image_widths }: JsonObject,
): JsonObject {
  const { settings, menus } = own
  return {
    ...(image_widths !== undefined && { image_widths }),
    ...own,
    settings: settings === undefined ? below : settingsOver(settings, below),
    // The theme's own locations come first.
    ...((menus === undefined || isObject(menus)) && { menus: { ...menus, ...(locations as object), ...menus } }),
  }
}

/**
 * The settings of the base with those of the theme. An id of the base changes the named members of that setting, or removes the
 * setting by `"remove": true`. A new setting comes after the one that its `after` names, else after the preceding new one, else at
 * the end.
 */
function settingsOver(own: unknown, base: unknown): unknown {
  // A longer list is refused later, and would take long to join.
  if (!Array.isArray(own) || !Array.isArray(base) || own.length > maxSettings) return own
  const whole: unknown[] = [...base]
  const placeOf = (id: unknown): number => whole.findIndex((one) => isObject(one) && one['id'] === id)
  const seen = new Set<unknown>()
  let last: unknown
  for (const given of own as readonly unknown[]) {
    if (!isObject(given)) return own
    const { after, ...setting } = given
    const { id } = setting
    const at = seen.has(id) ? -1 : placeOf(id)
    seen.add(id)
    if (at >= 0 && setting['remove'] === true) {
      whole.splice(at, 1)
      continue
    }
    if (at >= 0 && after === undefined) {
      whole[at] = { ...(whole[at] as object), ...setting }
      continue
    }
    const known = at >= 0 ? (whole.splice(at, 1)[0] as object) : {}
    const before = placeOf(after ?? last)
    whole.splice(before < 0 ? whole.length : before + 1, 0, { ...known, ...setting })
    last = id
  }
  return whole
}
