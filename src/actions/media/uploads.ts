// SVC_Media.uploads: the files that came by a link of SVC_Media.begin-upload, for the caller who made it.

import { Type } from 'typebox'
import { notFound } from '../../base/failure.ts'
import { closed } from '../../base/schema.ts'
import { arrivedItems, findOwnUpload } from '../../media/upload-link.ts'
import { findManyMedia } from '../../media/media-rows.ts'
import { findIncoming } from '../../media/incoming.ts'
import { formatDate } from '../../settings/time-zone.ts'
import type { UploadLinkRow } from '../../store/core/schema.ts'
import { action } from '../call/action.ts'
import { leanItem, mediaItem } from './item.ts'

/** The members of a media file that the answer has. `get` answers the others. */
const shown = ['id', 'path', 'filename', 'kind', 'bytes', 'width', 'height', 'alt'] as const
const { id, path, filename, kind, bytes, width, height, alt } = mediaItem.properties

export const uploads = action('SVC_Media.uploads', {
  title: 'Show what came by an upload link',
  summary: 'Tells which files came by a link of begin-upload. Ask when the person says that they have sent them.',
  tier: 'content',
  effect: 'read',
  failures: ['not_found'],
  input: closed({ id: Type.String({ description: 'The `upload_id` that SVC_Media.begin-upload answered.', maxLength: 100 }) }),
  output: Type.Object({
    state: Type.Enum(['open', 'full', 'over'], {
      description: 'Whether the link takes more files, has taken all, or an hour has passed.',
    }),
    files_left: Type.Integer(),
    expires_at: Type.String(),
    items: Type.Array(
      Type.Object({
        ...{ id, path, filename, kind, bytes, width, height, alt },
        sent_as: Type.String({ description: 'The name of the file at the sender, which is what a stranger wrote.' }),
      }),
      { description: 'Images with `alt: null` need a description: SVC_Media.read shows one, SVC_Media.update describes it.' },
    ),
    kept: Type.Boolean({ description: 'Whether a file waits for an action that takes `upload_id`.' }),
  }),
  examples: [{ title: 'After a person has dropped files', input: { id: '06by8g0s2b7n5xv3w9k4m1q0ze' } }],
  async run({ db, caller, origin, now, site }, asked) {
    const row = await findOwnUpload(db, caller, asked.id)
    if (!row) throw notFound('upload link of yours', asked.id, 'SVC_Media.begin-upload answers the id, which is known for a day.')
    const arrived = arrivedItems(row)
    const known = await findManyMedia(
      db,
      arrived.map((one) => one.id),
    )
    const state = stateOf(row, now)
    return {
      state,
      files_left: state === 'open' ? row.max_files - row.files : 0,
      expires_at: formatDate(row.expires_at),
      items: arrived.flatMap((one) => {
        const file = known.get(one.id)
        if (!file || file.deleted_at !== null) return []
        const item = leanItem({ origin }, file)
        return [{ ...pick(item), sent_as: one.filename }]
      }),
      kept: (await findIncoming(site.config.POSTERN_HOME, row.id, now)) !== undefined,
    }
  },
})

const pick = (item: ReturnType<typeof leanItem>) =>
  Object.fromEntries(shown.map((name) => [name, item[name]])) as Pick<typeof item, (typeof shown)[number]>

const stateOf = ({ used_at: usedAt, expires_at: until }: UploadLinkRow, now: number): 'open' | 'full' | 'over' =>
  usedAt !== null ? 'full' : until <= now ? 'over' : 'open'
