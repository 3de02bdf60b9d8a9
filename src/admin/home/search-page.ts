// Search over everything: entries by their words, media, terms, people, settings, pages of the admin and actions.

import { html, type Html, type HtmlValue } from '../../doors/html.ts'
import type { Reply } from '../../http/reply.ts'
import { framed } from '../layout.ts'
import { faultBox } from '../parts/fields.ts'
import { emptyState, pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { pageReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import { type FoundKind, findEverywhere } from './search-sections.ts'

/** GET; `q` has the words. */
export async function showSearch(visit: SignedIn): Promise<Reply> {
  const words = (visit.request.query.get('q') ?? '').trim().slice(0, 200)
  const found = words === '' ? [] : await findEverywhere(visit, words)
  const fault = found.find((one) => one.fault !== undefined)?.fault
  const meant = found.find((one) => one.meant)?.meant
  const isEmpty = words !== '' && found.every(({ lines }) => lines.length === 0)
  const lead = 'Entries, media, terms, people, settings, pages of the admin, and actions, by their words.'
  const body = html`${pageHead('Search', words === '' ? lead : `What was found for “${words}”.`)} ${form(visit, words)}
  ${faultBox(fault)}
  ${meant && html`<p>Did you mean <a href="${linkTo(visit.request, adminPaths.search)}?q=${encodeURIComponent(meant)}">${meant}</a>?</p>`}
  ${isEmpty && emptyState('Nothing was found', 'Try a single word, or the beginning of one.')} ${found.map(section)}`
  return pageReply(visit, 200, framed(visit, { title: 'Search', body }))
}

const form = (visit: SignedIn, words: string): Html =>
  html`<form class="search-field" role="search" action="${linkTo(visit.request, adminPaths.search)}">
    <label class="unseen" for="words">Search everything</label>
    <input id="words" type="search" name="q" value="${words}" maxlength="200" autocomplete="off" />
    <button>Search</button>
  </form>`

function section({ title, lines }: FoundKind): HtmlValue {
  const id = title.toLowerCase().replaceAll(' ', '-')
  return (
    lines.length > 0 &&
    html`<section class="panel" aria-labelledby="${id}">
      <h2 id="${id}">${title}</h2>
      <ul class="lines">
        ${lines.map((line) => html`<li>${line}</li>`)}
      </ul>
    </section>`
  )
}
