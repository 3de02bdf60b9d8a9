// The tables of the statistics page: what was read most, from where, by what, and what was searched in vain.

import { urlOf } from '../../content/entries/entry.ts'
import type { AnswerOf } from '../../actions/call/call-action.ts'
import { stats } from '../../actions/stats/index.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import { get } from '../page.ts'
import { table } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { CrawlerPurpose } from '../../statistics/agent-names.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey, Words } from '../words.ts'
import { shareBar } from './visits-chart.ts'

type Visits = AnswerOf<typeof stats.visits.output>
type Counted = Visits['items'][number]
export type Group = Exclude<Visits['by'], 'day' | 'month'>

/** Days, as the actions take them. */
export interface ShownDays {
  readonly from: string
  readonly to: string
}

/** The most values in a table. */
export const atMost = 10

interface Shown {
  readonly title: MessageKey
  readonly column: MessageKey
  /** The words of a value. It may be a stranger's text, which is escaped, and never a link. */
  readonly cell: (visit: SignedIn, item: Counted) => HtmlValue
  /** True for programs, which are counted by views alone. */
  readonly isProgram?: boolean
  readonly empty: MessageKey
}

const rest = (t: Words, key: MessageKey = 'statistics.rest'): Html => html`<span class="quiet">${t(key)}</span>`

const plain =
  (unknown: MessageKey = 'statistics.rest') =>
  ({ t }: SignedIn, { value }: Counted): HtmlValue =>
    value ?? rest(t, unknown)

const groups: Readonly<Record<Group, Shown>> = {
  path: {
    title: 'statistics.pages',
    column: 'statistics.page',
    cell: (visit, { value }) => (value === null ? rest(visit.t) : pageLink(visit, value)),
    empty: 'statistics.none',
  },
  referrer: {
    title: 'statistics.referrers',
    column: 'statistics.referrer',
    cell: plain('statistics.unknown_referrer'),
    empty: 'statistics.no_referrer',
  },
  campaign: { title: 'statistics.campaigns', column: 'statistics.campaign', cell: plain(), empty: 'statistics.no_campaign' },
  search: { title: 'statistics.searches', column: 'statistics.search', cell: plain(), empty: 'statistics.no_search' },
  crawler: {
    title: 'statistics.crawlers',
    column: 'statistics.crawler',
    cell: ({ t }, { value, company, purpose }) =>
      html`${value ?? rest(t)}
      ${company && html`<small class="quiet">${company}${purpose && html`, ${t(purposeWords[purpose])}`}</small>`}`,
    isProgram: true,
    empty: 'statistics.no_crawler',
  },
  bot: {
    title: 'statistics.bots',
    column: 'statistics.bot',
    cell: plain('statistics.other_bots'),
    isProgram: true,
    empty: 'statistics.no_bot',
  },
  download: { title: 'statistics.downloads', column: 'statistics.file', cell: plain(), empty: 'statistics.no_download' },
  device: {
    title: 'statistics.devices',
    column: 'statistics.device',
    cell: ({ t }, { value }) => (value === null ? rest(t) : t(deviceWords[value] ?? 'statistics.rest')),
    empty: 'statistics.none',
  },
  language: {
    title: 'statistics.languages',
    column: 'statistics.language',
    cell: ({ t }, { value }) => (value === null ? rest(t, 'statistics.unknown') : languageName(t, value)),
    empty: 'statistics.none',
  },
}

const purposeWords: Readonly<Record<CrawlerPurpose, MessageKey>> = {
  training: 'statistics.purpose_training',
  search: 'statistics.purpose_search',
  person: 'statistics.purpose_person',
  several: 'statistics.purpose_several',
}

const deviceWords: Readonly<Record<string, MessageKey>> = {
  desktop: 'statistics.desktop',
  phone: 'statistics.phone',
  tablet: 'statistics.tablet',
}

/** The name of a language; its code if it has none. */
function languageName(t: Words, code: string): string {
  return new Intl.DisplayNames(t.language, { type: 'language', fallback: 'code' }).of(code) ?? code
}

const pageLink = ({ request }: SignedIn, path: string): Html => html`<a href="${urlOf(request.basePath, path)}">${path}</a>`

/** A part of the page. Its table is the landmark, under the same name. */
const countPanel = (title: string, content: HtmlValue): Html =>
  html`<div class="panel counts">
    <h2>${title}</h2>
    ${content}
  </div>`

/** The part of the page with one group. @param csv the address of all its values */
export function countPart(visit: SignedIn, by: Group, items: readonly Counted[], csv = ''): Html {
  const { t } = visit
  const { title, column, cell, isProgram, empty } = groups[by]
  const most = Math.max(0, ...items.map(({ views }) => views))
  const views = t(by === 'download' || by === 'search' ? 'statistics.times' : 'statistics.views')
  const visitors = { label: t('statistics.visitors'), cell: (item: Counted) => numberIn(t, item.visitors), end: true }
  const content =
    items.length === 0
      ? html`<p class="quiet">${t(empty)}</p>`
      : html`${table<Counted>(t, {
            caption: t(title),
            rows: items,
            columns: [
              { label: t(column), cell: (item) => html`${cell(visit, item)}${shareBar(item.views, most)}` },
              ...(isProgram ? [] : [visitors]),
              { label: views, cell: (item) => numberIn(t, item.views), end: true },
            ],
          })}
          <p class="below-table">
            <a href="${csv}">${t('statistics.csv')}<span class="unseen"> ${t(title)}</span></a>
          </p>`
  return countPanel(t(title), content)
}

export const numberIn = (t: Words, count: number): string => count.toLocaleString(t.language)

/** The calls of tokens and apps, for those who may see them. */
export async function callsPart(visit: SignedIn, days: ShownDays): Promise<Html> {
  const { t, request } = visit
  const { items } = await get(visit, stats.calls, { ...days, limit: 100 })
  const ofTokens = items.filter(({ value }) => value !== null).slice(0, atMost)
  const most = Math.max(0, ...ofTokens.map(({ calls }) => calls))
  const content =
    ofTokens.length === 0
      ? html`<p class="quiet">${t('statistics.no_call')}</p>`
      : table(t, {
          caption: t('statistics.calls'),
          rows: ofTokens,
          columns: [
            {
              label: t('statistics.token'),
              cell: ({ value, name, calls }) => html`${name ?? value ?? ''}${shareBar(calls, most)}`,
            },
            { label: t('statistics.errors'), cell: ({ errors }) => numberIn(t, errors), end: true },
            { label: t('statistics.call_count'), cell: ({ calls }) => numberIn(t, calls), end: true },
          ],
        })
  const more = html`<p class="below-table">
    <a href="${linkTo(request, adminPaths.tokens)}">${t('shell.tokens')}</a>,
    <a href="${linkTo(request, adminPaths.apps)}">${t('shell.apps')}</a>
  </p>`
  return countPanel(t('statistics.calls'), html`${content} ${more}`)
}
