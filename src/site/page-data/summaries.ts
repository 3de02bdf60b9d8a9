// Entries of a list as themes show them. The images and authors of all of them take one query each, however many entries there are.

import type { ThemeSummary } from '../../themes/contract.ts'
import type { Frame } from '../frame.ts'
import type { ListedPost } from '../public-entries.ts'
import { authorsOf } from './author.ts'
import { summaryOf } from './entry.ts'
import { imagesOf } from './images.ts'

export interface MadeSummaries {
  readonly entries: readonly ThemeSummary[]
  /** False where an excerpt could not be made in time. Such a page is not kept. */
  readonly whole: boolean
}

export async function summariesOf(frame: Frame, rows: readonly ListedPost[], language: string): Promise<MadeSummaries> {
  if (rows.length === 0) return { entries: [], whole: true }
  const { excerpts } = frame.site
  const [texts, authors, images] = await Promise.all([
    excerpts.of(rows, language),
    authorsOf(
      frame,
      rows.map((row) => row.author_id),
    ),
    imagesOf(
      frame,
      rows.map((row) => row.cover),
    ),
  ])
  const entries = rows.map((row, at) =>
    summaryOf(frame, row, {
      excerpt: texts.texts[at] ?? '',
      author: authors.get(row.author_id ?? '') ?? null,
      image: images.get(row.cover ?? '') ?? null,
    }),
  )
  return { entries, whole: texts.whole }
}
