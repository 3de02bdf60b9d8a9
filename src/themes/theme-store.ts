// Reads themes from the database and from the program. A theme with files in the database belongs to the owner, even if an upgrade
// ships a theme of the same name. A shipped theme has at most one row, with the values of its settings.

import { Failure, notFound } from '../base/failure.ts'
import type { Db } from '../store/core/database.ts'
import type { ThemeFileRow, ThemeRow } from '../store/core/schema.ts'
import { shippedFiles } from './retired.ts'
import { defaultTheme, shippedThemes } from './shipped.ts'
import { isVouched, type VouchedText } from './scripts.ts'
import { makeTheme, type Theme, type ThemeFiles } from './theme.ts'

/** The slugs of all themes, with the rows of those that have one: the owner's first, then the shipped ones. */
export async function listThemes(db: Db): Promise<readonly { readonly slug: string; readonly row: ThemeRow | undefined }[]> {
  const rows = await db.selectFrom('theme').selectAll().orderBy('slug').execute()
  const withFiles = await db.selectFrom('theme_file').select('theme').distinct().execute()
  const shippedSlugs = [...shippedThemes().keys()].filter((slug) => withFiles.every(({ theme }) => theme !== slug))
  const own = rows.filter(({ slug }) => !shippedSlugs.includes(slug)).map((row) => ({ slug: row.slug, row }))
  const shipped = shippedSlugs.map((slug) => ({ slug, row: rows.find((row) => row.slug === slug) }))
  return [...own, ...shipped]
}

export const findThemeRow = (db: Db, slug: string): Promise<ThemeRow | undefined> =>
  db.selectFrom('theme').selectAll().where('slug', '=', slug).executeTakeFirst()

export const listFileRows = (db: Db, slug: string): Promise<readonly ThemeFileRow[]> =>
  db.selectFrom('theme_file').selectAll().where('theme', '=', slug).orderBy('path').execute()

/** The slug of the theme that visitors see. */
export async function findActive(db: Db): Promise<string> {
  const row = await db.selectFrom('theme').select('slug').where('active', '=', 1).orderBy('slug').executeTakeFirst()
  return row?.slug ?? defaultTheme
}

export async function findTheme(db: Db, slug: string): Promise<Theme | undefined> {
  const row = await findThemeRow(db, slug)
  const rows = row ? await listFileRows(db, slug) : []
  const shipped = isShipped(slug, rows)
  if (!row && !shipped) return undefined
  const own = (shipped ? shippedFiles(slug, { chosen: chosenIn(row) }) : undefined) ?? filesOf(rows)
  return themeOf(slug, row, { shipped, own, limited: limitedOf(rows), active: (await findActive(db)) === slug })
}

/** @throws Failure `not_found` */
export async function getTheme(db: Db, slug: string): Promise<Theme> {
  const theme = await findTheme(db, slug)
  if (theme) return theme
  const lower = slug.toLowerCase()
  const isMeant = lower !== slug && (await findTheme(db, lower)) !== undefined
  throw notFound('theme', slug, isMeant ? `The theme is called ${JSON.stringify(lower)}.` : 'SVC_Themes.list lists them.')
}

export const filesOf = (rows: readonly Pick<ThemeFileRow, 'path' | 'text'>[]): ThemeFiles =>
  new Map(rows.map(({ path, text }) => [path, text]))

/** The templates that a writer with limits wrote. */
export const limitedOf = (rows: readonly VouchedText[]): ReadonlySet<string> =>
  new Set(rows.filter((row) => row.path.endsWith('.liquid') && !isVouched(row)).map(({ path }) => path))

export function themeOf(
  slug: string,
  row: Pick<ThemeRow, 'settings'> | undefined,
  rest: Pick<Theme, 'shipped' | 'own' | 'limited' | 'active'>,
): Theme {
  return makeTheme({ slug, ...rest, chosen: chosenIn(row) })
}

const chosenIn = (row: Pick<ThemeRow, 'settings'> | undefined): Record<string, unknown> =>
  row ? (JSON.parse(row.settings) as Record<string, unknown>) : {}

/** True for a theme whose files belong to the program. @param rows its files in the database */
export const isShipped = (slug: string, rows: readonly unknown[]): boolean => rows.length === 0 && shippedThemes().has(slug)

/** @throws Failure `refused` for a shipped theme, whose files belong to the program */
export function checkOwn({ slug, shipped }: Pick<Theme, 'slug' | 'shipped'>): void {
  if (!shipped) return
  throw new Failure('refused', `The theme ${slug} comes with Postern, so its files can't be changed.`, {
    rule: 'shipped themes are not changed',
    hint: `SVC_Themes.create {"slug": "my-theme", "base": "${slug}"} makes a theme on it to work on.`,
  })
}
