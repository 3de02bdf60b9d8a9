// The search of the public site. Its results are the same for all visitors and contain public entries only.

import { anonymous } from '../../identity/caller.ts'
import type { Mark } from '../../content/markdown/search-marks.ts'
import { partsOfQuery, phrasesOfQuery } from '../../store/search/search-text.ts'
import type { Context } from '../../actions/call/action.ts'
import { suggestQuery } from '../../actions/search/did-you-mean.ts'
import { foundEntries, listFound } from '../../actions/search/found-entries.ts'
import { createDeadline } from '../../actions/call/deadline.ts'
import { maxSearchLength, maxWords } from '../../actions/lists/search-words.ts'
import type { Services } from '../../actions/call/services.ts'

/** A result. All members are plain text; `marks` are the parts of `snippet` to emphasize. */
export interface PublicResult {
  readonly title: string
  readonly url: string
  readonly snippet: string
  readonly marks: readonly Mark[]
}

export interface PublicResults {
  /** The query, cut to a maximum length. Empty if nothing was asked. */
  readonly query: string
  readonly page: number
  readonly results: readonly PublicResult[]
  readonly more: boolean
  /** A spelling of the query that finds more. */
  readonly didYouMean: string | null
}

export interface PublicQuery {
  readonly query: string
  /** Counted from 1. */
  readonly page: number
  /** The additional language whose entries are searched, or null for entries of every language. */
  readonly language: string | null
  /** Origin and base path of the addresses of results, without a slash at the end. */
  readonly origin: string
  readonly client: string
  /** Aborts when the visitor leaves. */
  readonly signal: AbortSignal
}

const perPage = 10
/** The last page. More pages don't help a visitor. */
const maxSearchPage = 10

/** Searches the public entries. @throws Failure `unavailable` if the search takes longer than a call may */
export async function searchPublic(site: Services, asked: PublicQuery): Promise<PublicResults> {
  const query = asked.query.slice(0, maxSearchLength).toWellFormed().replaceAll('\0', ' ').trim()
  const page = Math.min(asked.page, maxSearchPage)
  const phrases = phrasesOfQuery(partsOfQuery(query, maxWords))
  if (phrases.length === 0) return { query, page: 1, results: [], more: false, didYouMean: null }
  const deadline = createDeadline(asked.signal, site.config.POSTERN_ACTION_SECONDS * 1000)
  try {
    const context = contextOf(site, asked, deadline.signal)
    const locale = asked.language === null ? {} : { locale: asked.language }
    const input = { limit: page * perPage, ...locale }
    const found = await listFound(context, input, { phrases })
    const from = (page - 1) * perPage
    const shown = { rows: found.rows.slice(from), values: found.values?.slice(from) ?? [] }
    const items = await foundEntries(context, input, shown, phrases)
    const didYouMean = page > 1 ? null : await suggestQuery(context, locale, query, found.rows.length)
    const results = items.flatMap(({ title, url, snippet, marks }) => (url === null ? [] : [{ title, url, snippet, marks }]))
    return { query, page, results, more: found.more && page < maxSearchPage, didYouMean }
  } finally {
    deadline.clear()
  }
}

const contextOf = (site: Services, { origin, client }: PublicQuery, signal: AbortSignal): Context => ({
  caller: anonymous('api', client),
  now: site.clock.now(),
  db: site.store.readFor(signal, 'unknown'),
  inTransaction: false,
  site,
  origin,
  select: undefined,
  dryRun: false,
  signal,
})
