// The way to the rest of a list that doesn't fit on one page.

import { html, type HtmlValue } from '../doors/html.ts'

/** A link to the next page of a list; nothing at its end. */
export function pagerOf(path: string, cursor: string | null): HtmlValue {
  return (
    cursor !== null && html`<p class="pager"><a class="button" href="${path}?cursor=${encodeURIComponent(cursor)}">More</a></p>`
  )
}
