// Search over everything: entries by their words, and the pages of the admin by their names.

import { list as contentList } from '../../actions/classes/svc-content/list.ts'
import { html, type Html, type HtmlValue } from '../../doors/html.ts'
import type { Reply } from '../../http/reply.ts'
import { framed } from '../layout.ts'
import { type NavPage, ownPages, sectionsFor } from '../navigation.ts'
import { run } from '../page.ts'
import { faultBox } from '../parts/fields.ts'
import { pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { pageReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'

/** GET; `q` has the words. */
export async function showSearch(visit: SignedIn): Promise<Reply> {
  const words = (visit.request.query.get('q') ?? '').trim().slice(0, 200)
  const found = words === '' ? undefined : await run(visit, contentList, { search: words, limit: 20 })
  const entries = found?.data?.items ?? []
  const pages = words === '' ? [] : pagesNamed(visit, words)
  const body = html`${pageHead('Search', words === '' ? 'Entries and pages of the admin, by their words.' : `What was found for “${words}”.`)}
  ${form(visit, words)} ${faultBox(found?.failure?.message)}
  ${
    pages.length > 0 &&
    html`<section aria-labelledby="pages">
      <h2 id="pages">Pages of the admin</h2>
      <ul class="lines panel">
        ${pages.map(({ label, path }) => html`<li><a href="${linkTo(visit.request, path)}">${label}</a></li>`)}
      </ul>
    </section>`
  }
  ${entryList(visit, entries, words !== '' && pages.length === 0 && found?.failure === undefined)}`
  return pageReply(visit, 200, framed(visit, { title: 'Search', body }))
}

const pagesNamed = (visit: SignedIn, words: string): readonly NavPage[] =>
  [...sectionsFor(visit).flatMap(({ pages }) => pages), ...ownPages].filter(({ label }) =>
    label.toLowerCase().includes(words.toLowerCase()),
  )

const form = (visit: SignedIn, words: string): Html =>
  html`<form class="search-field" role="search" action="${linkTo(visit.request, adminPaths.search)}">
    <label class="unseen" for="words">Search everything</label>
    <input id="words" type="search" name="q" value="${words}" maxlength="200" autocomplete="off" />
    <button>Search</button>
  </form>`

interface Found {
  readonly id: string
  readonly title: string
  readonly status: string
}

function entryList({ request }: SignedIn, entries: readonly Found[], isEmpty: boolean): HtmlValue {
  if (entries.length === 0) {
    return (
      isEmpty &&
      html`<p class="quiet">
        Nothing was found. Try a single word, or <a href="${linkTo(request, adminPaths.home)}">go home</a>.
      </p>`
    )
  }
  return html`<section aria-labelledby="entries">
    <h2 id="entries">Entries</h2>
    <ul class="lines panel">
      ${entries.map(
        ({ id, title, status }) =>
          html`<li><a href="${linkTo(request, adminPaths.editEntry)}?id=${id}">${title}</a> <small>${status}</small></li>`,
      )}
    </ul>
  </section>`
}
