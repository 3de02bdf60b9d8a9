// The state of a theme in a preview link: the revisions of its files, whose texts are stored elsewhere, and its settings.

import type { Db } from '../store/core/database.ts'
import { findLastRevision, findSnapshot } from '../store/change/history.ts'
import type { VouchedText } from './scripts.ts'
import { filesOf, limitedOf, listFileRows } from './theme-store.ts'
import { makeTheme, type Theme } from './theme.ts'

/** The state of a theme in a preview link. */
export interface ThemeState {
  /** The version of the files. It changes with every file. */
  readonly version: string
  /** The revision of each of the theme's own files, by path; empty for a shipped theme, whose files belong to the program. */
  readonly files: Readonly<Record<string, number>>
  readonly chosen: Theme['chosen']
}

/** The present state of a theme, and the number under which `SVC_Themes.revisions` lists it; null for a shipped theme. */
export async function stateOf(db: Db, theme: Theme): Promise<{ readonly kept: ThemeState; readonly revision: number | null }> {
  const { slug, shipped, source, chosen } = theme
  const rows = shipped ? [] : await listFileRows(db, slug)
  const files = Object.fromEntries(rows.map(({ path, revision }) => [path, revision]))
  return { kept: { version: source.version, files, chosen }, revision: (await findLastRevision(db, slug)) ?? null }
}

/** True if a theme has not changed. */
export const isAsKept = (theme: Theme, { version, chosen }: ThemeState): boolean =>
  theme.source.version === version && JSON.stringify(theme.chosen) === JSON.stringify(chosen)

/** The theme in an earlier state, with the writers of its files. Shipped themes and bases have the present release's files. */
export async function themeAt(db: Db, theme: Theme, { files, chosen }: ThemeState): Promise<Theme> {
  if (theme.shipped) return makeTheme({ ...theme, active: false, chosen })
  const then = await Promise.all(Object.entries(files).map(([path, revision]) => fileAt(db, theme, path, revision)))
  return makeTheme({ ...theme, active: false, chosen, own: filesOf(then), limited: limitedOf(then) })
}

async function fileAt(db: Db, { slug }: Theme, path: string, revision: number): Promise<VouchedText> {
  const snapshot = await findSnapshot(db, 'theme_revision', `${slug}/${path}`, revision)
  if (snapshot === undefined) throw new Error(`The revision ${revision} of ${slug}/${path} is missing.`)
  const { text, vouched = null } = JSON.parse(snapshot) as { readonly text: string; readonly vouched?: string | null }
  return { path, text, vouched }
}
