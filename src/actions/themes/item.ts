// The common parts of the answers of SVC_Themes.

import { type Static, Type } from 'typebox'
import { settingTypes } from '../../themes/contract.ts'
import { shippedThemes } from '../../themes/shipped.ts'
import { bytesOf, type Theme } from '../../themes/theme.ts'
import type { ThemeProblem } from '../../themes/engine/theme-jobs.ts'
import { maxPathLength, themeSlugPattern } from '../../themes/theme-path.ts'
import { findThemeRow, getTheme } from '../../themes/theme-store.ts'
import type { Db } from '../../store/core/database.ts'
import type { ThemeRow } from '../../store/core/schema.ts'
import type { Context } from '../call/action.ts'
import { adoptThemes } from '../shared/adopt-files.ts'
import { nullable, writeProperties, type WriteWarning } from '../call/write-answer.ts'
import { nonEmptyText, slugForm } from '../../base/schema.ts'

/** The `prepare` of an action that reads: adopts edits in the folders of themes. */
export const beforeReading = async (context: Context): Promise<void> => adoptThemes(context)

export const idProperty = nonEmptyText('Slug of the theme.', 64)

export const slugProperty = Type.String({
  description: 'The name: lower-case letters, digits and hyphens.',
  pattern: themeSlugPattern,
  title: slugForm,
  maxLength: 64,
})

export const fileProperty = nonEmptyText(
  'Path of the file in the theme, such as `page.liquid` or `assets/style.css`.',
  maxPathLength,
)

const problem = Type.Object({
  file: nullable(Type.String()),
  line: nullable(Type.Integer()),
  message: Type.String(),
})

export const problemsProperty = Type.Array(problem, {
  description: 'What is wrong with the theme now. A theme with problems can be worked on, but not be activated.',
})

const leanProperties = {
  id: Type.String({ description: 'The slug.' }),
  slug: Type.String(),
  name: Type.String(),
  version: Type.String({ description: 'As `theme.json` says.' }),
  base: Type.Optional(Type.String({ description: 'The shipped theme on which it builds; left out where there is none.' })),
  active: Type.Boolean({ description: 'Whether visitors see it.' }),
  shipped: Type.Boolean({ description: 'Whether it comes with Postern. Its files can be copied, but not changed.' }),
  revision: Type.Integer({
    description:
      'Of its settings; where `file` is given, of that file. `if_revision` of the next such write takes it. 0 where there is none.',
  }),
  file: Type.Optional(Type.String({ description: 'The file that was written.' })),
}

export const leanItem = Type.Object({ ...leanProperties, description: Type.String() })

export const wholeItem = Type.Object({
  ...leanProperties,
  description: Type.String(),
  files: Type.Array(
    Type.Object({
      file: Type.String(),
      bytes: Type.Integer(),
      revision: nullable(Type.Integer()),
      base: Type.Optional(Type.String({ description: 'The theme from which the file comes; left out for a file of its own.' })),
    }),
  ),
  settings: Type.Array(
    Type.Object({
      id: Type.String(),
      type: Type.Enum([...settingTypes]),
      label: Type.String(),
      help: Type.Optional(Type.String()),
      group: Type.Optional(Type.String()),
      options: Type.Optional(Type.Array(Type.Object({ value: Type.String(), label: Type.String() }))),
      min: Type.Optional(Type.Number()),
      max: Type.Optional(Type.Number()),
      default: Type.Unknown(),
      value: Type.Unknown(),
    }),
  ),
  locations: Type.Array(Type.Object({ location: Type.String(), label: Type.String() }), {
    description: 'Where the theme shows menus.',
  }),
  unchanged: Type.Optional(
    Type.Object({
      files: Type.Integer({ description: 'The number of files that are as in a shipped theme.' }),
      settings: Type.Record(Type.String(), Type.String(), {
        description: 'The settings with their default, by id: their type or choices. SVC_Themes.configure changes them.',
      }),
    }),
  ),
})

export type LeanItem = Static<typeof leanItem>

export const leanOf = (
  { slug, manifest, base, active, shipped }: Theme,
  row: Pick<ThemeRow, 'revision'> | undefined,
): LeanItem => ({
  id: slug,
  slug,
  name: manifest.name,
  version: manifest.version,
  ...(base !== undefined && { base }),
  active,
  shipped,
  revision: row?.revision ?? 0,
  description: manifest.description ?? '',
})

export function wholeOf(
  theme: Theme,
  row: Pick<ThemeRow, 'revision'> | undefined,
  revisions: ReadonlyMap<string, number>,
): Static<typeof wholeItem> {
  const { manifest, base, own, files, settings } = theme
  return {
    ...leanOf(theme, row),
    files: [...files].map(([file, text]) => ({
      file,
      bytes: bytesOf(file, own.get(file) ?? text).byteLength,
      revision: revisions.get(file) ?? null,
      ...(base !== undefined && !own.has(file) && { base }),
    })),
    settings: manifest.settings.map((setting) => ({
      ...setting,
      options: setting.options?.map(({ value, label }) => ({ value, label })) ?? [],
      value: settings[setting.id],
    })),
    locations: Object.entries(manifest.menus).map(([location, label]) => ({ location, label })),
  }
}

/** Returns the theme with its own files and the settings that were changed, and names the other settings. */
export function changedOf(theme: Theme, item: Static<typeof wholeItem>): Static<typeof wholeItem> {
  const isChanged = ({ id }: { id: string }) => theme.chosen[id] !== undefined
  const files = theme.shipped ? [] : item.files.filter(({ file }) => isOwnText(file, theme.own.get(file)))
  const others = item.settings.filter((setting) => !isChanged(setting))
  return {
    ...item,
    files,
    settings: item.settings.filter(isChanged),
    unchanged: {
      files: item.files.length - files.length,
      settings: Object.fromEntries(others.map(({ id, type, options = [] }) => [id, choicesOf(options) || type])),
    },
  }
}

/** True if a theme has a file, and no shipped theme has the same text in it. */
const isOwnText = (file: string, text: string | undefined): boolean =>
  text !== undefined && ![...shippedThemes().values()].some((shipped) => shipped.get(file) === text)

const choicesOf = (options: readonly { readonly value: string }[]): string => options.map(({ value }) => value).join(' | ')

/** The answer of a write to a theme. */
export const writeOutput = Type.Object({
  item: leanItem,
  changed: Type.Array(Type.String(), { description: 'Files that changed, or members of the theme.' }),
  problems: problemsProperty,
  ...writeProperties,
})

interface About {
  readonly problems?: readonly ThemeProblem[]
  readonly warnings?: readonly WriteWarning[]
  /** The file that was written. */
  readonly file?: string
}

/**
 * Returns the answer of a write to a theme; dispatch adds `activity_id` and `diff`. Its `revision` is the one that `if_revision` of
 * the next write takes: of the file, or of the settings.
 */
export async function wrote(
  db: Db,
  slug: string,
  changed: readonly string[],
  { problems = [], warnings = [], file }: About = {},
) {
  const row = file === undefined ? await findThemeRow(db, slug) : await findFileRow(db, slug, file)
  const item = { ...leanOf(await getTheme(db, slug), row), ...(file !== undefined && { file }) }
  return { item, changed: [...changed], problems: [...problems], warnings: [...warnings], activity_id: null }
}

const findFileRow = (db: Db, slug: string, file: string): Promise<Pick<ThemeRow, 'revision'> | undefined> =>
  db.selectFrom('theme_file').select('revision').where('id', '=', `${slug}/${file}`).executeTakeFirst()

/** The common part of the declarations of writes to a theme. */
export const themeWrite = { object: { kind: 'theme', page: 'theme' }, tier: 'admin', touches: 'site' } as const

/** The common part of the declarations of writes that are rendered before visitors see them. */
export const renderedWrite = {
  ...themeWrite,
  failures: ['not_found', 'unprocessable', 'conflict'],
  revisioned: true,
  output: writeOutput,
} as const
