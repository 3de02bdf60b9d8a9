// The difference between two texts as a table, side by side and line by line, with the changed words marked. If a text is too long
// to compare in time, both texts are shown unmarked.

import { type ChangeObject, diffLines, diffWordsWithSpace } from 'diff'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import { isObject } from '../../base/json.ts'
import { callWord } from '../action-words.ts'
import type { Visit } from '../visit.ts'
import type { Words } from '../words.ts'
import { fieldName } from './field-names.ts'
import type { NamedIds } from './named-ids.ts'
import { exactTime } from './time.ts'

/** The time limit in milliseconds for the comparison of lines, and again for the words of all changed lines. */
const maxMs = 200
/** The number of unchanged lines around a change. */
const around = 2
/** The number of rows of one difference that are shown. */
const maxRows = 400

interface Row {
  readonly kind: 'same' | 'changed' | 'gap'
  readonly before: HtmlValue
  readonly after: HtmlValue
}

/** A text before and after a change. `null` means that there was no text, or is none. */
export function difference(
  t: Words,
  before: string | null,
  after: string | null,
  sides?: { readonly before: string; readonly after: string },
): Html {
  const rows = rowsOf(before ?? '', after ?? '', t)
  return html`<div class="difference" tabindex="0" role="group" aria-label="${t('parts.difference')}">
    <table>
      <thead>
        <tr>
          <th scope="col">${sides?.before ?? t('parts.difference_before')}</th>
          <th scope="col">${sides?.after ?? t('parts.difference_after')}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.slice(0, maxRows).map(rowOf)}
        ${rows.length > maxRows && rowOf({ kind: 'gap', before: t('parts.difference_more_lines', { count: rows.length - maxRows }), after: '' })}
      </tbody>
    </table>
  </div>`
}

const rowOf = ({ kind, before, after }: Row): Html =>
  html`<tr class="${kind}">
    <td>${before}</td>
    <td>${after}</td>
  </tr>`

function rowsOf(before: string, after: string, t: Words): readonly Row[] {
  const parts = diffLines(before, after, { timeout: maxMs })
  if (!parts) return [{ kind: 'changed', before, after }]
  const deadline = Date.now() + maxMs
  const rows: Row[] = []
  for (let place = 0; place < parts.length; place++) {
    const part = parts[place]
    if (!part) continue
    const next = parts[place + 1]
    if (!part.added && !part.removed) rows.push(...unchanged(linesOf(part), place === 0, place === parts.length - 1, t))
    else if (part.removed && next?.added) {
      rows.push(...pairs(linesOf(part), linesOf(next), deadline))
      place += 1
    } else if (part.removed) rows.push(...linesOf(part).map((line) => changed(html`<del>${line}</del>`, '')))
    else rows.push(...linesOf(part).map((line) => changed('', html`<ins>${line}</ins>`)))
  }
  return rows
}

const changed = (before: HtmlValue, after: HtmlValue): Row => ({ kind: 'changed', before, after })

const linesOf = ({ value }: ChangeObject<string>): readonly string[] => value.replace(/\n$/, '').split('\n')

/** A few lines around each change. The rest is left out. */
function unchanged(lines: readonly string[], isFirst: boolean, isLast: boolean, t: Words): readonly Row[] {
  const same = (line: string): Row => ({ kind: 'same', before: line, after: line })
  const head = isFirst ? 0 : around
  const tail = isLast ? 0 : around
  if (lines.length <= head + tail + 1) return lines.map(same)
  const gap: Row = { kind: 'gap', before: t('parts.difference_same_lines', { count: lines.length - head - tail }), after: '' }
  return [...lines.slice(0, head).map(same), gap, ...(tail === 0 ? [] : lines.slice(-tail)).map(same)]
}

/** Pairs lines with the lines that replace them, with the changed words marked. */
function pairs(before: readonly string[], after: readonly string[], deadline: number): readonly Row[] {
  return Array.from({ length: Math.max(before.length, after.length) }, (_, place) => {
    const [old, fresh] = [before[place], after[place]]
    if (old === undefined) return changed('', html`<ins>${fresh}</ins>`)
    if (fresh === undefined) return changed(html`<del>${old}</del>`, '')
    return words(old, fresh, deadline)
  })
}

function words(before: string, after: string, deadline: number): Row {
  const left = deadline - Date.now()
  const parts = left > 0 ? diffWordsWithSpace(before, after, { timeout: left }) : undefined
  if (!parts) return changed(html`<del>${before}</del>`, html`<ins>${after}</ins>`)
  return changed(
    parts.map(({ value, removed, added }) => !added && (removed ? html`<del>${value}</del>` : value)),
    parts.map(({ value, removed, added }) => !removed && (added ? html`<ins>${value}</ins>` : value)),
  )
}

/** A row of a difference, as dry runs and activity records contain it. */
interface FieldChange {
  readonly id: string
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** The reader of a difference: the language, and the types whose fields have labels. */
type Reader = Pick<Visit, 't' | 'site'>

/**
 * The changes of a call, one below the other: short values in one line, texts side by side.
 * @param named the names to show for ids among the values
 */
export function changesOf(diff: readonly FieldChange[], reader: Reader, named: NamedIds): Html {
  const { t, site } = reader
  const changes = diff.flatMap(membersOf).filter(saysSomething)
  if (changes.length === 0) return html`<p class="quiet">${t('parts.difference_none')}</p>`
  return html`<dl class="changes">
    ${changes.map(
      ({ field, before, after }) =>
        html`<div>
          <dt>${fieldName(t, site.types.current.all, field)}</dt>
          <dd>
            ${isLong(before) || isLong(after) ? difference(t, textOf(before), textOf(after)) : inLine(before, after, reader, named)}
          </dd>
        </div>`,
    )}
  </dl>`
}

/**
 * Splits a change of `seo` or of the fields of a type into one change per changed member, such as `seo.title`. Any other change
 * stays whole.
 */
function membersOf(change: FieldChange): readonly FieldChange[] {
  const { field, before, after } = change
  if (!/^(?:staged\.)?(?:seo|fields)$/.test(field) || ![before, after].every((one) => isObject(one) || isNothing(one)))
    return [change]
  const [old, fresh] = [isObject(before) ? before : {}, isObject(after) ? after : {}]
  return [...new Set([...Object.keys(old), ...Object.keys(fresh)])]
    .filter((key) => JSON.stringify(old[key]) !== JSON.stringify(fresh[key]))
    .map((key) => ({ ...change, field: `${field}.${key}`, before: old[key] ?? null, after: fresh[key] ?? null }))
}

/** Returns false for changes that say nothing: the empty fields and the id of a new object. */
const saysSomething = ({ field, before, after }: FieldChange): boolean =>
  !isNothing(before) || (!isNothing(after) && field !== 'id')

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)

const isLong = (value: unknown): boolean => typeof value === 'string' && (value.length > 80 || value.includes('\n'))

const textOf = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)

const inLine = (before: unknown, after: unknown, reader: Reader, named: NamedIds): Html => {
  const { t } = reader
  const [old, fresh] = [before, after].map((value) => shownValue(value, reader, named))
  return html`${old !== undefined && html`<del>${old}</del>`}
  ${fresh === undefined ? html`<span class="quiet">${t('parts.difference_empty')}</span>` : html`<ins>${fresh}</ins>`}`
}

/** Returns a text, the name of a term, or the title of a proposed call; undefined for anything else. */
function nameOf(one: unknown, reader: Reader): string | undefined {
  if (typeof one === 'string') return one
  if (!isObject(one)) return undefined
  if (typeof one['name'] === 'string') return one['name']
  return typeof one['action'] === 'string' ? callWord(reader, one['action']) : undefined
}

/** A time as answers have it. */
const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)

/** A short value; undefined for none. Ids are shown as names, and lists without brackets. */
function shownValue(value: unknown, reader: Reader, named: NamedIds): HtmlValue | undefined {
  const names = Array.isArray(value) ? value.map((one) => nameOf(one, reader)) : undefined
  if (names?.every((one) => one !== undefined))
    return names.length === 0 ? undefined : names.map((one, place) => html`${place > 0 && ', '}${named.get(one) ?? one}`)
  const text = textOf(value)
  if (text === null || text === '') return undefined
  return isTime(text) ? exactTime(reader, text) : (named.get(text) ?? text)
}

/** The changes of several objects, each below its title. */
export function changesByObject(
  diff: readonly FieldChange[],
  titleOf: (id: string) => string | undefined,
  reader: Reader,
  named: NamedIds,
): Html {
  const ids = [...new Set(diff.map(({ id }) => id))]
  if (ids.length < 2) return changesOf(diff, reader, named)
  return html`${ids.map(
    (id) =>
      html`<h3>${titleOf(id) ?? id}</h3>
        ${changesOf(
          diff.filter((change) => change.id === id),
          reader,
          named,
        )}`,
  )}`
}
