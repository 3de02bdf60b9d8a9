// The menus of a page, by location. A location without a menu is empty, but for `main`, which then has the top pages, so that no page is lost.

import type { ThemeData, ThemeMenuItem } from '../../themes/contract.ts'
import { shippedMessages } from '../../themes/shipped.ts'
import type { Theme } from '../../themes/theme.ts'
import type { Frame } from '../frame.ts'
import { listMenuPages } from '../public-entries.ts'

/** How many top pages stand in the bar. If there are more, the last place opens the others. */
const barLength = 8
/** Of the pages that the last place opens, so that a site of a thousand pages has no page of a thousand links. */
const maxPages = barLength + 40

export async function menusOf(frame: Frame, { manifest }: Theme, path: string): Promise<ThemeData['menus']> {
  const empty = Object.fromEntries(['main', 'footer', ...Object.keys(manifest.menus)].map((location) => [location, []]))
  return { ...empty, main: await topPages(frame, path) }
}

async function topPages({ site, origin }: Frame, current: string): Promise<readonly ThemeMenuItem[]> {
  const pages = await listMenuPages(site.store.read, maxPages, site.clock.now())
  const items = pages.map(({ title, path }) => itemOf(title, origin, path ?? '/', current))
  if (items.length <= barLength) return items
  const rest = items.slice(barLength - 1)
  const inside = rest.some((item) => item.inside)
  const more = { label: moreLabel(site.settings.values.language), url: '', current: false, inside, new_tab: false, items: rest }
  return [...items.slice(0, barLength - 1), more]
}

function itemOf(label: string, origin: string, path: string, current: string): ThemeMenuItem {
  const isCurrent = path === current
  const inside = isCurrent || (path !== '/' && current.startsWith(`${path}/`))
  return { label, url: origin + path, current: isCurrent, inside, new_tab: false, items: [] }
}

function moreLabel(language: string): string {
  const messages = shippedMessages()
  const found = [language, language.split('-')[0] ?? '', 'en'].map((tongue) => messages[tongue]?.['more'])
  return found.find((message) => typeof message === 'string') ?? 'More'
}
