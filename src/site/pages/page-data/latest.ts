// The section `latest`: entries of a type, in place of the empty element that the kept rendering of a text has. The list is made
// with the page, so it is as new as the page.

import { escapeHtml } from '../../../content/markdown/escape-html.ts'
import { publicOnly } from '../../../content/entries/entry.ts'
import { inBranch, branchOf, languagesOf } from '../../../content/languages/languages.ts'
import { typesThat } from '../../../content/types/entry-types.ts'
import { findTerm } from '../../../content/terms/terms.ts'
import { isObject } from '../../../base/json.ts'
import type { ThemeImage, ThemeSummary } from '../../../themes/contract.ts'
import type { Frame } from '../frame.ts'
import { listedColumns, type ListedPost } from '../../lists/public-entries.ts'
import { summariesOf } from './summaries.ts'

const placeholder = /<div class="section-latest" title="([^"]*)"><\/div>/g

/** The most lists of a page, and the most entries that a list by another field than the date is chosen from. */
const maxLists = 10
const maxSorted = 200

interface Asked {
  readonly types: readonly string[]
  readonly term: string | null
  readonly limit: number
  /** A field, with `-` before it for the last first. */
  readonly sort: string
  /** A field with a date: entries whose date has passed are left out. */
  readonly upcoming: string | null
}

/**
 * Fills in the lists of a text.
 * @param html cleaned HTML
 * @param at the language of the entry, and the id that no list shows
 */
export async function fillLatest(
  frame: Frame,
  html: string,
  { locale, id, language }: { readonly locale: string | null; readonly id: string; readonly language: string },
): Promise<{ readonly html: string; readonly whole: boolean }> {
  const places = [...html.matchAll(placeholder)]
  if (places.length === 0) return { html, whole: true }
  const lists = await Promise.all(
    places.slice(0, maxLists).map(async ([, given = '']) => {
      const rows = await rowsOf(frame, readAsked(given), { locale, id })
      return summariesOf(frame, rows, language)
    }),
  )
  let next = 0
  const filled = html.replace(placeholder, () => cardsOf(lists[next++]?.entries ?? []))
  return { html: filled, whole: lists.every(({ whole }) => whole) }
}

function readAsked(given: string): Asked {
  const asked = new URLSearchParams(given.replaceAll('&amp;', '&'))
  return {
    types: asked.has('type') ? asked.getAll('type') : typesThat('listed'),
    term: asked.get('term'),
    limit: Math.min(24, Math.max(1, Number(asked.get('limit')) || 3)),
    sort: asked.get('sort') ?? '-published_at',
    upcoming: asked.get('upcoming'),
  }
}

async function rowsOf(
  { site }: Frame,
  { types, term, limit, sort, upcoming }: Asked,
  { locale, id }: { readonly locale: string | null; readonly id: string },
): Promise<readonly ListedPost[]> {
  const { read } = site.store
  const found = term === null ? undefined : await findTerm(read, term)
  if (term !== null && !found) return []
  const languages = languagesOf(site.settings.values)
  const now = site.clock.now()
  const isPlain = sort === '-published_at' && upcoming === null
  let query = read
    .selectFrom('entry')
    .select(listedColumns)
    .where('type', 'in', types)
    .where('id', '!=', id)
    .where((eb) => publicOnly(eb, now))
    .where((eb) => inBranch(eb, languages, branchOf(languages, locale)))
  if (found)
    query = query.where('id', 'in', (eb) => eb.selectFrom('entry_term').select('entry_id').where('term_id', '=', found.id))
  const rows = await query
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(isPlain ? limit : maxSorted)
    .execute()
  if (isPlain) return rows
  const today = new Date(now).toISOString().slice(0, 10)
  const left = upcoming === null ? rows : rows.filter((row) => String(valueOf(row, upcoming) ?? '') >= today)
  return sorted(left, sort).slice(0, limit)
}

/** The value of a column, or of a field of the type. Values of several parts do not sort. */
function valueOf(row: ListedPost, name: string): string | number | null {
  if (name === 'title' || name === 'published_at') return row[name]
  const fields: unknown = JSON.parse(row.fields)
  const value = isObject(fields) ? fields[name.replace(/^fields\./, '')] : null
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

/** Entries without a value come last. */
function sorted(rows: readonly ListedPost[], sort: string): readonly ListedPost[] {
  const name = sort.replace(/^-/, '')
  const turn = sort.startsWith('-') ? -1 : 1
  return rows
    .map((row) => ({ row, value: valueOf(row, name) }))
    .toSorted((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null)
      if (typeof a.value === 'number' && typeof b.value === 'number') return turn * (a.value - b.value)
      return turn * String(a.value).localeCompare(String(b.value))
    })
    .map(({ row }) => row)
}

const cardsOf = (entries: readonly ThemeSummary[]): string => `<div class="section-items">\n${entries.map(cardOf).join('')}</div>`

const cardOf = ({ title, url, excerpt, image }: ThemeSummary): string =>
  `<div class="section-item">\n${image ? pictureOf(image) : ''}<h3><a href="${escapeHtml(url)}">${escapeHtml(title)}</a></h3>\n` +
  `${excerpt === '' ? '' : `<p>${escapeHtml(excerpt)}</p>\n`}</div>\n`

function pictureOf({ url, alt, width, height, variants }: ThemeImage): string {
  const small = variants.find((one) => one.width >= 480) ?? variants.at(-1)
  return `<figure class="section-picture"><img src="${escapeHtml(small?.url ?? url)}" alt="${escapeHtml(alt)}" width="${width}" height="${height}" loading="lazy"></figure>\n`
}
