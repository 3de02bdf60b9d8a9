// The search page as HTML: the form, and the results with the words of the search marked.

import type { Mark } from '../content/search-marks.ts'
import { addressAttribute, attribute, html, type Html, type HtmlValue } from '../doors/html.ts'
import { type Link, page, type SiteIdentity } from './layout.ts'
import type { SearchView } from './search-reply.ts'
import { words } from './words.ts'

interface Parts {
  readonly site: SiteIdentity
  readonly view: SearchView
  readonly menu?: readonly Link[] | undefined
}

/** The HTML document. It asks search engines not to index it, because it has no canonical address. */
export function searchPage({ site, view, menu }: Parts): string {
  const { query } = view
  return page({
    site,
    menu,
    kind: 'search',
    title: query === '' ? words.search : `${words.search}: ${query}`,
    body: html`<h1>${words.search}</h1>
      <form class="search-form" role="search" method="get" ${addressAttribute('action', view.action)}>
        <input type="search" name="q" ${attribute('value', query)} maxlength="200" ${attribute('aria-label', words.search)} />
        <button>${words.search}</button>
      </form>
      ${view.meant && html`<p>${words.didYouMean} <a ${addressAttribute('href', view.meant.href)}>${view.meant.label}</a>?</p>`}
      ${query !== '' && resultList(view)} ${pager(view)}`,
  })
}

function resultList({ results }: SearchView): Html {
  if (results.length === 0) return html`<p class="empty">${words.nothingFound}</p>`
  return html`<ol class="posts">
    ${results.map(
      ({ title, url, snippet, marks }) =>
        html`<li>
          <article>
            <h2><a ${addressAttribute('href', url)}>${title}</a></h2>
            <p>${marked(snippet, marks)}</p>
          </article>
        </li>`,
    )}
  </ol>`
}

/** Text with its marks as elements. */
function marked(text: string, marks: readonly Mark[]): readonly HtmlValue[] {
  const starts = marks.map((_, at) => marks[at - 1]?.[1] ?? 0)
  const parts = marks.map(([start, end], at) => html`${text.slice(starts[at], start)}<mark>${text.slice(start, end)}</mark>`)
  return [...parts, text.slice(marks.at(-1)?.[1] ?? 0)]
}

function pager({ newer, older }: SearchView): Html | undefined {
  if (newer === undefined && older === undefined) return undefined
  return html`<nav class="neighbours" aria-label="${words.pagesOfResults}">
    ${
      newer && html`<a class="prev" rel="prev" ${addressAttribute('href', newer)}>${words.earlierResults}</a>`
    }${older && html`<a class="next" rel="next" ${addressAttribute('href', older)}>${words.moreResults}</a>`}
  </nav>`
}
