// The authors of entries, as pages name them. If a profile is not public, visitors see the name alone.

import type { ThemeAuthor, ThemeImage } from '../../../themes/contract.ts'
import type { AccountRow } from '../../../store/core/schema.ts'
import type { Services } from '../../../actions/call/services.ts'
import { readingCaches } from '../../kept/reading-cache.ts'
import { bareImage, imagesOf } from './images.ts'
import type { Frame } from '../frame.ts'

export type Authors = ReadonlyMap<string, ThemeAuthor>

/** The authors of several entries, by the id of the account. Each account is cached; their pictures take one query. */
export async function authorsOf(frame: Frame, accountIds: readonly (string | null)[]): Promise<Authors> {
  const accounts = await findAuthors(frame, accountIds)
  return authorsWith(frame, accounts, await imagesOf(frame, accounts.map(shownPicture)))
}

/** The account of an author. */
export type AuthorRow = Pick<AccountRow, 'id' | 'name' | 'slug' | 'bio' | 'picture' | 'public' | 'disabled'>

const hasProfile = ({ public: isPublic, disabled, slug }: AuthorRow): boolean => isPublic === 1 && disabled === 0 && slug !== null

/** The picture that visitors see. */
export const shownPicture = (row: AuthorRow): string | null => (hasProfile(row) ? row.picture : null)

/** Finds the accounts of authors who have a name. Nearly every page names one of few authors, so they are kept. */
export async function findAuthors({ site }: Frame, accountIds: readonly (string | null)[]): Promise<readonly AuthorRow[]> {
  const ids = [...new Set(accountIds)].filter((id) => id !== null)
  const found = await Promise.all(ids.map((id) => cacheOf(site).load(site, id, (view) => readAuthor(view, id))))
  return found.flat().filter(({ name }) => name !== '')
}

const cacheOf = readingCaches<readonly AuthorRow[]>({
  maxBytes: 1024 ** 2,
  sizeOf: (rows) => 2 * JSON.stringify(rows).length,
})

const readAuthor = ({ store }: Services, id: string): Promise<readonly AuthorRow[]> =>
  store.read
    .selectFrom('account')
    .select(['id', 'name', 'slug', 'bio', 'picture', 'public', 'disabled'])
    .where('id', '=', id)
    .execute()

/** Authors by the id of the account, after their pictures were looked up. */
export function authorsWith(frame: Frame, accounts: readonly AuthorRow[], images: ReadonlyMap<string, ThemeImage>): Authors {
  return new Map(
    accounts.map((row) => [
      row.id,
      hasProfile(row)
        ? {
            name: row.name,
            url: `${frame.origin}/author/${row.slug}`,
            bio: row.bio,
            image: pictureOf(frame, row.picture, images),
          }
        : { name: row.name, url: null, bio: null, image: null },
    ]),
  )
}

/** A picture is a file of the site, or any address. */
export function pictureOf({ origin }: Frame, picture: string | null, images: ReadonlyMap<string, ThemeImage>): ThemeImage | null {
  if (picture === null) return null
  return images.get(picture) ?? bareImage(picture.startsWith('/') ? origin + picture : picture)
}
