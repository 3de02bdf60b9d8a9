// The report of an import on a page: numbers first, then what was not carried over, by its reason.

import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import { table } from '../parts/table.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'

interface ReportedLoss {
  readonly group: string
  readonly name: string
  readonly reason: string
  readonly count: number
  readonly where: readonly string[]
}

interface ReportedConstruct {
  readonly group: string
  readonly name: string
  readonly count: number
  readonly where: string
}

interface ReportedObject {
  readonly title: string
  readonly path: string | null
  readonly why: string
}

export interface ImportReport {
  readonly counts: Readonly<Record<string, number>>
  readonly losses: readonly ReportedLoss[]
  readonly conflicts: readonly ReportedObject[]
  readonly clashes: readonly ReportedObject[]
  readonly links: readonly ReportedLoss[]
  readonly constructs: readonly ReportedConstruct[]
  readonly left_out: number
  readonly settings: Readonly<Record<string, string>>
}

/** The counts that people are shown, with their words. */
const shownCounts = {
  entries: 'operations.import_count_entries',
  'entries.made': 'operations.import_count_made',
  'entries.updated': 'operations.import_count_updated',
  'entries.held': 'operations.import_count_held',
  terms: 'operations.import_count_terms',
  authors: 'operations.import_count_authors',
  media: 'operations.import_count_media',
  'media.made': 'operations.import_count_media_made',
  'media.failed': 'operations.import_count_media_failed',
  menus: 'operations.import_count_menus',
  comments: 'operations.import_count_comments',
  members: 'operations.import_count_members',
} as const satisfies Readonly<Record<string, MessageKey>>

export function countsOf(visit: SignedIn, { counts }: Pick<ImportReport, 'counts'>): Html {
  const { t } = visit
  const rows = Object.entries(shownCounts).filter(([name]) => (counts[name] ?? 0) > 0)
  return html`<dl class="facts">
    ${rows.map(
      ([name, label]) =>
        html`<div>
          <dt>${t(label)}</dt>
          <dd>${counts[name] ?? 0}</dd>
        </div>`,
    )}
    ${Object.keys(shownParts).map((part) => partFact(visit, part as keyof typeof shownParts, counts))}
  </dl>`
}

/** The counts that are divided by the words of the old site, which are shown as they are. */
const shownParts = {
  type: 'content.type',
  status: 'operations.state',
  language: 'operations.language',
  author: 'content.author',
} as const satisfies Readonly<Record<string, MessageKey>>

const statuses: Readonly<Record<string, MessageKey>> = {
  published: 'content.status_published',
  draft: 'content.status_draft',
  scheduled: 'content.status_scheduled',
  held: 'operations.import_count_held',
}

const maxShown = 20

function partFact({ t }: SignedIn, part: keyof typeof shownParts, counts: ImportReport['counts']): HtmlValue {
  const rows = Object.entries(counts).flatMap(([name, count]) =>
    name.startsWith(`${part}.`) ? [{ name: name.slice(part.length + 1), count }] : [],
  )
  if (rows.length === 0) return undefined
  const words = rows
    .sort((a, b) => b.count - a.count)
    .slice(0, maxShown)
    .map(({ name, count }) => {
      const status = part === 'status' ? statuses[name] : undefined
      return `${status === undefined ? name : t(status)} ${count}`
    })
  return html`<div>
    <dt>${t(shownParts[part])}</dt>
    <dd class="breaks">${words.join(', ')}${rows.length > maxShown && ', …'}</dd>
  </div>`
}

export function reportPart(
  visit: SignedIn,
  { losses, links, conflicts, clashes, constructs, settings, left_out: leftOut }: ImportReport,
): Html {
  const { t } = visit
  return html`${settingsPart(visit, settings)} ${lossTable(visit, t('operations.import_losses'), losses)}
  ${lossTable(visit, t('operations.import_links'), links)} ${objectTable(visit, t('operations.import_conflicts'), conflicts)}
  ${objectTable(visit, t('operations.import_clashes'), clashes)} ${constructTable(visit, constructs)}
  ${leftOut > 0 && html`<p class="quiet">${t('operations.import_more', { count: leftOut })}</p>`}`
}

const settingNames = {
  site_title: 'operations.site_title',
  site_tagline: 'operations.site_tagline',
  language: 'operations.language',
  languages: 'operations.languages',
  time_zone: 'operations.time_zone',
} as const satisfies Readonly<Record<string, MessageKey>>

/** The settings that come from the old site. */
function settingsPart({ t }: SignedIn, settings: ImportReport['settings']): HtmlValue {
  const rows = Object.entries(settingNames).filter(([key]) => settings[key] !== undefined)
  if (rows.length === 0) return undefined
  return html`<h2>${t('operations.import_site')}</h2>
    <dl class="facts">
      ${rows.map(
        ([key, label]) =>
          html`<div>
            <dt>${t(label)}</dt>
            <dd>${settings[key] ?? ''}</dd>
          </div>`,
      )}
    </dl>`
}

function lossTable({ t }: SignedIn, caption: string, rows: readonly ReportedLoss[]): HtmlValue {
  if (rows.length === 0) return undefined
  return html`<h2>${caption}</h2>
    ${table(t, {
      caption,
      rows,
      columns: [
        { label: t('operations.import_what'), cell: ({ name }) => html`<span class="breaks">${t.said(name)}</span>` },
        { label: t('operations.import_why'), cell: ({ reason }) => t.said(reason) },
        { label: t('operations.import_count'), cell: ({ count }) => count, end: true },
        {
          label: t('operations.import_where'),
          cell: ({ where }) => html`<span class="breaks">${where.join(', ')}</span>`,
          wideOnly: true,
        },
      ],
    })}`
}

function objectTable({ t }: SignedIn, caption: string, rows: readonly ReportedObject[]): HtmlValue {
  if (rows.length === 0) return undefined
  return html`<h2>${caption}</h2>
    ${table(t, {
      caption,
      rows,
      columns: [
        { label: t('operations.import_what'), cell: ({ title }) => title },
        { label: t('operations.import_path'), cell: ({ path }) => path, wideOnly: true },
        { label: t('operations.import_why'), cell: ({ why }) => t.said(why) },
      ],
    })}`
}

const constructGroups: Readonly<Record<string, MessageKey>> = {
  block: 'operations.import_block',
  shortcode: 'operations.import_shortcode',
  card: 'operations.import_card',
  template: 'operations.import_template',
  meta: 'operations.import_meta',
}

/** The blocks, shortcodes and values of the old site, known here or not. */
function constructTable({ t }: SignedIn, rows: readonly ReportedConstruct[]): HtmlValue {
  if (rows.length === 0) return undefined
  const caption = t('operations.import_constructs')
  return html`<details class="panel">
    <summary>${caption}</summary>
    <p class="quiet">${t('operations.import_constructs_help')}</p>
    ${table(t, {
      caption,
      rows,
      columns: [
        { label: t('operations.import_what'), cell: ({ name }) => html`<span class="breaks">${name}</span>` },
        { label: t('operations.import_kind'), cell: ({ group }) => t(constructGroups[group] ?? 'operations.import_meta') },
        { label: t('operations.import_count'), cell: ({ count }) => count, end: true },
        {
          label: t('operations.import_where'),
          cell: ({ where }) => html`<span class="breaks">${where}</span>`,
          wideOnly: true,
        },
      ],
    })}
  </details>`
}
