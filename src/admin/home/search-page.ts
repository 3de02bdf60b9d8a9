// Search over everything: the words of entries, media, terms, people, settings, pages of the admin and actions.

import { html, type Html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { lineList, panel } from '../parts/panel.ts'
import { emptyState, pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { type FoundKind, findEverywhere } from './search-sections.ts'
import { framedReply } from '../framed-reply.ts'

/** GET; `q` has the words. */
export async function showSearch(visit: SignedIn): Promise<Reply> {
  const { t } = visit
  const words = (visit.request.query.get('q') ?? '').trim().slice(0, 200)
  const found = words === '' ? [] : await findEverywhere(visit, words)
  const fault = found.find((one) => one.fault !== undefined)?.fault
  const some = found.filter(({ lines }) => lines.length > 0)
  const forCode = some.filter(({ isForCode = false }) => isForCode)
  const forAll = some.filter(({ isForCode = false }) => !isForCode)
  const meant = forAll.length === 0 ? found.find((one) => one.meant)?.meant : undefined
  const isEmpty = words !== '' && some.length === 0
  const lead = words === '' ? t('home.search_lead') : t('home.found_for', { words })
  const body = html`${pageHead(t('shell.search'), lead)} ${form(visit, words)}
  ${meant && html`<p>${t.rich('home.did_you_mean', { words: html`<a href="${linkTo(visit.request, adminPaths.search)}?q=${encodeURIComponent(meant)}">${meant}</a>` })}</p>`}
  ${isEmpty && emptyState(t('home.nothing_found'), t('home.nothing_found_help'))} ${forAll.map(section)}
  ${forCode.length > 0 && (forAll.length > 0 ? folded(visit, forCode) : forCode.map(section))}`
  return framedReply(visit, { title: t('shell.search'), body }, { fault })
}

const form = (visit: SignedIn, words: string): Html =>
  html`<form class="search-field" role="search" action="${linkTo(visit.request, adminPaths.search)}">
    <label class="unseen" for="words">${visit.t('shell.search_everything')}</label>
    <input id="words" type="search" name="q" value="${words}" maxlength="200" autocomplete="off" />
    <button>${visit.t('shell.search')}</button>
  </form>`

const section = ({ id, title, lines }: FoundKind): Html => panel(id, title, lineList(lines))

const folded = ({ t }: SignedIn, kinds: readonly FoundKind[]): Html => {
  const count = kinds.reduce((sum, { lines }) => sum + lines.length, 0)
  return html`<details>
    <summary>${t('home.found_for_code', { count })}</summary>
    ${kinds.map(section)}
  </details>`
}
