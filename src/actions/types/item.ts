// A type of entries in the answers of SVC_Types, and the look-up of a type.

import { type Static, Type } from 'typebox'
import { customKinds } from '../../content/types/field-definition.ts'
import { ownPart } from '../../content/types/entry-type-reader.ts'
import { usualSort } from '../../content/types/list-rules.ts'
import { typeOf } from '../../content/types/entry-types.ts'
import { notFound } from '../../base/failure.ts'
import { formatDate } from '../../settings/time-zone.ts'
import type { Db } from '../../store/core/database.ts'
import type { EntryTypeRow } from '../../store/core/schema.ts'
import { nonEmptyText } from '../../base/schema.ts'

const shownField = Type.Object({
  name: Type.String(),
  kind: Type.Enum([...customKinds]),
  label: Type.Optional(Type.String()),
  help: Type.Optional(Type.String()),
  required: Type.Optional(Type.Boolean()),
  default: Type.Optional(Type.Unknown()),
  options: Type.Optional(Type.Array(Type.String())),
  many: Type.Optional(Type.Boolean()),
  of: Type.Optional(Type.Unknown()),
  filter: Type.Optional(Type.Boolean()),
})

export const typeItem = Type.Object({
  id: Type.String({ description: 'The slug.' }),
  slug: Type.String(),
  name: Type.String(),
  path: Type.String({ description: 'Where its entries are. Entries of `page` are below their parents instead.' }),
  built_in: Type.Boolean({ description: 'Whether the type belongs to the program. It can get fields, and stays.' }),
  entries: Type.Integer({ description: 'The number of its entries, with those in the trash.' }),
  revision: Type.Integer(),
  fields: Type.Optional(Type.Array(shownField)),
  dropped: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        until: Type.String({
          description: 'When its values are gone for good. Until then, a field of this name has them again.',
        }),
      }),
      { description: 'Fields that were removed.' },
    ),
  ),
  taxonomies: Type.Optional(Type.Array(Type.String())),
  feed: Type.Optional(Type.Boolean()),
  list: Type.Optional(
    Type.Object({
      sort: Type.String(),
      hide_past: Type.Union([Type.String(), Type.Null()]),
      shows: Type.Array(Type.String()),
    }),
  ),
  created_at: Type.Optional(Type.String()),
  updated_at: Type.Optional(Type.String()),
})

export type TypeItem = Static<typeof typeItem>

/** The time for which values of a removed field are stored, in milliseconds. */
export const keptMs = 30 * 24 * 60 * 60_000

/** Returns a type without its fields, for lists and writes. @param entries by slug */
export function leanType(row: EntryTypeRow, entries: ReadonlyMap<string, number>): TypeItem {
  const { slug, name, revision } = row
  const { path, builtIn } = typeOf(ownPart(row))
  return { id: slug, slug, name, path, built_in: builtIn, entries: entries.get(slug) ?? 0, revision }
}

/** Returns a type with all of its members. */
export function wholeType(row: EntryTypeRow, entries: ReadonlyMap<string, number>): TypeItem {
  const { fields, dropped, taxonomies, feed, list } = ownPart(row)
  return {
    ...leanType(row, entries),
    fields: fields as never,
    dropped: dropped.map(({ name, at }) => ({ name, until: formatDate(at + keptMs) })),
    taxonomies: [...taxonomies],
    feed,
    list: { sort: list.sort ?? usualSort, hide_past: list.hide_past ?? null, shows: [...(list.shows ?? [])] },
    created_at: formatDate(row.created_at),
    updated_at: formatDate(row.updated_at),
  }
}

/** Returns the number of entries of each type, by slug. */
export async function countEntries(db: Db, types: readonly Pick<EntryTypeRow, 'slug'>[]): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const { slug } of types) {
    const { entries } = await db
      .selectFrom('entry')
      .select((eb) => eb.fn.countAll<number | string>().as('entries'))
      .where('type', '=', slug)
      .executeTakeFirstOrThrow()
    counts.set(slug, Number(entries))
  }
  return counts
}

export const typeIdProperty = nonEmptyText('Slug of a type.', 100)

/** @throws Failure `not_found` */
export async function getType(db: Db, slug: string): Promise<EntryTypeRow> {
  const row = await db.selectFrom('entry_type').selectAll().where('slug', '=', slug).executeTakeFirst()
  if (row) return row
  throw notFound('type', slug, 'SVC_Types.list lists them.')
}

/** Returns the row in the form that the caller selects. */
export async function typeAnswer(
  { db, select }: { readonly db: Db; readonly select: readonly string[] | undefined },
  row: EntryTypeRow,
): Promise<TypeItem> {
  return (select ? wholeType : leanType)(row, await countEntries(db, [row]))
}
