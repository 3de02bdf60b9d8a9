// Finds a text in places that `replace-all` does not change, so that its caller learns where the text remains.

import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { type Static, Type } from 'typebox'
import { storedValues } from '../../content/types/custom-values.ts'
import type { EntryType, EntryTypes } from '../../content/types/entry-types.ts'
import { countMatches, type Replacing } from '../../content/markdown/replace-text.ts'
import { containsText } from '../../store/search/contains-text.ts'
import type { Schema } from '../../store/core/schema.ts'
import type { Context } from '../call/action.ts'

interface Place {
  readonly table: keyof Schema
  readonly key: string
  /** The column with the name for people. */
  readonly title: string
  readonly columns: readonly string[]
  readonly json?: readonly string[]
  readonly call: string
  readonly where?: RawBuilder<SqlBool>
}

const places = {
  entry: {
    table: 'entry',
    key: 'id',
    title: 'title',
    columns: ['fields', 'seo'],
    json: ['fields', 'seo'],
    call: 'SVC_Content.update',
    where: sql<SqlBool>`status <> 'trash'`,
  },
  term: { table: 'term', key: 'id', title: 'ref', columns: ['name', 'text', 'seo'], json: ['seo'], call: 'SVC_Terms.update' },
  menu: { table: 'menu', key: 'id', title: 'name', columns: ['name', 'items'], json: ['items'], call: 'SVC_Menus.update' },
  redirect: { table: 'redirect', key: 'id', title: 'source', columns: ['target', 'note'], call: 'SVC_Redirects.update' },
  media: {
    table: 'media',
    key: 'id',
    title: 'path',
    columns: ['alt', 'caption'],
    call: 'SVC_Media.update',
    where: sql<SqlBool>`deleted_at is null`,
  },
  setting: {
    table: 'setting',
    key: 'key',
    title: 'key',
    columns: ['value'],
    json: ['value'],
    call: 'SVC_Settings.update',
    // The settings that every caller may read.
    where: sql<SqlBool>`key in ('site_title', 'site_tagline', 'instructions')`,
  },
  theme: { table: 'theme', key: 'slug', title: 'slug', columns: ['settings'], json: ['settings'], call: 'SVC_Themes.configure' },
  theme_file: { table: 'theme_file', key: 'id', title: 'id', columns: ['text'], call: 'SVC_Themes.edit' },
  skill: { table: 'skill', key: 'slug', title: 'slug', columns: ['when', 'text'], call: 'SVC_Skills.put' },
  type: {
    table: 'entry_type',
    key: 'slug',
    title: 'slug',
    columns: ['name', 'fields'],
    json: ['fields'],
    call: 'SVC_Types.update',
  },
  taxonomy: { table: 'taxonomy', key: 'slug', title: 'slug', columns: ['name'], call: 'SVC_Terms.save-taxonomy' },
  author: {
    table: 'account',
    key: 'id',
    title: 'name',
    columns: ['name', 'bio'],
    call: 'SVC_Accounts.update',
    // The profiles that visitors may read.
    where: sql<SqlBool>`public = 1`,
  },
} as const satisfies Readonly<Record<string, Place>>

/** The most places per kind. */
const mostOfKind = 20

const found = Type.Object({
  kind: Type.String(),
  id: Type.String(),
  title: Type.String(),
  field: Type.String(),
  call: Type.String({ description: 'The action that changes it.' }),
})

export const elsewhereProperty = Type.Optional(
  Type.Array(found, { description: 'Where else the text occurs; this call does not replace it there.' }),
)

/**
 * Returns the places outside the texts that `replace-all` changes.
 * @param waiting entries in which the replacement is staged
 */
export async function findElsewhere(
  { db, site }: Pick<Context, 'db' | 'site'>,
  replacing: Replacing,
  waiting: ReadonlySet<string>,
): Promise<Static<typeof found>[]> {
  const all: Static<typeof found>[] = []
  const { find } = replacing
  // JSON escapes some characters with a backslash.
  const forms = [...new Set([find, JSON.stringify(find).slice(1, -1)])]
  for (const [kind, place] of Object.entries(places) as [string, Place][]) {
    const { table, key, title, columns, call, where } = place
    const has = columns.flatMap((column) => forms.map((form) => containsText(db, sql.ref(column), form)))
    const type = kind === 'entry' ? sql`type` : sql`''`
    const query = sql<Row>`select ${sql.ref(key)} as id, ${sql.ref(title)} as title, ${type} as type,
      ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)}
      where (${sql.join(has, sql` or `)}) and ${where ?? sql`1 = 1`} order by ${sql.ref(key)} limit ${mostOfKind}`
    for (const row of (await query.execute(db)).rows) {
      if (kind === 'entry' && waiting.has(String(row['id']))) continue
      for (const [field, text] of textsOf(place, row, site.types.current))
        if (countMatches(text, replacing) > 0) all.push({ kind, id: String(row['id']), title: String(row['title']), field, call })
    }
  }
  return all
}

type Row = Readonly<Record<string, string | null>>

/** Returns the texts of a row with their places, such as `alt` or `items.0.label`. */
function textsOf({ table, columns, json = [] }: Place, row: Row, types: EntryTypes): readonly (readonly [string, string])[] {
  return columns.flatMap((column) => {
    const text = row[column] ?? ''
    if (!json.includes(column) || text === '') return [[column, text] as const]
    const value: unknown = table === 'entry' && column === 'fields' ? shown(text, types.of(row['type'] ?? '')) : JSON.parse(text)
    return leavesOf(value, column)
  })
}

/** Returns the values for which the type has a field, including values that the field no longer accepts. */
const shown = (column: string, { fields }: Pick<EntryType, 'fields'>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(storedValues(column)).filter(([name]) => fields.some((field) => field.name === name)))

/** Returns the texts in a JSON value. Numbers count as text. */
function leavesOf(value: unknown, at: string): readonly (readonly [string, string])[] {
  if (typeof value === 'string' || typeof value === 'number') return [[at, String(value)]]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, part]) => leavesOf(part, `${at}.${name}`))
}
