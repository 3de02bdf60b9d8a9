// The way to the rest of a list that doesn't fit on one page.

import { html, type HtmlValue } from '../doors/html.ts'

/** A link to the next page of a list; nothing at its end. @param path with the query that the list was asked by, where there is one */
export function pagerOf(path: string, cursor: string | null): HtmlValue {
  const href = `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor ?? '')}`
  return cursor !== null && html`<p class="pager"><a class="button" href="${href}">More</a></p>`
}
