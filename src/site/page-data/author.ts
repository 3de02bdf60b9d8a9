// The authors of entries, as pages name them. Of an account whose profile is not public, visitors see the name alone.

import type { ThemeAuthor, ThemeImage } from '../../themes/contract.ts'
import { bareImage, imagesOf } from './images.ts'
import type { Frame } from '../frame.ts'

export type Authors = ReadonlyMap<string, ThemeAuthor>

/** The authors of several entries, by the id of the account: one query, and one for their pictures. */
export async function authorsOf(frame: Frame, accountIds: readonly (string | null)[]): Promise<Authors> {
  const ids = [...new Set(accountIds)].filter((id) => id !== null)
  if (ids.length === 0) return new Map()
  const rows = await frame.site.store.read
    .selectFrom('account')
    .select(['id', 'name', 'slug', 'bio', 'picture', 'public', 'disabled'])
    .where('id', 'in', ids)
    .execute()
  const named = rows.filter(({ name }) => name !== '')
  const shown = named.map((row) => ({ ...row, profile: row.public === 1 && row.disabled === 0 && row.slug !== null }))
  const images = await imagesOf(
    frame,
    shown.map(({ profile, picture }) => (profile ? picture : null)),
  )
  return new Map(
    shown.map(({ id, name, slug, bio, picture, profile }) => [
      id,
      profile
        ? { name, url: `${frame.origin}/author/${slug}`, bio, image: pictureOf(frame, picture, images) }
        : { name, url: null, bio: null, image: null },
    ]),
  )
}

/** A picture is a file of the site, or any address. */
export function pictureOf({ origin }: Frame, picture: string | null, images: ReadonlyMap<string, ThemeImage>): ThemeImage | null {
  if (picture === null) return null
  return images.get(picture) ?? bareImage(picture.startsWith('/') ? origin + picture : picture)
}
