// The search page as data: the results with the words of the search marked. It asks search engines not to index it.

import type { PublicResults } from '../../actions/public-search.ts'
import type { Mark } from '../../content/search-marks.ts'
import { html, type HtmlValue } from '../../doors/html.ts'
import type { ThemeMarkup, ThemePage } from '../../themes/contract.ts'
import { siteWord } from '../../themes/site-words.ts'
import type { Frame } from '../frame.ts'
import { headOf } from './head.ts'
import { pageOf } from './page.ts'

export function searchPageData({ site, origin }: Frame, found: PublicResults): ThemePage {
  const { query, page, more, didYouMean } = found
  const { site_title: siteTitle, language } = site.settings.values
  const word = siteWord(language, 'search')
  const title = query === '' ? word : `${word}: ${query}`
  const addressOf = (words: string, number = 1) =>
    `${origin}/search?q=${encodeURIComponent(words)}${number === 1 ? '' : `&page=${number}`}`
  const newer = page > 1 ? addressOf(query, page - 1) : null
  const older = more ? addressOf(query, page + 1) : null
  return pageOf('search', {
    title,
    url: null,
    description: null,
    head: headOf({ title, siteTitle, description: undefined, canonical: undefined, kind: 'website' }),
    crumbs: [{ title: siteTitle, url: `${origin}/` }],
    language: language || 'en',
    query: query === '' ? null : query,
    results: found.results.map(({ title: name, url, snippet, marks }) => ({ title: name, url, snippet: marked(snippet, marks) })),
    did_you_mean: didYouMean === null ? null : { title: didYouMean, url: addressOf(didYouMean) },
    paging: newer === null && older === null ? null : { page, pages: null, newer, older },
  })
}

/** Text with its marks as elements. */
function marked(text: string, marks: readonly Mark[]): ThemeMarkup {
  const starts = marks.map((_, at) => marks[at - 1]?.[1] ?? 0)
  const parts: HtmlValue[] = marks.map(
    ([start, end], at) => html`${text.slice(starts[at], start)}<mark>${text.slice(start, end)}</mark>`,
  )
  return { markup: html`${parts}${text.slice(marks.at(-1)?.[1] ?? 0)}`.toString() }
}
