// Entries of a list as themes show them, with the owner's fields. Each kind of reference takes one query for all entries.

import type { ThemeSummary } from '../../../themes/contract.ts'
import type { Frame } from '../frame.ts'
import type { ListedPost } from '../../lists/public-entries.ts'
import { authorsWith, findAuthors, shownPicture } from './author.ts'
import { summaryOf } from './entry.ts'
import { fieldsWith, linksOf, refsOf } from './fields.ts'
import { imagesOf } from './images.ts'

export interface MadeSummaries {
  readonly entries: readonly ThemeSummary[]
  /** False if an excerpt could not be made in time. Such a page is not cached. */
  readonly whole: boolean
}

/** Leaves only the title of an entry with a password: no text, excerpt, image or field. */
const titled = (row: ListedPost): ListedPost =>
  row.password_hash === null ? row : { ...row, excerpt: '', body: '', cover: null, fields: '{}' }

/** Makes summaries with a cached lookup for each author, one query for all entries in fields, and one or two for all images. */
export async function summariesOf(frame: Frame, listed: readonly ListedPost[], language: string): Promise<MadeSummaries> {
  const rows = listed.map(titled)
  if (rows.length === 0) return { entries: [], whole: true }
  const { excerpts, types } = frame.site
  const typeOf = (row: ListedPost) => types.current.of(row.type)
  const refs = rows.map((row) => refsOf(row.fields, typeOf(row)))
  const [texts, accounts, links] = await Promise.all([
    excerpts.of(rows, language),
    findAuthors(
      frame,
      rows.map((row) => row.author_id),
    ),
    linksOf(
      frame,
      refs.flatMap(({ entry }) => entry),
    ),
  ])
  const images = await imagesOf(frame, [
    ...rows.map((row) => row.cover),
    ...refs.flatMap(({ media }) => media),
    ...accounts.map(shownPicture),
  ])
  const authors = authorsWith(frame, accounts, images)
  const found = { images, entries: links }
  const fields = await Promise.all(rows.map((row) => fieldsWith(frame, row.fields, typeOf(row), found, language)))
  const entries = rows.map((row, at) =>
    summaryOf(frame, row, {
      excerpt: texts.texts[at] ?? '',
      author: authors.get(row.author_id ?? '') ?? null,
      image: images.get(row.cover ?? '') ?? null,
      fields: fields[at] ?? {},
    }),
  )
  return { entries, whole: texts.whole }
}
