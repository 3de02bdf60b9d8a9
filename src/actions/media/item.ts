// A media file in answers.

import { type Static, Type } from 'typebox'
import { maySee } from '../../content/entries/entry.ts'
import { entryStatuses } from '../../content/entries/entry.ts'
import { variantAddress } from '../../media/media-address.ts'
import type { EarlierFile, MediaWithPicture, UsingEntry } from '../../media/media-rows.ts'
import type { ProtectedFile } from '../../media/protected-files.ts'
import type { Focus } from '../../media/picture-recipe.ts'
import { signedMs, signedPath } from '../../media/signed-address.ts'
import { treatmentOf } from '../../media/taken-kinds.ts'
import { formatDate } from '../../settings/time-zone.ts'
import type { Context } from '../call/action.ts'
import { nullable } from '../call/write-answer.ts'

const variant = Type.Object({
  url: Type.String(),
  width: Type.Integer(),
  height: Type.Integer(),
  type: Type.String(),
  bytes: Type.Integer(),
})
const user = Type.Object({
  id: Type.String(),
  type: Type.String(),
  title: Type.String(),
  path: nullable(Type.String()),
  status: Type.Enum([...entryStatuses]),
})
const later = Type.Optional

/** Members that files in `uploads/protected/` lack are optional. */
export const mediaItem = Type.Object({
  id: Type.String({ description: 'Id; of a file that was put into `uploads/protected/` by hand, its path below `uploads/`.' }),
  path: later(
    Type.String({
      description: 'Names the file in Markdown: `![alt](/media/team.jpg)`. It stays the same when the file is replaced.',
    }),
  ),
  url: later(
    nullable(Type.String(), 'Address of the file. Of a protected file, `get` signs one that works for an hour without a token.'),
  ),
  kind: Type.String({ description: 'Media type, read from the content.' }),
  bytes: Type.Integer({ description: 'Size of the file as it is stored.' }),
  width: later(nullable(Type.Integer(), 'Pixels, turned upright.')),
  height: later(nullable(Type.Integer())),
  alt: later(nullable(Type.String(), 'What the image shows. `""` is for decoration, null means that nobody has written it.')),
  folder: later(Type.String()),
  filename: Type.String(),
  protected: Type.Boolean({ description: 'Whether the file has no public address.' }),
  unpublished: later(Type.Boolean({ description: 'Whether the file stays hidden until something public uses it.' })),
  used: later(Type.Integer({ description: 'The number of entries that use the file.' })),
  revision: later(Type.Integer()),
  created_at: later(Type.String()),
  updated_at: Type.String(),
  deleted_at: later(nullable(Type.String(), 'When it was put into the trash.')),
  caption: later(nullable(Type.String())),
  focus: later(
    nullable(Type.Object({ x: Type.Number(), y: Type.Number() }), 'The point that stays visible when the image is cropped.'),
  ),
  variants: later(Type.Array(variant, { description: 'The sizes in which the image exists.' })),
  sizes: later(
    Type.Enum(['ready', 'making', 'failed', 'none'], {
      description: 'Whether the sizes of an image are made. It takes some seconds.',
    }),
  ),
  problem: later(nullable(Type.String(), 'Why the sizes could not be made.')),
  used_by: later(Type.Array(user)),
  earlier: later(
    Type.Array(Type.Object({ kind: Type.String(), bytes: Type.Integer(), replaced_at: Type.String() }), {
      description: 'The files that were replaced.',
    }),
  ),
  original_url: later(
    nullable(Type.String(), 'Fetches the file as it came, for an hour. An image may tell there where it was taken.'),
  ),
  expires_at: later(Type.String({ description: 'When signed addresses in this answer end.' })),
})
export type MediaItem = Static<typeof mediaItem>

export type ShownMedia = Omit<MediaWithPicture, 'picture' | 'problem'> & Partial<Pick<MediaWithPicture, 'picture' | 'problem'>>

/** Returns an item of a list, or of the answer of a write. */
export function leanItem({ origin }: Pick<Context, 'origin'>, row: ShownMedia, used?: number): MediaItem {
  return {
    id: row.id,
    path: row.path,
    url: row.protected === 1 ? null : origin + row.path,
    kind: row.kind,
    bytes: row.bytes,
    width: row.width,
    height: row.height,
    alt: row.alt,
    folder: row.folder,
    filename: row.filename,
    protected: row.protected === 1,
    ...(row.held === 1 && { unpublished: true }),
    ...(used !== undefined && { used }),
    revision: row.revision,
    created_at: formatDate(row.created_at),
    updated_at: formatDate(row.updated_at),
    ...(row.deleted_at !== null && { deleted_at: formatDate(row.deleted_at) }),
  }
}

/** Returns all members of a file, for callers who may see it. */
export function wholeItem(context: Context, row: ShownMedia, uses: readonly UsingEntry[]): MediaItem {
  const { caller, origin, site, now } = context
  const until = now + signedMs
  const mayHave = caller.tier !== 'any'
  const signed = origin + signedPath(site.key, { id: `media:${row.id}`, filename: row.filename }, until, caller)
  const shown = uses.filter((entry) => maySee(caller, entry, now))
  const treatment = treatmentOf(row.kind)
  return {
    ...leanItem(context, row, shown.length),
    ...(row.protected === 1 && { url: mayHave ? signed : null }),
    caption: row.caption,
    focus: row.focus === null ? null : (JSON.parse(row.focus) as Focus),
    variants: (row.picture ?? []).map(({ name, ...size }) => ({ url: variantAddress(origin, name), ...size })),
    sizes: treatment !== 'picture' ? 'none' : row.picture === undefined ? 'making' : row.picture.length > 0 ? 'ready' : 'failed',
    ...(row.problem && { problem: row.problem }),
    used_by: shown.map(({ id, type, title, path, status }) => ({ id, type, title, path, status: status as 'draft' })),
    ...(mayHave && {
      earlier: (JSON.parse(row.earlier) as EarlierFile[]).map(({ kind, bytes, at }) => ({
        kind,
        bytes,
        replaced_at: formatDate(at),
      })),
      original_url: signed,
      expires_at: formatDate(until),
    }),
  }
}

/** Returns the item of a file in `uploads/protected/`. */
export const protectedItem = ({ id, kind, bytes, filename, changedAt }: ProtectedFile): MediaItem => ({
  id,
  kind,
  bytes,
  protected: true,
  filename,
  updated_at: formatDate(changedAt),
})
