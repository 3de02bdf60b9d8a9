// The places that the search of the admin covers: what SVC_Search.everything finds, and what has words in the visitor's language:
// pages of the admin, settings and actions. Each is empty for visitors who may not see that kind.

import { type Action, callName } from '../../actions/call/action.ts'
import type { AnswerOf } from '../../actions/call/call-action.ts'
import { search } from '../../actions/search/index.ts'
import { settings } from '../../actions/settings/index.ts'
import { themes } from '../../actions/themes/index.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import { definitionOf, type SettingKey, settingKeys } from '../../settings/definitions.ts'
import { about, titleWord, wordOf } from '../action-words.ts'
import { mayRun, sectionsFor } from '../navigation.ts'
import { run } from '../page.ts'
import { settingName } from '../appearance/theme-settings.ts'
import { themeWord } from '../appearance/theme-words.ts'
import { themePath } from '../appearance/themes-page.ts'
import { settingPath } from '../operations/settings-page.ts'
import { objectLink } from '../parts/object-link.ts'
import { withCode } from '../parts/with-code.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { ownPages } from '../sections.ts'
import type { SignedIn } from '../visit.ts'
import { everydayWords, themeWords } from './everyday-words.ts'

/** The most results of each kind. */
const most = 8

/** The results of one kind, one per line. */
export interface FoundKind {
  /** The id of this part of the page. */
  readonly id: string
  readonly title: string
  readonly lines: readonly HtmlValue[]
  /** True for what those look for who write code: it comes last, and folded if there is anything else. */
  readonly isForCode?: boolean
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

/** The kinds that SVC_Search.everything finds, in the order of the page. */
const storedKinds = [
  { kind: 'entry', id: 'found-entries', title: 'home.found_entries' },
  { kind: 'media', id: 'found-media', title: 'shell.media' },
  { kind: 'term', id: 'found-terms', title: 'shell.terms' },
  { kind: 'account', id: 'found-people', title: 'shell.people' },
  { kind: 'theme_file', id: 'found-theme-files', title: 'home.found_theme_files' },
] as const

type FoundItem = AnswerOf<(typeof search.everything)['output']>['items'][number]

async function storedWith(visit: SignedIn, words: string): Promise<readonly FoundKind[]> {
  const kinds = storedKinds.map(({ kind }) => kind)
  const { data, failure } = await run(visit, search.everything, { query: words, kinds, typing: true, limit: most })
  return storedKinds.map(({ kind, id, title }) => ({
    id,
    title: visit.t(title),
    isForCode: kind === 'theme_file',
    lines: (data?.items ?? []).filter((item) => item.kind === kind).map((item) => storedLine(visit, item)),
    ...(kind === 'entry' && { meant: data?.did_you_mean ?? null, ...(failure && { fault: visit.t.said(failure.message) }) }),
  }))
}

function storedLine(visit: SignedIn, { kind, id, title, path, snippet, marks = [] }: FoundItem): Html {
  const { request, t } = visit
  if (kind === 'account')
    return html`<a href="${linkTo(request, adminPaths.person)}?id=${id}">${title}</a> <small>${snippet}</small>`
  if (kind === 'theme_file') {
    const [theme = ''] = id.split('/', 1)
    const address = `${linkTo(request, adminPaths.theme)}?id=${theme}&file=${encodeURIComponent(path ?? '')}`
    return html`<span class="what"><a href="${address}">${path}</a> <span class="quiet">${theme}</span></span>
      <p class="wide quiet"><code>${snippet}</code></p>`
  }
  const name = objectLink(request, { kind, id, title }, t)
  if (kind === 'entry')
    return html`<span class="what">${name}</span>
      <p class="wide quiet">${marked(snippet, marks)}</p>`
  return html`<span class="what">${name} <span class="quiet">${snippet}</span></span> <small>${path}</small>`
}

async function settingsNamed(visit: SignedIn, words: string): Promise<FoundKind> {
  const { request, site, t } = visit
  const keys = mayRun(visit, settings.update) ? settingKeys(site.release) : []
  const textOf = (key: SettingKey) =>
    `${t(`operations.${key}`)} ${t(`operations.${key}_help`)} ${key} ${definitionOf(key).help} ${everydayWords[key] ?? ''}`
  const found = keys.filter((key) => includes(textOf(key), words))
  return {
    id: 'found-settings',
    title: visit.t('shell.settings'),
    lines: [
      ...found.map((key) => html`<a href="${linkTo(request, settingPath(key))}">${t(`operations.${key}`)}</a>`),
      ...(await themeLines(visit, words)),
    ],
  }
}

/** The settings of the active theme. */
async function themeLines(visit: SignedIn, words: string): Promise<readonly Html[]> {
  if (!mayRun(visit, themes.configure)) return []
  const { request, site, t } = visit
  const theme = await site.themes.active()
  const found = theme.manifest.settings.filter(({ id, label }) =>
    includes(`${themeWord(t, label)} ${id} ${themeWords[id] ?? ''}`, words),
  )
  return found
    .slice(0, most)
    .map(
      (setting) =>
        html`<a href="${linkTo(request, `${themePath(theme.slug)}#f-${settingName(setting)}`)}">${themeWord(t, setting.label)}</a>
          <small>${t('shell.themes')}</small>`,
    )
}

function actionsWith({ site, caller, request, t }: SignedIn, words: string): FoundKind {
  const textOf = (action: Action) => `${callName(action)} ${about(wordOf(t, action, 'title'))} ${wordOf(t, action, 'summary')}`
  const found = site.registry.visibleTo(caller).filter((action) => includes(textOf(action), words))
  return {
    id: 'found-actions',
    title: t('home.found_actions'),
    isForCode: true,
    lines: found.slice(0, most).map((action) => {
      const name = callName(action)
      return html`<span class="what"
        ><a href="${linkTo(request, adminPaths.console)}?action=${name}">${titleWord(t, action)}</a>
        <span class="quiet">${withCode(wordOf(t, action, 'summary'))}</span></span
      >`
    }),
  }
}

/** Returns everything that contains these words, by kind. */
export async function findEverywhere(visit: SignedIn, words: string): Promise<readonly FoundKind[]> {
  const stored = await storedWith(visit, words)
  return [pagesNamed(visit, words), ...stored, await settingsNamed(visit, words), actionsWith(visit, words)]
}
