// The way from an accepted proposal to the pages that it changed, as visitors see them now.

import { content } from '../../actions/content/index.ts'
import { proposals } from '../../actions/proposals/index.ts'
import { html, type HtmlValue } from '../../doors/shared/html.ts'
import { run } from '../page.ts'
import type { SignedIn } from '../visit.ts'

/** The most pages that are named. */
const most = 5

/** The links; nothing if the proposal was not accepted, or if visitors see none of its pages. */
export async function acceptedPages(visit: SignedIn, id: string): Promise<HtmlValue> {
  const { data } = await run(visit, proposals.get, { id }, { select: ['state', 'diff'] })
  if (data?.item.state !== 'approved') return undefined
  const ids = [...new Set((data.item.diff as readonly { readonly id: string }[]).map((row) => row.id))].slice(0, 100)
  if (ids.length === 0) return undefined
  const where = { id: { in: ids }, status: 'published' }
  const { data: found } = await run(visit, content.list, { where, limit: most }, { select: ['title', 'url'] })
  const pages = (found?.items ?? []).filter(({ url }) => url !== null)
  const nameOf = (title: string): string => (pages.length === 1 ? visit.t('activity.see_page') : title)
  return (
    pages.length > 0 &&
    html`<p class="actions">${pages.map(({ title, url }) => html`<a class="button" href="${url}">${nameOf(title)}</a>`)}</p>`
  )
}
