// The state of a theme that a preview link keeps: the revision of each file, and the values of the settings. The texts stay where
// all revisions are.

import type { Db } from '../store/database.ts'
import { findLastRevision, findSnapshot } from '../store/history.ts'
import { listFileRows } from './theme-store.ts'
import { makeTheme, type Theme } from './theme.ts'

/** The state of a theme as a link keeps it. */
export interface ThemeState {
  /** The version of the files, which changes with each of them. */
  readonly version: string
  /** The revision of each file by its path; empty for a shipped theme, whose files belong to the program. */
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

/** True if a theme still is as it was. */
export const isAsKept = (theme: Theme, { version, chosen }: ThemeState): boolean =>
  theme.source.version === version && JSON.stringify(theme.chosen) === JSON.stringify(chosen)

/** A theme as it was. A shipped theme has the files of the program that runs now. */
export async function themeAt(db: Db, theme: Theme, { files, chosen }: ThemeState): Promise<Theme> {
  if (theme.shipped) return makeTheme({ ...theme, active: false, chosen })
  const texts = await Promise.all(
    Object.entries(files).map(async ([path, revision]) => [path, await textAt(db, theme, path, revision)]),
  )
  return makeTheme({ ...theme, active: false, chosen, files: new Map(texts as [string, string][]) })
}

async function textAt(db: Db, { slug }: Theme, path: string, revision: number): Promise<string> {
  const snapshot = await findSnapshot(db, 'theme_revision', `${slug}/${path}`, revision)
  if (snapshot === undefined) throw new Error(`The revision ${revision} of ${slug}/${path} is missing.`)
  return (JSON.parse(snapshot) as { readonly text: string }).text
}
