// The public profile of an account: the facts about an author that the site shows. It never has the e-mail address. A post's
// author name does not depend on it.

import { Failure, invalid } from '../base/failure.ts'
import type { Db } from '../store/core/database.ts'

/** The accounts whose profile the site shows. */
export const publicProfiles = (db: Db) =>
  db
    .selectFrom('account')
    .select(['slug', 'name', 'bio', 'picture'])
    .where('public', '=', 1)
    .where('disabled', '=', 0)
    .where('slug', 'is not', null)

/** The longest biography, in UTF-16 units. */
export const maxBioChars = 2000
export const maxPictureChars = 1000

/** Checks a biography. An empty one becomes null. @throws Failure `invalid` */
export function readBio(bio: string): string | null {
  const text = bio.trim()
  if (text.length <= maxBioChars && text.isWellFormed() && !/[^\P{Cc}\n\r\t]/u.test(text)) return text || null
  throw invalid('bio', `"bio" must be a text of at most ${maxBioChars} characters.`, 'a text without control characters, or null')
}

/** Checks the address of a picture: an https address, or a path of the site. @throws Failure `invalid` */
export function readPicture(picture: string): string {
  const isPath = /^\/(?![/\\])[^\s\\]*$/.test(picture)
  const isAddress = /^https:\/\/[^\s\\]+$/.test(picture) && URL.canParse(picture)
  if (isPath || isAddress) return picture
  throw invalid(
    'picture',
    '"picture" must be the address of a picture.',
    'a path such as /user-content/me.webp, or an address with https://',
  )
}

/** @throws Failure `exists` if another account has this slug */
export async function checkProfileSlugFree(db: Db, slug: string, ownId: string): Promise<void> {
  const taken = await db.selectFrom('account').select('id').where('slug', '=', slug).executeTakeFirst()
  if (!taken || taken.id === ownId) return
  throw new Failure('exists', `Another account has the slug ${JSON.stringify(slug)}.`, { field: 'slug', by: { id: taken.id } })
}
