// Statistics: how many people came in the last days, what they and programs read, and the calls of tokens.

import type { AnswerOf } from '../../actions/call/call-action.ts'
import { redirects } from '../../actions/redirects/index.ts'
import { settings } from '../../actions/settings/index.ts'
import { stats } from '../../actions/stats/index.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { documentPath } from '../connections/document-page.ts'
import { framedReply } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { settingPath } from '../operations/settings-page.ts'
import { get, notYours } from '../page.ts'
import { factList } from '../parts/facts.ts'
import { listAddress } from '../parts/list-address.ts'
import { pageHead, table, tabs } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey, Words } from '../words.ts'
import { atMost, callsPart, countPart, type Group, numberIn } from './count-tables.ts'
import { visitsChart } from './visits-chart.ts'

/** The spans of time, by their number of days in the address. */
const spans: Readonly<Record<string, { readonly from: string; readonly by: 'day' | 'month'; readonly label: MessageKey }>> = {
  '7': { from: '-6d', by: 'day', label: 'statistics.week' },
  '30': { from: '-29d', by: 'day', label: 'statistics.month' },
  '90': { from: '-89d', by: 'day', label: 'statistics.quarter' },
  '365': { from: '-364d', by: 'month', label: 'statistics.year' },
}
const usual = '30'

const groups: readonly Group[] = ['path', 'referrer', 'crawler', 'bot', 'search', 'campaign', 'download', 'device', 'language']

/** GET; `days` chooses the span. */
export async function showStatistics(visit: SignedIn): Promise<Reply> {
  if (!mayRun(visit, stats.visits)) throw notYours(visit)
  const address = listAddress(visit.request, adminPaths.statistics)
  const asked = address.get('days') ?? usual
  const chosen = Object.hasOwn(spans, asked) ? asked : usual
  const { from, by } = spans[chosen] ?? { from: '-29d', by: 'day' as const }
  const shown = await get(visit, stats.visits, { from, by, top: atMost, csv: true })
  const tables = groups.map((group) => countPart(visit, group, shown.top?.[group] ?? [], shown.csv_urls?.[group]))
  const { t, request } = visit
  const body = html`${pageHead(t('shell.statistics'), lead(visit))} ${!shown.counting && offNotice(visit)}
    ${tabs(
      t('statistics.span'),
      Object.entries(spans).map(([name, { label }]) => ({
        label: t(label),
        href: address.with({ days: name === usual ? undefined : name }),
        current: name === chosen,
      })),
    )}
    ${summary(visit, shown)} ${chartPart(visit, shown)}
    <div class="count-parts">
      ${tables} ${mayRun(visit, stats.calls) && (await callsPart(visit, { from: shown.from, to: shown.to }))}
    </div>
    ${
      mayRun(visit, redirects.list) &&
      html`<p><a href="${linkTo(request, adminPaths.redirects)}?list=missed">${t('statistics.missed')}</a></p>`
    }`
  return framedReply(visit, { title: t('shell.statistics'), kind: 'full', body })
}

const lead = (visit: SignedIn): Html =>
  visit.t.rich('statistics.lead', {
    document: html`<a href="${documentPath(visit, 'statistics')}">${visit.t('statistics.what')}</a>`,
  })

const offNotice = (visit: SignedIn): Html =>
  html`<p class="notice">
    ${visit.t('statistics.off')}
    ${
      mayRun(visit, settings.update) &&
      html`<a href="${linkTo(visit.request, settingPath('statistics'))}">${visit.t('statistics.turn_on')}</a>`
    }
  </p>`

type Shown = AnswerOf<typeof stats.visits.output>

const summary = ({ t }: SignedIn, { totals }: Shown): Html =>
  html`<div class="sums">
    ${factList({
      [t('statistics.visitors')]: numberIn(t, totals.visitors),
      [t('statistics.views')]: numberIn(t, totals.views),
      [t('statistics.by_crawlers')]: numberIn(t, totals.crawler_views),
      [t('statistics.by_bots')]: numberIn(t, totals.bot_views),
      [t('statistics.downloads')]: numberIn(t, totals.downloads),
    })}
  </div>`

const withWeekday = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const

function chartPart({ t }: SignedIn, { by, items, from, to, csv_url: csv = '' }: Shown): Html {
  const format = by === 'month' ? ({ month: 'short', year: 'numeric' } as const) : ({ day: 'numeric', month: 'short' } as const)
  const label = t(by === 'month' ? 'statistics.per_month' : 'statistics.per_day')
  const rows = items.map(({ value, views, visitors }) => ({
    label: dateText(t, value ?? from, format),
    long: dateText(t, value ?? from, by === 'month' ? { month: 'long', year: 'numeric' } : withWeekday),
    views,
    visitors,
  }))
  const bars = rows.map((row) => ({
    ...row,
    title: t('statistics.bar', { date: row.long, views: row.views, visitors: row.visitors }),
  }))
  const between = t('statistics.between', {
    from: dateText(t, from, { dateStyle: 'long' }),
    to: dateText(t, to, { dateStyle: 'long' }),
  })
  return html`<div class="panel">
    <h2>${label}</h2>
    <figure>
      ${visitsChart(bars, `${label}, ${between}. ${t('statistics.chart_table')}`, (count) => numberIn(t, count))}
      <figcaption>
        <span class="key all-views">${t('statistics.views')}</span>
        <span class="key all-visitors">${t('statistics.visitors')}</span>
        <span class="quiet">${between}</span>
      </figcaption>
    </figure>
    <details>
      <summary>${t('statistics.as_table')}</summary>
      ${table(t, {
        caption: label,
        rows: rows.toReversed(),
        columns: [
          { label: t(by === 'month' ? 'statistics.month_name' : 'statistics.day'), cell: ({ long }) => long },
          { label: t('statistics.visitors'), cell: ({ visitors }) => numberIn(t, visitors), end: true },
          { label: t('statistics.views'), cell: ({ views }) => numberIn(t, views), end: true },
        ],
      })}
      <p class="below-table"><a href="${csv}">${t('statistics.csv')}</a></p>
    </details>
  </div>`
}

/** A day or a month in words. @param day such as `2026-11-28` or `2026-11` */
const dateText = (t: Words, day: string, format: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(t.language, { ...format, timeZone: 'UTC' }).format(new Date(day))
