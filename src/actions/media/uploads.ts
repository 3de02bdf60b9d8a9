// SVC_Media.uploads: the files that came by links of SVC_Media.begin-upload, for the caller who made the links.

import { type Static, Type } from 'typebox'
import { notFound } from '../../base/failure.ts'
import { closed } from '../../base/schema.ts'
import { arrivedItems, findOwnUploads } from '../../media/upload-link.ts'
import { findManyMedia } from '../../media/media-rows.ts'
import { findIncoming } from '../../media/incoming.ts'
import { formatDate } from '../../settings/time-zone.ts'
import type { MediaRow, UploadLinkRow } from '../../store/core/schema.ts'
import { action, type Context } from '../call/action.ts'
import { mediaItem } from './item.ts'

/** The most links of an answer, and the number of files after which it has no further link. */
const maxLinks = 5
const maxFiles = 60

const file = Type.Object({
  ...Type.Pick(mediaItem, ['id', 'path', 'filename', 'kind', 'bytes', 'width', 'height', 'alt']).properties,
  sent_as: Type.String({ description: 'The name of the file at the sender, who may be a stranger.' }),
})

const item = Type.Object({
  upload_id: Type.String(),
  state: Type.Enum(['open', 'full', 'over'], {
    description: 'Whether the link takes more files, has taken all, or an hour has passed.',
  }),
  files_left: Type.Integer(),
  expires_at: Type.String(),
  kept: Type.Boolean({ description: 'Whether a file waits for an action that takes `upload_id`.' }),
  files: Type.Array(file, {
    description: 'Images with `alt: null` need a description: SVC_Media.read shows one, SVC_Media.update describes it.',
  }),
})

export const uploads = action('SVC_Media.uploads', {
  title: 'Show what came by upload links',
  summary: 'Tells which files came by your links of begin-upload. Ask when the person says that they have sent them.',
  tier: 'content',
  effect: 'read',
  failures: ['not_found'],
  input: closed({
    id: Type.Optional(
      Type.String({ description: 'The `upload_id` of one link. The default is your latest links of a day.', maxLength: 100 }),
    ),
  }),
  output: Type.Object({ items: Type.Array(item, { description: 'The links, the newest first.' }) }),
  examples: [{ title: 'After a person has dropped files', input: {} }],
  async run(context, asked) {
    const rows = await findOwnUploads(context.db, context.caller, asked.id, maxLinks)
    if (asked.id !== undefined && rows.length === 0)
      throw notFound('upload link of yours', asked.id, 'SVC_Media.uploads {} tells your latest links; each is known for a day.')
    const items: Static<typeof item>[] = []
    let files = 0
    for (const row of rows) {
      const one = await itemOf(context, row)
      files += one.files.length
      if (files > maxFiles && items.length > 0) break
      items.push(one)
    }
    return { items }
  },
})

async function itemOf({ db, now, site }: Context, row: UploadLinkRow): Promise<Static<typeof item>> {
  const arrived = arrivedItems(row)
  const ids = arrived.map((one) => one.id)
  const known = await findManyMedia(db, ids)
  const state = stateOf(row, now)
  return {
    upload_id: row.id,
    state,
    files_left: state === 'open' ? row.max_files - row.files : 0,
    expires_at: formatDate(row.expires_at),
    kept: (await findIncoming(site.config.POSTERN_HOME, row.id, now)) !== undefined,
    files: arrived.flatMap((one) => {
      const found = known.get(one.id)
      if (!found || found.deleted_at !== null) return []
      return [{ ...shownOf(found), sent_as: one.filename }]
    }),
  }
}

const shownOf = ({ id, path, filename, kind, bytes, width, height, alt }: MediaRow) => ({
  id,
  path,
  filename,
  kind,
  bytes,
  width,
  height,
  alt,
})

const stateOf = ({ used_at: usedAt, expires_at: until }: UploadLinkRow, now: number): 'open' | 'full' | 'over' =>
  usedAt !== null ? 'full' : until <= now ? 'over' : 'open'
