// The profile of an author of another site: an account without a password, with which nobody can sign in.

import { numbered } from '../../content/entries/slug.ts'
import { noSecondFactor } from '../../identity/account-store.ts'
import { maxBioChars } from '../../identity/profile.ts'
import type { Change } from '../../store/change/change.ts'
import type { Db } from '../../store/core/database.ts'
import { newId } from '../../store/core/ids.ts'

export interface NewProfile {
  /** A slug that no profile has (`findFreeSlug`). */
  readonly slug: string
  readonly name: string
  readonly bio: string | undefined
  readonly email: string | undefined
  /** Path or address of a picture. */
  readonly picture?: string | null
}

export function insertProfile(change: Change, { slug, name, bio = '', email, picture = null }: NewProfile) {
  const id = newId(change.now)
  const text = bio
    .replace(/[^\P{Cc}\n\r\t]/gu, '')
    .toWellFormed()
    .trim()
    .slice(0, maxBioChars)
  return change.insert('account', {
    id,
    email: email ?? `${slug}.${id}@import.invalid`,
    name,
    role: 'read',
    password_hash: null,
    disabled: 0,
    epoch: 0,
    public: 1,
    slug,
    bio: text || null,
    picture,
    enter_breaks: 1,
    proposal_mails: 'hourly',
    ...noSecondFactor,
  })
}

/** Returns the slug, or the first free one with a number. */
export async function findFreeSlug(db: Db, wanted: string): Promise<string> {
  for (let number = 1; ; number++) {
    const slug = number === 1 ? wanted : numbered(wanted, number)
    if (!(await hasProfile(db, slug))) return slug
  }
}

export const hasProfile = async (db: Db, slug: string): Promise<boolean> =>
  (await db.selectFrom('account').select('id').where('slug', '=', slug).executeTakeFirst()) !== undefined
