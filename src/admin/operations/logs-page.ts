// Logs: warnings and errors, newest first, with a search by words, by level, or by the reference that an error page shows.

import { logs } from '../../actions/logs/index.ts'
import type { AnswerOf } from '../../actions/call/call-action.ts'
import type { LogItem } from '../../actions/logs/list.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { type Level, levels } from '../../base/log.ts'
import { type Choice, selectField, textField } from '../parts/fields.ts'
import { notYours, run } from '../page.ts'
import { pagerOf } from '../parts/pager.ts'
import { emptyState, pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { exactTime } from '../parts/time.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey, Words } from '../words.ts'
import { framedReply } from '../framed-reply.ts'

/** The values of the search form; `''` for an empty field. */
interface LogSearch {
  readonly search: string
  readonly level: string
  readonly reference: string
}

const levelChoices = (t: Words): readonly Choice[] => [
  { value: '', label: t('operations.all') },
  { value: 'error', label: t('operations.levels_error') },
  { value: 'warn', label: t('operations.levels_warn') },
  { value: 'info', label: t('operations.levels_info') },
]

const lineKeys: Readonly<Record<Level, MessageKey>> = {
  debug: 'operations.line_debug',
  info: 'operations.line_info',
  warn: 'operations.line_warn',
  error: 'operations.line_error',
}

export async function showLogs(visit: SignedIn): Promise<Reply> {
  const { query } = visit.request
  const [search = '', level = '', reference = ''] = ['search', 'level', 'reference'].map((name) => (query.get(name) ?? '').trim())
  const asked = { search, level: levels.some((one) => one === level) ? level : '', reference }
  const cursor = query.get('cursor')
  const { data, failure } = await run(visit, logs.list, {
    where: { ...(asked.level && { level: asked.level }), ...(reference && { reference }) },
    ...(search && { search }),
    ...(cursor === null ? {} : { cursor }),
  })
  if (failure?.code === 'unknown_action') throw notYours(visit)
  const body = html`${pageHead(visit.t('operations.logs'), visit.t('operations.logs_lead'))} ${searchForm(visit, asked)}
  ${data && linesOf(visit, asked, data)}`
  return framedReply(visit, { title: visit.t('operations.logs'), body }, { failure })
}

function searchForm({ request, t }: SignedIn, { search, level, reference }: LogSearch): Html {
  return html`<form method="get" action="${linkTo(request, adminPaths.logs)}" class="card" role="search">
    ${textField({ name: 'search', label: t('operations.search'), value: search })}
    ${selectField({ name: 'level', label: t('operations.level'), value: level, choices: levelChoices(t) })}
    ${textField({ name: 'reference', label: t('operations.reference'), value: reference })}
    <p class="actions"><button class="primary">${t('operations.search')}</button></p>
  </form>`
}

function linesOf(visit: SignedIn, asked: LogSearch, { items, next_cursor: next }: AnswerOf<typeof logs.list.output>): HtmlValue {
  const given = Object.entries(asked).filter(([, value]) => value !== '')
  if (items.length === 0 && given.length === 0) return emptyState(visit.t('operations.no_log'), visit.t('operations.no_log_next'))
  if (items.length === 0) return emptyState(visit.t('operations.no_lines'), visit.t('operations.no_lines_next'))
  const query = new URLSearchParams(given).toString()
  const path = linkTo(visit.request, adminPaths.logs)
  return html`<ul class="things">
      ${items.map((line) => lineItem(visit, line))}
    </ul>
    ${pagerOf(query === '' ? path : `${path}?${query}`, next, visit.t)}`
}

function lineItem(visit: SignedIn, { at, level, source, reference, message, process, fields }: LogItem): Html {
  const { t } = visit
  return html`<li class="card">
    <h2>${message}</h2>
    <p class="quiet">
      ${t.rich(lineKeys[level], {
        source: process === undefined ? source : t('operations.source_process', { source, process }),
        time: exactTime(visit, at),
      })}
    </p>
    ${typeof fields['message'] === 'string' && html`<p>${fields['message']}</p>`}
    ${reference !== null && html`<p>${t.rich('operations.reference_of', { reference: html`<code>${reference}</code>` })}</p>`}
    ${
      Object.keys(fields).length > 0 &&
      html`<details>
        <summary>${t('operations.details')}</summary>
        <pre><code>${JSON.stringify(fields, undefined, 2).replaceAll('\\n', '\n')}</code></pre>
      </details>`
    }
  </li>`
}
