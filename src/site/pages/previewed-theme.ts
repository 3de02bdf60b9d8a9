// The theme that a preview link shows: a stored state, or the current one.

import type { Services, ThemeServices } from '../../actions/call/services.ts'
import type { PreviewRow } from '../../store/core/schema.ts'
import { isAsKept, themeAt, type ThemeState } from '../../themes/preview-state.ts'
import type { Theme } from '../../themes/theme.ts'

export interface PreviewedTheme {
  readonly theme: Theme
  /** True if the theme has changed since the link was made. */
  readonly isOlder: boolean
}

/** Undefined if the theme was deleted. */
export async function findPreviewedTheme(site: Services, row: PreviewRow): Promise<PreviewedTheme | undefined> {
  const present = await site.themes.find(row.theme ?? '')
  if (!present) return undefined
  const state = row.entry === '' ? undefined : (JSON.parse(row.entry) as ThemeState)
  if (!state || isAsKept(present, state)) return { theme: { ...present, active: false }, isOlder: false }
  return { theme: await themeOf(site, row.id, () => themeAt(site.store.read, present, state)), isOlder: true }
}

function themeOf({ themes: { previewed } }: ThemeServices, id: string, load: () => Promise<Theme>): Promise<Theme> {
  const known = previewed.get(id)
  if (known) return known
  const loading = load()
  previewed.set(id, loading)
  loading.catch(() => previewed.delete(id))
  return loading
}
