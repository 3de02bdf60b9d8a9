// The public profile of an account: what the site shows of an author. It never has the e-mail address. The name beside a post does not depend on it.

import { Failure } from '../failure.ts'
import type { Db } from '../store/database.ts'
import type { AccountRow } from '../store/schema.ts'

/** What visitors may know of an author. */
export interface PublicProfile {
  readonly slug: string
  readonly name: string
  readonly bio: string | null
  /** Address of a picture: `https://…`, or a path of the site. */
  readonly picture: string | null
}

const profileColumns = ['slug', 'name', 'bio', 'picture'] as const

/** The public profile with a slug. An account that is disabled, or not public, has none. */
export async function findPublicProfile(db: Db, slug: string): Promise<PublicProfile | undefined> {
  const row = await publicProfiles(db).where('slug', '=', slug).executeTakeFirst()
  return row && toProfile(row)
}

/** The public profile of the author of an entry. @param accountId the column `author_id` of the entry */
export async function findAuthorProfile(db: Db, accountId: string | null): Promise<PublicProfile | undefined> {
  if (accountId === null) return undefined
  const row = await publicProfiles(db).where('id', '=', accountId).executeTakeFirst()
  return row && toProfile(row)
}

/** The accounts whose profile the site shows. */
export const publicProfiles = (db: Db) =>
  db.selectFrom('account').select(profileColumns).where('public', '=', 1).where('disabled', '=', 0).where('slug', 'is not', null)

const toProfile = ({ slug, ...profile }: Pick<AccountRow, (typeof profileColumns)[number]>): PublicProfile => ({
  slug: slug ?? '',
  ...profile,
})

/** The longest biography, in UTF-16 units. */
export const maxBioChars = 2000
export const maxPictureChars = 1000

/** Checks a biography. An empty one is none. @throws Failure `invalid` */
export function readBio(bio: string): string | null {
  const text = bio.trim()
  if (text.length <= maxBioChars && text.isWellFormed() && !/[^\P{Cc}\n\r\t]/u.test(text)) return text || null
  throw new Failure('invalid', `"bio" must be a text of at most ${maxBioChars} characters.`, {
    field: 'bio',
    expected: 'a text without control characters, or null',
  })
}

/** Checks the address of a picture: of the web, or a path of the site. @throws Failure `invalid` */
export function readPicture(picture: string): string {
  const isPath = /^\/(?![/\\])[^\s\\]*$/.test(picture)
  const isAddress = /^https:\/\/[^\s\\]+$/.test(picture) && URL.canParse(picture)
  if (isPath || isAddress) return picture
  throw new Failure('invalid', '"picture" must be the address of a picture.', {
    field: 'picture',
    expected: 'a path such as /user-content/me.webp, or an address with https://',
  })
}

/** @throws Failure `exists` if another account has this slug */
export async function checkProfileSlugFree(db: Db, slug: string, ownId: string): Promise<void> {
  const taken = await db.selectFrom('account').select('id').where('slug', '=', slug).executeTakeFirst()
  if (!taken || taken.id === ownId) return
  throw new Failure('exists', `Another account has the slug ${JSON.stringify(slug)}.`, { field: 'slug', by: { id: taken.id } })
}
