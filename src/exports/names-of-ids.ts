// The names by which files of an export refer to entries, media, terms and authors. Ids belong to one site.

import type { FieldDefinition } from '../content/types/field-definition.ts'
import { membersOf } from '../content/types/field-kinds.ts'
import type { TermOf } from '../content/terms/term-index.ts'
import { toSeo } from '../content/types/field-values.ts'
import { publicProfiles } from '../identity/profile.ts'
import type { EntryRow } from '../store/core/schema.ts'
import { isObject, membersOrNull } from '../base/json.ts'
import type { Db } from '../store/core/database.ts'

/** Finds the name of an object by its id; undefined if the object is gone or in the trash. */
export interface IdNames {
  readonly entry: (id: string) => string | undefined
  readonly media: (id: string) => string | undefined
  readonly term: (id: string) => string | undefined
  /** The slug of the public profile of an account. */
  readonly author: (id: string) => string | undefined
}

/** Reads the names of these ids. Ids of any kind may be given together. */
export async function readIdNames(db: Db, termOf: TermOf, ids: ReadonlySet<string>): Promise<IdNames> {
  const wanted = [...ids]
  if (wanted.length === 0) return { entry: none, media: none, author: none, term: (id) => termOf(id)?.ref }
  const entries = await db.selectFrom('entry').select(['id', 'path']).where('id', 'in', wanted).execute()
  const media = await db
    .selectFrom('media')
    .select(['id', 'path'])
    .where('id', 'in', wanted)
    .where('deleted_at', 'is', null)
    .execute()
  const authors = await publicProfiles(db).select('id').where('id', 'in', wanted).execute()
  const entryPaths = new Map(entries.map(({ id, path }) => [id, path]))
  const mediaPaths = new Map(media.map(({ id, path }) => [id, path]))
  const slugs = new Map(authors.map(({ id, slug }) => [id, slug]))
  return {
    entry: (id) => entryPaths.get(id) ?? undefined,
    media: (id) => mediaPaths.get(id),
    term: (id) => termOf(id)?.ref,
    author: (id) => slugs.get(id) ?? undefined,
  }
}

const none = () => undefined

/** Returns the name of an object, or null if there is none. */
export const nameOf = (id: string | null, find: (id: string) => string | undefined): string | null =>
  id === null ? null : (find(id) ?? null)

/** Returns what a column of texts for search engines says, with the path of its picture; null if it says nothing. */
export function namedSeo(seo: EntryRow['seo'], names: IdNames): Record<string, unknown> | null {
  const { image, noindex, ...texts } = toSeo(seo)
  return membersOrNull({ ...texts, noindex: noindex || null, image: nameOf(image, names.media) })
}

type Values = Readonly<Record<string, unknown>>

/** Returns the ids in the values of fields. */
export function idsIn(values: Values, fields: readonly FieldDefinition[]): readonly string[] {
  const ids: string[] = []
  mapReferences(values, fields, (_kind, id) => {
    ids.push(id)
    return id
  })
  return ids
}

/** Returns the values of fields with names in the place of ids. A reference to an object that is gone is left out. */
export const namedValues = (values: Values, fields: readonly FieldDefinition[], names: IdNames): Record<string, unknown> =>
  mapReferences(values, fields, (kind, id) => names[kind](id))

type Kind = 'entry' | 'media' | 'term'
type Rename = (kind: Kind, id: string) => string | undefined

function mapReferences(values: Values, fields: readonly FieldDefinition[], rename: Rename): Record<string, unknown> {
  const mapped: Record<string, unknown> = {}
  for (const field of fields) {
    const value = values[field.name]
    if (value === undefined || value === null) continue
    const after = field.many === true && Array.isArray(value) ? mapList(value, field, rename) : mapOne(value, field, rename)
    if (after !== undefined) mapped[field.name] = after
  }
  return mapped
}

const mapList = (values: readonly unknown[], field: FieldDefinition, rename: Rename): readonly unknown[] =>
  values.map((one) => mapOne(one, field, rename)).filter((one) => one !== undefined)

function mapOne(value: unknown, { kind, of }: FieldDefinition, rename: Rename): unknown {
  if (kind === 'group') return isObject(value) ? mapReferences(value, membersOf(of), rename) : undefined
  if (kind === 'entry' || kind === 'media' || kind === 'term') return typeof value === 'string' ? rename(kind, value) : undefined
  return value
}
