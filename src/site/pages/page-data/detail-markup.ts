// The fields that cards show, as markup, for lists in a text. In lists of a theme the theme does this.

import { escapeHtml } from '../../../content/markdown/escape-html.ts'
import type { CustomKind } from '../../../content/types/field-definition.ts'
import { isObject } from '../../../base/json.ts'
import type { ThemeDetail } from '../../../themes/contract.ts'
import { shownDate } from '../../../themes/engine/theme-dates.ts'
import { siteWord } from '../../../themes/site-words.ts'

interface Facts {
  readonly language: string
  readonly timeZone: string
}

const date =
  (format: 'long' | 'datetime') =>
  (value: unknown, { language, timeZone }: Facts): string =>
    `<time datetime="${escapeHtml(String(value))}">${escapeHtml(shownDate(String(value), format, language, timeZone))}</time>`

const link = (value: unknown): string =>
  isObject(value) ? `<a href="${escapeHtml(String(value['url']))}">${escapeHtml(String(value['title']))}</a>` : ''

/** The kinds that have a form of their own. Pictures, Markdown and groups are left to the page of the entry. */
const forms: Readonly<Partial<Record<CustomKind, (value: unknown, facts: Facts) => string>>> = {
  date: date('long'),
  datetime: date('datetime'),
  boolean: (value, { language }) => escapeHtml(siteWord(language, value === true ? 'yes' : 'no')),
  entry: link,
  term: link,
  media: () => '',
  markdown: () => '',
  group: () => '',
}

/** Returns a list of fields with their values, empty if there is none. */
export function detailMarkup(details: readonly ThemeDetail[], facts: Facts): string {
  const rows = details.flatMap(({ label, kind, values }) => {
    const form = forms[kind as CustomKind] ?? ((value: unknown) => escapeHtml(String(value)))
    const shown = values.map((value) => form(value, facts)).filter((text) => text !== '')
    if (shown.length === 0) return []
    return [`<div>\n<dt>${escapeHtml(label)}</dt>\n${shown.map((text) => `<dd>${text}</dd>\n`).join('')}</div>\n`]
  })
  return rows.length === 0 ? '' : `<dl class="details">\n${rows.join('')}</dl>\n`
}
