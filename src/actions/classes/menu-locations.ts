// The locations where the active theme shows menus.

import type { Context } from '../action.ts'

/** Returns a warning if the active theme has no such location, so that visitors would not see the menu. */
export async function locationWarnings({ site }: Context, location: string | null | undefined) {
  if (location === undefined || location === null) return []
  const { manifest } = await site.themes.active()
  const locations = Object.keys(manifest.menus)
  if (locations.includes(location.split('.')[0] ?? location)) return []
  const known = locations.length === 0 ? 'It has no locations.' : `Its locations are ${locations.join(', ')}.`
  return [{ code: 'no_such_location', message: `The active theme shows no menu at ${location}. ${known}` }]
}
