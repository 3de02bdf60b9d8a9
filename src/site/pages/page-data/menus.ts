// The menus of a page by location: those of every theme, and those that the theme of the page declares.

import { mainLocation } from '../../../content/menus/menus.ts'
import type { ThemeData } from '../../../themes/contract.ts'
import type { Theme } from '../../../themes/theme.ts'
import type { Frame } from '../frame.ts'
import { menuOf } from '../menus.ts'

/** @param branch the further language of the page, or null */
export async function menusOf(
  frame: Frame,
  { manifest }: Theme,
  path: string,
  branch: string | null,
): Promise<ThemeData['menus']> {
  const locations = [...new Set([mainLocation, 'footer', ...Object.keys(manifest.menus)])]
  const menus = await Promise.all(
    locations.map(async (location) => [location, await menuOf(frame, location, path, branch)] as const),
  )
  return Object.fromEntries(menus)
}
