// A page of the list of posts, newest first, with its neighbours.

import type { ThemePaging, ThemeSummary } from '../../../themes/contract.ts'
import { languagesOf } from '../../../content/languages/languages.ts'
import { homePathOf } from '../alternates.ts'
import type { Frame } from '../frame.ts'
import { listPosts } from '../../lists/public-entries.ts'
import { summariesOf } from './summaries.ts'

export interface Posts {
  readonly entries: readonly ThemeSummary[]
  /** Null if all posts are on this page. */
  readonly paging: ThemePaging | null
  /** False if an excerpt could not be made in time. */
  readonly whole: boolean
}

export interface PostsPage {
  /** The further language of the list, or null for the root. */
  readonly branch: string | null
  /** Counts from 1. */
  readonly page: number
}

/** Undefined beyond the last page. */
export async function postsOf(frame: Frame, { branch, page }: PostsPage): Promise<Posts | undefined> {
  const { site, origin } = frame
  const languages = languagesOf(site.settings.values)
  const limit = site.settings.values.posts_per_page
  const found = await listPosts(
    site.store.read,
    { languages, branch },
    { which: 'titled', limit, offset: (page - 1) * limit },
    site.clock.now(),
  )
  if (page > 1 && found.length === 0) return undefined
  const { entries, whole } = await summariesOf(frame, found.slice(0, limit), branch ?? languages.main)
  const home = origin + homePathOf(site, branch)
  const older = found.length > limit ? `${home}?page=${page + 1}` : null
  const newer = page > 2 ? `${home}?page=${page - 1}` : page === 2 ? home : null
  const paging = older === null && newer === null ? null : { page, pages: null, newer, older }
  return { entries, paging, whole }
}
