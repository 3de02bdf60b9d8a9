// Where a text stands besides the title, excerpt and body of entries, so that whoever replaces it everywhere learns what is left.

import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { Type } from 'typebox'
import { countMatches, type Replacing } from '../../../content/replace-text.ts'
import { containsText } from '../../../store/contains-text.ts'
import type { Db } from '../../../store/database.ts'
import type { Schema } from '../../../store/schema.ts'

interface Place {
  readonly table: keyof Schema
  readonly key: string
  /** The column that people know it by. */
  readonly title: string
  /** The columns to look in. */
  readonly columns: readonly string[]
  /** The action that changes them. */
  readonly call: string
  readonly where?: RawBuilder<SqlBool>
}

const places = {
  entry: {
    table: 'entry',
    key: 'id',
    title: 'title',
    columns: ['fields', 'seo'],
    call: 'SVC_Content.update',
    where: sql<SqlBool>`status <> 'trash'`,
  },
  term: { table: 'term', key: 'id', title: 'ref', columns: ['name', 'text', 'seo'], call: 'SVC_Terms.update' },
  menu: { table: 'menu', key: 'id', title: 'name', columns: ['items'], call: 'SVC_Menus.update' },
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
    call: 'SVC_Settings.update',
    // Texts that every caller may read.
    where: sql<SqlBool>`key in ('site_title', 'site_tagline', 'instructions')`,
  },
  theme: { table: 'theme', key: 'slug', title: 'slug', columns: ['settings'], call: 'SVC_Themes.configure' },
  theme_file: { table: 'theme_file', key: 'id', title: 'id', columns: ['text'], call: 'SVC_Themes.edit' },
} as const satisfies Readonly<Record<string, Place>>

/** The most places of each kind. */
const mostOfKind = 20

export const elsewhereProperty = Type.Optional(
  Type.Array(
    Type.Object({
      kind: Type.String(),
      id: Type.String(),
      title: Type.String(),
      field: Type.String(),
      call: Type.String({ description: 'The action that changes it.' }),
    }),
    { description: 'Where else the text stands; this call does not replace it there.' },
  ),
)

/** Places outside of the texts that `replace-all` replaces. */
export async function findElsewhere(db: Db, { find, matchCase }: Replacing) {
  const found: { kind: string; id: string; title: string; field: string; call: string }[] = []
  // Several of these columns are JSON, in which a quotation mark is written with a backslash.
  const forms = [...new Set([find, JSON.stringify(find).slice(1, -1)])]
  for (const [kind, { table, key, title, columns, call, where }] of Object.entries(places) as [string, Place][]) {
    const has = columns.flatMap((column) => forms.map((form) => containsText(db, sql.ref(column), form)))
    const query = sql<Record<string, string | null>>`select ${sql.ref(key)} as id, ${sql.ref(title)} as title,
      ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)}
      where (${sql.join(has, sql` or `)}) and ${where ?? sql`1 = 1`} order by ${sql.ref(key)} limit ${mostOfKind}`
    for (const row of (await query.execute(db)).rows)
      for (const column of columns)
        if (forms.some((form) => countMatches(row[column] ?? '', { find: form, replace: '', matchCase }) > 0))
          found.push({ kind, id: String(row['id']), title: String(row['title']), field: column, call })
  }
  return found
}
