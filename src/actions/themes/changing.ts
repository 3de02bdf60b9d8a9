// The steps of every change of a theme. A theme that fails when rendered never replaces the one that visitors see.

import { Failure, notFound } from '../../base/failure.ts'
import { checkDrawing } from '../../media/clean-svg.ts'
import { checkScripts, vouchedBy } from '../../themes/scripts.ts'
import { makeTheme, type Theme, type ThemeFiles } from '../../themes/theme.ts'
import type { ThemeProblem } from '../../themes/engine/theme-jobs.ts'
import { checkFileText, checkThemePath, fileLimits } from '../../themes/theme-path.ts'
import { checkOwn, filesOf, findActive, findThemeRow, getTheme, isShipped, listFileRows } from '../../themes/theme-store.ts'
import type { ThemeFileRow, ThemeRow } from '../../store/core/schema.ts'
import type { Context, WriteContext } from '../call/action.ts'
import type { WriteWarning } from '../call/write-answer.ts'
import { findLastRevision } from '../../store/change/history.ts'
import { adoptThemes } from '../shared/adopt-files.ts'

/** New texts by path; undefined removes the file. */
export type FileChanges = ReadonlyMap<string, string | undefined>

/** The result of the check before the transaction. */
export interface Prepared {
  readonly version: string
  readonly problems: readonly ThemeProblem[]
  /** Warnings about the rules and addresses that a browser skips or blocks. */
  readonly warnings?: readonly WriteWarning[]
}

interface Checked {
  readonly files?: FileChanges
  readonly chosen?: Readonly<Record<string, unknown>>
  /** True if visitors would see the theme after the change. */
  readonly active?: boolean
}

/**
 * Renders a theme as it would be after a change.
 * @throws Failure `unprocessable` with file and line, if visitors would see a theme that fails
 */
export async function checkChange(
  context: Context,
  theme: Theme,
  { files, chosen = theme.chosen, active = theme.active }: Checked,
): Promise<Prepared> {
  const next = makeTheme({ ...theme, active, chosen, own: files ? changed(theme.own, files) : theme.own })
  const problems = await context.site.themeCheck(context.site, next, context.origin)
  if (active) checkNoProblem(next.slug, problems)
  return { version: theme.source.version, problems }
}

/** @throws Failure `unprocessable` for the first problem */
export function checkNoProblem(slug: string, problems: readonly ThemeProblem[]): void {
  const [first] = problems
  if (first === undefined) return
  const { file, line, message } = first
  const place = [file, line === null ? undefined : `line ${line}`].filter(Boolean).join(', ')
  throw new Failure('unprocessable', `The theme ${slug} fails${place === '' ? '' : ` in ${place}`}: ${message}.`, {
    ...(file === null ? {} : { file }),
    ...(line === null ? {} : { line }),
    hint: 'Visitors see nothing of this. SVC_Themes.check lists all problems of a theme that is not active.',
  })
}

const changed = (files: ThemeFiles, changes: FileChanges): ThemeFiles => {
  const next = new Map(files)
  for (const [path, text] of changes) {
    if (text === undefined) next.delete(path)
    else next.set(path, text)
  }
  return next
}

/**
 * Returns a theme that can be written to, after edits in its folder are adopted. @throws Failure `not_found`, `refused` for a
 * shipped theme
 */
export async function getOwnTheme(context: Context, slug: string): Promise<Theme> {
  await adoptThemes(context, { always: true })
  const theme = await getTheme(context.db, slug)
  checkOwn(theme)
  return theme
}

/** Returns the value of `vouched` for a file, which says who wrote it. @param row the file as it is now */
type Vouching = (path: string, text: string, row: ThemeFileRow | undefined) => string | null

export interface Writing {
  /** The check of this change. An active theme must not have changed since. */
  readonly prepared?: Prepared | undefined
  /** The default vouches with the rights of the caller. */
  readonly vouching?: Vouching | undefined
}

/**
 * Writes files of a theme that the owner created.
 * @returns the paths that changed
 */
export async function writeFiles(
  context: WriteContext,
  slug: string,
  changes: FileChanges,
  { prepared, vouching = (_path, text) => vouchedBy(context.caller, text) }: Writing = {},
): Promise<readonly string[]> {
  const { db, caller } = context
  const rows = await listFileRows(db, slug)
  checkOwn({ slug, shipped: isShipped(slug, rows) })
  if (prepared && (await findActive(db)) === slug) await checkSame(context, slug, prepared)
  checkSizes(changed(filesOf(rows), changes))
  const written: string[] = []
  for (const [path, text] of changes) {
    const row = rows.find((one) => one.path === path)
    if (text !== undefined && row?.text !== text) {
      checkThemePath(path)
      checkFileText(path, text)
      if (path.endsWith('.svg')) checkDrawing(text, true)
      checkScripts(caller, path, text)
    }
    const file = text === undefined ? undefined : { text, vouched: vouching(path, text, row) }
    if (await writeFile(context, slug, path, row, file)) written.push(path)
  }
  if (written.length > 0) await keepState(context, slug)
  return written
}

async function checkSame({ db }: WriteContext, slug: string, { version }: Prepared): Promise<void> {
  const { source } = await getTheme(db, slug)
  if (source.version !== version)
    throw new Failure('conflict', 'Another writer changed this theme at the same moment: repeat the call.', { id: slug })
}

async function writeFile(
  { change }: WriteContext,
  theme: string,
  path: string,
  row: ThemeFileRow | undefined,
  file: Pick<ThemeFileRow, 'text' | 'vouched'> | undefined,
): Promise<boolean> {
  if (file === undefined) {
    if (!row) throw notFound('file', path, 'SVC_Themes.get lists the files of a theme.')
    await change.remove('theme_file', row)
    return true
  }
  if (row) return (await change.update('theme_file', row, file)).changed.length > 0
  const id = `${theme}/${path}`
  await change.insert('theme_file', { id, theme, path, ...file, revision: ((await findLastRevision(change.db, id)) ?? 0) + 1 })
  return true
}

/** Stores a revision of the whole theme: the current revision of each file. */
async function keepState({ change, db }: WriteContext, slug: string): Promise<void> {
  const { accountId, name, door, action } = change.author
  const rows = await db.selectFrom('theme_file').select(['path', 'revision']).where('theme', '=', slug).orderBy('path').execute()
  const files = Object.fromEntries(rows.map(({ path, revision }) => [path, revision]))
  await change.db
    .insertInto('theme_revision')
    .values({
      object_id: slug,
      revision: ((await findLastRevision(db, slug)) ?? 0) + 1,
      snapshot: JSON.stringify(files),
      account_id: accountId,
      by_name: name,
      door,
      action,
      at: change.now,
    })
    .execute()
}

function checkSizes(files: ThemeFiles): void {
  const bytes = [...files.values()].reduce((sum, text) => sum + text.length, 0)
  if (files.size > fileLimits.files)
    throw new Failure('too_large', `A theme may have at most ${fileLimits.files} files.`, { limit: fileLimits.files })
  if (bytes > fileLimits.themeBytes)
    throw new Failure('too_large', `A theme may have at most ${fileLimits.themeBytes / 1024 / 1024} MiB.`, {
      limit: fileLimits.themeBytes,
    })
}

/** Returns the row of a theme. A shipped theme gets a row when it is first configured or activated. */
export async function rowToWrite({ change, db }: WriteContext, slug: string): Promise<ThemeRow> {
  return (await findThemeRow(db, slug)) ?? change.insert('theme', { slug, active: 0, settings: '{}' })
}
