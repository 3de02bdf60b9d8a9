// The places that the search of the admin covers: one function per kind of object. Each returns nothing for visitors who may not
// see that kind.

import { type Action, callName } from '../../actions/call/action.ts'
import { accounts } from '../../actions/accounts/index.ts'
import { media } from '../../actions/media/index.ts'
import { search } from '../../actions/search/index.ts'
import { settings } from '../../actions/settings/index.ts'
import { terms } from '../../actions/terms/index.ts'
import { html, type HtmlValue } from '../../doors/shared/html.ts'
import { definitionOf, type SettingKey, settingKeys } from '../../settings/definitions.ts'
import { about, wordOf } from '../action-words.ts'
import { mayRun, sectionsFor } from '../navigation.ts'
import { run } from '../page.ts'
import { objectLink } from '../parts/object-link.ts'
import { withCode } from '../parts/with-code.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { ownPages } from '../sections.ts'
import type { SignedIn } from '../visit.ts'

/** The most results of each kind. */
const most = 8

/** The results of one kind, one per line. */
export interface FoundKind {
  /** The id of this part of the page. */
  readonly id: string
  readonly title: string
  readonly lines: readonly HtmlValue[]
  /** The fault of the search words. */
  readonly fault?: string
  /** A spelling of the words that finds more. */
  readonly meant?: string | null
}

const includes = (text: string, words: string): boolean => text.toLowerCase().includes(words.toLowerCase())

function pagesNamed(visit: SignedIn, words: string): FoundKind {
  const pages = [...sectionsFor(visit).flatMap((section) => section.pages), ...ownPages]
  const found = pages.filter(({ label }) => includes(visit.t(label), words))
  return {
    id: 'found-pages',
    title: visit.t('home.found_pages'),
    lines: found.map(({ label, path }) => html`<a href="${linkTo(visit.request, path)}">${visit.t(label)}</a>`),
  }
}

async function entriesWith(visit: SignedIn, words: string): Promise<FoundKind> {
  const { data, failure } = await run(visit, search.query, { query: words, typing: true, limit: most })
  const lines = (data?.items ?? []).map(
    ({ id, title, snippet, marks }) =>
      html`<span class="what">${objectLink(visit.request, { kind: 'entry', id, title }, visit.t)}</span>
        <p class="wide quiet">${marked(snippet, marks)}</p>`,
  )
  return {
    id: 'found-entries',
    title: visit.t('home.found_entries'),
    lines,
    meant: data?.did_you_mean ?? null,
    ...(failure && { fault: failure.message }),
  }
}

/** A snippet with the search words marked. The marks are positions in the text, in order. */
function marked(text: string, marks: readonly (readonly number[])[]): HtmlValue {
  let end = 0
  const parts = marks.map(([from = 0, to = 0]) => {
    const part = html`${text.slice(end, from)}<mark>${text.slice(from, to)}</mark>`
    end = to
    return part
  })
  return [...parts, text.slice(end)]
}

async function mediaWith(visit: SignedIn, words: string): Promise<FoundKind> {
  const { data } = await run(visit, media.list, { search: words, limit: most })
  const lines = (data?.items ?? []).map(({ id, filename, alt, kind }) => {
    const name = objectLink(visit.request, { kind: 'media', id, title: filename }, visit.t)
    return html`<span class="what">${name} <span class="quiet">${alt}</span></span> <small>${kind}</small>`
  })
  return { id: 'found-media', title: visit.t('shell.media'), lines }
}

async function termsWith(visit: SignedIn, words: string): Promise<FoundKind> {
  const { data } = await run(visit, terms.taxonomies, {})
  const lists = await Promise.all(
    (data?.items ?? []).slice(0, most).map(({ slug }) => run(visit, terms.list, { taxonomy: slug, search: words, limit: most })),
  )
  const found = lists.flatMap((list) => list.data?.items ?? []).slice(0, most)
  return {
    id: 'found-terms',
    title: visit.t('shell.terms'),
    lines: found.map(
      ({ id, name, taxonomy }) =>
        html`${objectLink(visit.request, { kind: 'term', id, title: name }, visit.t)} <small>${taxonomy}</small>`,
    ),
  }
}

async function accountsWith(visit: SignedIn, words: string): Promise<FoundKind> {
  const { data } = mayRun(visit, accounts.list) ? await run(visit, accounts.list, { search: words, limit: most }) : {}
  const lines = (data?.items ?? []).map(
    ({ id, name, email }) =>
      html`<a href="${linkTo(visit.request, adminPaths.person)}?id=${id}">${name}</a> <small>${email}</small>`,
  )
  return { id: 'found-people', title: visit.t('shell.people'), lines }
}

function settingsNamed(visit: SignedIn, words: string): FoundKind {
  const { request, site, t } = visit
  const keys = mayRun(visit, settings.update) ? settingKeys(site.release) : []
  const textOf = (key: SettingKey) => `${t(`operations.${key}`)} ${t(`operations.${key}_help`)} ${key} ${definitionOf(key).help}`
  const found = keys.filter((key) => includes(textOf(key), words))
  return {
    id: 'found-settings',
    title: visit.t('shell.settings'),
    lines: found.map(
      (key) =>
        html`<a href="${linkTo(request, adminPaths.settings)}#f-${key}">${t(`operations.${key}`)}</a> <small>${key}</small>`,
    ),
  }
}

function actionsWith({ site, caller, request, t }: SignedIn, words: string): FoundKind {
  const textOf = (action: Action) => `${callName(action)} ${about(wordOf(t, action, 'title'))} ${wordOf(t, action, 'summary')}`
  const found = site.registry.visibleTo(caller).filter((action) => includes(textOf(action), words))
  return {
    id: 'found-actions',
    title: t('home.found_actions'),
    lines: found.slice(0, most).map((action) => {
      const name = callName(action)
      return html`<span class="what"
        ><a href="${linkTo(request, adminPaths.console)}?action=${name}">${name}</a>
        <span class="quiet">${withCode(wordOf(t, action, 'summary'))}</span></span
      >`
    }),
  }
}

/** Returns everything that contains these words, by kind. */
export async function findEverywhere(visit: SignedIn, words: string): Promise<readonly FoundKind[]> {
  const looks = [entriesWith, mediaWith, termsWith, accountsWith]
  const stored = await Promise.all(looks.map((look) => look(visit, words)))
  return [pagesNamed(visit, words), ...stored, settingsNamed(visit, words), actionsWith(visit, words)]
}
