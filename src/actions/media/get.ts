import { Type } from 'typebox'
import { notFound } from '../../base/failure.ts'
import { includesTier } from '../../identity/caller.ts'
import { findManyMedia, findMedia, findUses, isPublicMedia } from '../../media/media-rows.ts'
import { signedMs, signedPath } from '../../media/signed-address.ts'
import { formatDate } from '../../settings/time-zone.ts'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { mediaItem, protectedItem, wholeItem } from './item.ts'
import { filesOf, idProperty } from './named.ts'

export const get = action('SVC_Media.get', {
  title: 'Show a file',
  summary: 'Shows a media file: its sizes, where it is used, and an address for an hour where it is protected.',
  tier: 'any',
  effect: 'read',
  failures: ['not_found'],
  input: closed({ id: idProperty }),
  output: Type.Object({ item: mediaItem }),
  examples: [
    { title: 'An image by its path', input: { id: '/media/logo.svg' } },
    { title: 'A file in `uploads/protected/`', input: { id: 'protected/report.pdf' } },
  ],
  async run(context, { id }) {
    const { db, site, now, origin, caller } = context
    const maySeeAll = includesTier(caller.tier, 'read')
    // A name alone could mean a file that an anonymous caller may not see.
    const row = maySeeAll ? await findMedia(db, id) : (await findManyMedia(db, [id])).get(id)
    if (row) {
      const uses = await findUses(db, row)
      const shown = wholeItem(context, row, uses)
      if (maySeeAll || (shown.used !== 0 && (await isPublicMedia(db, row, now)))) return { item: shown }
    }
    const file = maySeeAll ? await filesOf(context).find(id) : undefined
    if (!file) throw notFound('media file', id, 'SVC_Media.list lists them.')
    const until = now + signedMs
    return {
      item: { ...protectedItem(file), url: origin + signedPath(site.key, file, until, caller), expires_at: formatDate(until) },
    }
  },
})
