// Changes of the public profile in SVC_Accounts.update. `identity/profile.ts` defines what the site shows of it.

import type { Static, TObject } from 'typebox'
import { clearableText, flag } from '../../base/schema.ts'
import { checkSlug, numbered, slugify } from '../../content/entries/slug.ts'
import { checkProfileSlugFree, maxBioChars, maxPictureChars, readBio, readPicture } from '../../identity/profile.ts'
import type { Db } from '../../store/core/database.ts'
import type { AccountRow } from '../../store/core/schema.ts'

export const profileProperties = {
  public: flag('Whether the site shows a profile of the person: name, slug, bio and picture, never the e-mail.'),
  slug: clearableText("Last part of the address of the person's page. The default is made from the name.", 100),
  bio: clearableText('About the person, in Markdown.', maxBioChars),
  picture: clearableText('Picture: a path of the site, or an address with https://.', maxPictureChars),
}

type Given = Static<TObject<typeof profileProperties>>

/**
 * Returns the columns that an input sets. A profile that becomes public gets a slug.
 * @throws Failure `invalid`, or `exists` for a slug of another account
 */
export async function profileColumns(db: Db, before: AccountRow, input: Given, name: string): Promise<Partial<AccountRow>> {
  const { public: shown, slug, bio, picture } = input
  const isPublic = shown ?? before.public === 1
  const wanted = slug === undefined ? before.slug : slug
  if (wanted !== null && wanted !== before.slug) {
    checkSlug(wanted, { top: false, guarded: true })
    await checkProfileSlugFree(db, wanted, before.id)
  }
  return {
    ...(shown === undefined ? {} : { public: shown ? 1 : 0 }),
    slug: wanted === null && isPublic ? await freeSlug(db, slugify(name) || 'author') : wanted,
    ...(bio === undefined ? {} : { bio: bio === null ? null : readBio(bio) }),
    ...(picture === undefined ? {} : { picture: picture === null ? null : readPicture(picture) }),
  }
}

/** Returns the slug itself, or the first of `slug-2`, `slug-3`, … that no account has. */
async function freeSlug(db: Db, slug: string): Promise<string> {
  const rows = await db.selectFrom('account').select('slug').where('slug', 'is not', null).execute()
  const taken = new Set(rows.map((row) => row.slug))
  let free = slug
  for (let number = 2; taken.has(free); number++) free = numbered(slug, number)
  return free
}
