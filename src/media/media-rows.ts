// Media in the database: finds files by id or path, finds the entries that use them, and checks if they are public.

import { Failure, notFound } from '../base/failure.ts'
import type { Db } from '../store/core/database.ts'
import type { EntryRow, MediaPictureRow, MediaRow } from '../store/core/schema.ts'
import { mediaPrefix, storedNames } from './file-name.ts'
import type { Variant } from './picture-recipe.ts'
import { treatmentOf } from './taken-kinds.ts'

/** A media file with its derived files. */
export interface MediaWithPicture extends MediaRow {
  readonly picture: readonly Variant[] | undefined
  /** The reason why there are no sizes; null if there is none. */
  readonly problem: string | null
}

/** A replaced file, in the column `earlier`. */
export interface EarlierFile {
  readonly file: string
  readonly file_key: string
  readonly kind: string
  readonly bytes: number
  readonly at: number
}

/** Returns the stored form of a path that a caller may write without the first slash, or with a base path before it. */
export function pathNamed(ref: string): string | undefined {
  const at = `/${ref}`.indexOf(mediaPrefix)
  return at < 0 ? undefined : `/${ref}`.slice(at)
}

/**
 * The media file with this id, path or earlier path, in the trash or not. The path may be in another case, and the name of a file
 * is enough if no other file has it.
 * @throws Failure `not_found` for a name that several files have
 */
export async function findMedia(db: Db, ref: string): Promise<MediaWithPicture | undefined> {
  const found = (await findManyMedia(db, [ref])).get(ref)
  if (found) return found
  const path = pathNamed(ref)?.toLowerCase()
  return path === undefined ? findByName(db, ref) : (await findManyMedia(db, [path])).get(path)
}

/**
 * The only file with this name, in the trash or not. It is for callers who may see all files.
 * @throws Failure `not_found` if there are several
 */
async function findByName(db: Db, name: string): Promise<MediaWithPicture | undefined> {
  if (name.includes('/') || !name.includes('.')) return undefined
  const named = db.selectFrom('media').select(['id', 'path']).where('filename', 'in', storedNames(name))
  const [only, ...others] = await named.orderBy('path').limit(4).execute()
  if (only === undefined) return undefined
  if (others.length === 0) return (await findManyMedia(db, [only.id])).get(only.id)
  const paths = [only, ...others].slice(0, 3).map(({ path }) => path)
  const more = others.length > 2 ? ' and elsewhere' : ''
  throw new Failure('not_found', `Several files are called ${JSON.stringify(name)}: name one by its path.`, {
    id: name,
    hint: `They are at ${paths.join(', ')}${more}.`,
  })
}

/** @throws Failure `not_found` */
export async function getMedia(db: Db, ref: string): Promise<MediaRow> {
  const row = await findMedia(db, ref)
  if (row) return row
  throw notFound('media file', ref, 'SVC_Media.list lists them.')
}

/** Media files by the requested references: one query, and a second if a reference is an earlier path. */
export async function findManyMedia(db: Db, refs: readonly string[]): Promise<ReadonlyMap<string, MediaWithPicture>> {
  if (refs.length === 0) return new Map()
  const paths = new Map(refs.map((ref) => [ref, pathNamed(ref) ?? ref]))
  const names = [...new Set([...refs, ...paths.values()])]
  const rows = await rowsNamed(db, names)
  const found = new Map<string, MediaWithPicture>()
  const note = (path: (row: MediaWithPicture) => string, all: readonly MediaWithPicture[]) => {
    for (const row of all)
      for (const [ref, named] of paths) if (ref === row.id || named === path(row)) if (!found.has(ref)) found.set(ref, row)
  }
  note(({ path }) => path, rows)
  const left = [...paths].filter(([ref]) => !found.has(ref)).map(([, path]) => path)
  const former = left.filter((path) => path.startsWith(mediaPrefix))
  if (former.length > 0) {
    const moved = await db.selectFrom('media_former').selectAll().where('path', 'in', former).execute()
    const byId = new Map(
      (
        await rowsNamed(
          db,
          moved.map(({ media_id: id }) => id),
        )
      ).map((row) => [row.id, row]),
    )
    for (const { path, media_id: id } of moved) {
      const row = byId.get(id)
      if (row) note(() => path, [row])
    }
  }
  return found
}

async function rowsNamed(db: Db, names: readonly string[]): Promise<readonly MediaWithPicture[]> {
  if (names.length === 0) return []
  const rows = await db
    .selectFrom('media')
    .leftJoin('media_picture', 'media_picture.file_key', 'media.file_key')
    .selectAll('media')
    .select(['media_picture.variants', 'media_picture.problem'])
    .where((eb) => eb.or([eb('media.id', 'in', names), eb('media.path', 'in', names)]))
    .execute()
  return rows.map(withPicture)
}

function withPicture({
  variants,
  problem,
  ...row
}: MediaRow & { readonly variants: string | null; readonly problem: string | null }): MediaWithPicture {
  return { ...row, picture: variants === null ? undefined : variantsOf({ variants }), problem }
}

export const variantsOf = ({ variants }: Pick<MediaPictureRow, 'variants'>): readonly Variant[] =>
  JSON.parse(variants) as readonly Variant[]

/** The id of the image that a caller refers to; undefined if there is none, or if it is in the trash. */
export async function findImageId(db: Db, ref: string): Promise<string | undefined> {
  const row = await findMedia(db, ref)
  return row && row.deleted_at === null && ['picture', 'vector'].includes(treatmentOf(row.kind)) ? row.id : undefined
}

export type UsingEntry = Pick<EntryRow, 'id' | 'type' | 'title' | 'path' | 'status' | 'unpublish_at' | 'password_hash'>

type Named = Pick<MediaRow, 'id' | 'path'>

/** The references to these files that entries may contain, each with the file's id. */
async function refsOf(db: Db, media: readonly Named[]): Promise<ReadonlyMap<string, string>> {
  const refs = new Map(media.flatMap(({ id, path }) => [[id, id] as const, [path, id] as const]))
  const ids = media.map(({ id }) => id)
  const former = await db.selectFrom('media_former').selectAll().where('media_id', 'in', ids).execute()
  for (const { path, media_id: id } of former) if (!refs.has(path)) refs.set(path, id)
  return refs
}

const usesOf = (db: Db, refs: readonly string[]) =>
  db
    .selectFrom('media_use')
    .innerJoin('entry', 'entry.id', 'media_use.entry_id')
    .where('media_use.ref', 'in', refs)
    .where('entry.status', '!=', 'trash')

/** Counts the entries outside the trash that use each of these files. */
export async function countUses(db: Db, media: readonly Named[]): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>(media.map(({ id }) => [id, 0]))
  if (media.length === 0) return counts
  const refs = await refsOf(db, media)
  const rows = await usesOf(db, [...refs.keys()])
    .select((eb) => ['media_use.ref', eb.fn.countAll<number>().as('uses')])
    .groupBy('media_use.ref')
    .execute()
  for (const { ref, uses } of rows) {
    const id = refs.get(ref) ?? ''
    counts.set(id, (counts.get(id) ?? 0) + uses)
  }
  return counts
}

/** The entries outside the trash that use a file, at most a hundred. */
export async function findUses(db: Db, media: Named): Promise<readonly UsingEntry[]> {
  const refs = await refsOf(db, [media])
  const rows = await usesOf(db, [...refs.keys()])
    .select(['entry.id', 'entry.type', 'entry.title', 'entry.path', 'entry.status', 'entry.unpublish_at', 'entry.password_hash'])
    .limit(100)
    .execute()
  return [...new Map(rows.map((entry) => [entry.id, entry])).values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** True if a file is public. A file that a drafts-only caller uploaded is public once a public entry uses it. */
export async function isPublicMedia(
  db: Db,
  row: Named & Pick<MediaRow, 'protected' | 'held' | 'deleted_at'>,
  now: number,
): Promise<boolean> {
  if (row.protected === 1 || row.deleted_at !== null) return false
  if (row.held === 0) return true
  const refs = await refsOf(db, [row])
  const user = await usesOf(db, [...refs.keys()])
    .select('entry.id')
    // The same condition as `publishedOnly` in `content/entries/entry.ts`, which this folder may not import.
    .where('entry.status', '=', 'published')
    .where((eb) => eb.or([eb('entry.unpublish_at', 'is', null), eb('entry.unpublish_at', '>', now)]))
    .limit(1)
    .executeTakeFirst()
  return user !== undefined
}
