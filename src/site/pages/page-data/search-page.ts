// The search page as data: the results with the words of the search marked. It asks search engines not to index it.

import type { PublicResults } from '../../lists/public-search.ts'
import { languagesOf } from '../../../content/languages/languages.ts'
import type { Mark } from '../../../content/markdown/search-marks.ts'
import { html, type HtmlValue } from '../../../doors/shared/html.ts'
import type { ThemeMarkup, ThemePage } from '../../../themes/contract.ts'
import { siteWord } from '../../../themes/site-words.ts'
import { homePathOf, listHomes } from '../alternates.ts'
import type { Frame } from '../frame.ts'
import { headOf } from './head.ts'
import { pageOf, translationsOf } from './page.ts'

/** The path of the page, below that of its language. */
export const searchPath = '/search'

/** @param branch the further language of the page, or null */
export function searchPageData({ site, origin }: Frame, found: PublicResults, branch: string | null): ThemePage {
  const { query, page, more, didYouMean } = found
  const { site_title: siteTitle } = site.settings.values
  const language = branch ?? languagesOf(site.settings.values).main
  const word = siteWord(language, 'search')
  const title = query === '' ? word : `${word}: ${query}`
  const home = origin + homePathOf(site, branch)
  const queryOf = (words: string) => `?q=${encodeURIComponent(words)}`
  const addressOf = (words: string, number = 1) => `${searchBelow(home)}${queryOf(words)}${number === 1 ? '' : `&page=${number}`}`
  const newer = page > 1 ? addressOf(query, page - 1) : null
  const older = more ? addressOf(query, page + 1) : null
  return pageOf('search', {
    title,
    url: null,
    description: null,
    head: headOf({ title, siteTitle, description: undefined, canonical: undefined, kind: 'website' }),
    crumbs: [{ title: siteTitle, url: home }],
    language: language || 'en',
    translations: translationsOf(listHomes(site, branch, origin)).map((one) => ({
      ...one,
      url: searchBelow(one.url) + (query === '' ? '' : queryOf(query)),
    })),
    query: query === '' ? null : query,
    results: found.results.map(({ title: name, url, snippet, marks }) => ({ title: name, url, snippet: marked(snippet, marks) })),
    did_you_mean: didYouMean === null ? null : { title: didYouMean, url: addressOf(didYouMean) },
    paging: newer === null && older === null ? null : { page, pages: null, newer, older },
  })
}

const searchBelow = (home: string): string => home.replace(/\/$/, '') + searchPath

/** Text with its marks as elements. */
function marked(text: string, marks: readonly Mark[]): ThemeMarkup {
  const starts = marks.map((_, at) => marks[at - 1]?.[1] ?? 0)
  const parts: HtmlValue[] = marks.map(
    ([start, end], at) => html`${text.slice(starts[at], start)}<mark>${text.slice(start, end)}</mark>`,
  )
  return { markup: html`${parts}${text.slice(marks.at(-1)?.[1] ?? 0)}`.toString() }
}
