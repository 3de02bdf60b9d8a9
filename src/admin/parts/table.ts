// A table that sorts by its columns, has checkboxes to select rows, and shows the bulk actions. Sorting uses links and selection
// uses a form, so no script is needed. On a phone, less important columns are left out.

import { attribute, html, type Html, type HtmlValue, raw } from '../../doors/shared/html.ts'
import { linkTo } from '../paths.ts'
import type { Visit } from '../visit.ts'
import type { MessageKey, Words } from '../words.ts'
import { icon } from './icons.ts'
import type { ListAddress } from './list-address.ts'

export interface Column<T> {
  readonly label: string
  readonly cell: (row: T) => HtmlValue
  /** The field of the list by which the column sorts; undefined if it can't be sorted. */
  readonly sort?: string
  /** True if a phone does not show the column. */
  readonly wideOnly?: boolean
  /** True for numbers and dates, which are aligned at the end of their column. */
  readonly end?: boolean
}

interface Selection<T> {
  /** The form with the buttons for the selected rows. Its checkboxes have the name `ids`. */
  readonly form: string
  readonly id: (row: T) => string
  /** The name of the checkbox for screen readers. */
  readonly name: (row: T) => string
  /** The ids that were selected in a refused form. */
  readonly chosen?: readonly string[] | undefined
}

/** The id of the first checkbox of a list. The banner of a form without a selection links to it. */
export const firstBox = 'first-box'

export interface TableParts<T> {
  /** The contents of the table, for screen readers only. */
  readonly caption: string
  /** The columns. The first one names the row. */
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly query?: ListAddress
  /** The default sort order: `-updated_at`. */
  readonly sort?: string
  readonly select?: Selection<T> | undefined
}

export function table<T>(t: Words, { caption, columns, rows, query, sort = '', select }: TableParts<T>): Html {
  const sorted = query?.get('sort') ?? sort
  return html`<div class="table" tabindex="0" role="region" aria-label="${caption}">
    <table>
      <thead>
        <tr>
          ${select && html`<th class="box"><span class="unseen">${t('parts.table_select')}</span></th>`}
          ${columns.map((column) => heading(column, sorted, query))}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row, place) =>
            html`<tr>
              ${select && box(select, row, place, t)} ${columns.map((column, at) => cell(column, row, at === 0))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

const classOf = <T>({ wideOnly, end }: Column<T>): string | undefined =>
  [wideOnly && 'wide-only', end && 'end'].filter(Boolean).join(' ') || undefined

function heading<T>(column: Column<T>, sorted: string, query: ListAddress | undefined): Html {
  const { label, sort } = column
  if (sort === undefined || !query) return html`<th scope="col" ${attribute('class', classOf(column))}>${label}</th>`
  const way = sorted === sort ? 'ascending' : sorted === `-${sort}` ? 'descending' : undefined
  // The first click sorts names from A to Z, and dates from the newest.
  const next = way === undefined ? (column.end ? `-${sort}` : sort) : way === 'ascending' ? `-${sort}` : sort
  const mark = way && icon(way === 'ascending' ? 'up' : 'down')
  return html`<th scope="col" ${attribute('class', classOf(column))} ${attribute('aria-sort', way)}>
    <a href="${query.with({ sort: next })}">${label}${mark}</a>
  </th>`
}

function cell<T>(column: Column<T>, row: T, isName: boolean): Html {
  const name = attribute('class', classOf(column))
  return isName ? html`<th scope="row" ${name}>${column.cell(row)}</th>` : html`<td ${name}>${column.cell(row)}</td>`
}

const box = <T>({ form, id, name, chosen }: Selection<T>, row: T, place: number, t: Words): Html =>
  html`<td class="box">
    ${selectBox({ form, id: id(row), label: t('parts.table_select_row', { name: name(row) }), place, chosen })}
  </td>`

/** The checkbox that selects one row of a list. */
interface SelectBox {
  readonly form: string
  readonly id: string
  readonly label: string
  readonly place: number
  readonly chosen?: readonly string[] | undefined
}

export function selectBox({ form, id, label, place, chosen = [] }: SelectBox): Html {
  const more = [place === 0 && attribute('id', firstBox), chosen.includes(id) && raw(' checked')]
  return html`<label
    ><input type="checkbox" name="ids" value="${id}" form="${form}" ${more} /><span class="unseen">${label}</span></label
  >`
}

/** The bar with the bulk actions. It appears once a row is selected. @param fields the form's hidden fields and buttons */
export const selectionBar = (form: string, action: string, fields: HtmlValue): Html =>
  html`<form class="selection" id="${form}" method="post" action="${action}">${fields}</form>`

/** The empty state of a list: the reason and the next step. */
export const emptyState = (title: string, text: HtmlValue, next?: HtmlValue): Html =>
  html`<div class="empty">
    <h2>${title}</h2>
    <p>${text}</p>
    ${next && html`<p class="actions">${next}</p>`}
  </div>`

/** Returns a number with its noun, such as `1 entry`, `12 entries`. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : several}`

/** The links that choose a part of a list, such as only drafts. */
export function tabs(
  label: string,
  links: readonly { readonly label: string; readonly href: string; readonly current: boolean }[],
): Html {
  return html`<nav class="tabs" aria-label="${label}">
    <ul>
      ${links.map(
        (link) =>
          html`<li><a href="${link.href}" ${attribute('aria-current', link.current ? 'page' : undefined)}>${link.label}</a></li>`,
      )}
    </ul>
  </nav>`
}

/** The search field of a list, with the other parameters of its address as hidden fields. */
export const searchField = (
  t: Words,
  action: string,
  value: string | undefined,
  label: string,
  kept: Readonly<Record<string, string | undefined>> = {},
): Html =>
  html`<form class="search-field" role="search" aria-label="${label}" action="${action}">
    ${Object.entries(kept).map(
      ([name, text]) => text !== undefined && html`<input type="hidden" name="${name}" value="${text}" />`,
    )}
    <label class="unseen" for="list-search">${label}</label>
    <input
      id="list-search"
      type="search"
      name="search"
      value="${value ?? ''}"
      placeholder="${label}"
      maxlength="200"
      ${raw('autocomplete="off"')}
    />
    <button>${t('parts.table_search')}</button>
  </form>`

/** A link to a page of the admin that looks like a button. @param path without the base path */
export const linkButton = ({ request, t }: Visit, path: string, label: MessageKey): Html =>
  html`<a class="button" href="${linkTo(request, path)}">${t(label)}</a>`

/** The title of a page with the buttons for its actions. */
export const pageHead = (title: HtmlValue, lead?: HtmlValue, actions?: HtmlValue): Html =>
  html`<div class="page-head">
    <div>
      <h1>${title}</h1>
      ${lead && html`<p class="lead">${lead}</p>`}
    </div>
    ${actions && html`<div class="actions">${actions}</div>`}
  </div>`
