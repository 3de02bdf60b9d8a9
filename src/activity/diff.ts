// A change as answers show it: public field names, times as text, JSON as values.

import { cutText } from '../base/cut-text.ts'
import { diffOf, type RowChange } from '../store/change/change.ts'
import { shownColumns } from './shown-columns.ts'

export interface ShownChange {
  readonly id: string
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** Counts of the rows that a shortened diff leaves out. */
export interface DiffSummary {
  /** Number of rows and number of objects in the whole diff. */
  readonly rows: number
  readonly things: number
  readonly counts: { readonly kind: string; readonly field: string; readonly rows: number }[]
  /** A hint on how to see a single difference. */
  readonly hint: string
}

/** A diff as an answer shows it: the whole diff, or the first row per kind and field with a summary of the rest. */
export interface CutDiff {
  readonly diff: ShownChange[]
  readonly truncated?: true
  readonly diff_summary?: DiffSummary
}

/** About 2,000 tokens: a model keeps the answer in its context. */
const maxDiffBytes = 8 * 1024

/** The length of each value in a shortened diff. */
const maxCutChars = 200

/**
 * Makes a diff that fits into an answer. A longer diff is reduced to the first row of each field per kind of object.
 * @param hint tells the caller how to see a single difference
 */
export function cutDiff(records: readonly RowChange[], hint: string): CutDiff {
  const diff = shownDiff(records)
  if (fitting(diff, maxDiffBytes).length === diff.length) return { diff }
  const kindOf = new Map(records.map(({ id, kind }) => [id, kind]))
  const firsts = new Map<string, { first: ShownChange; kind: string; field: string; rows: number }>()
  for (const row of diff) {
    const kind = kindOf.get(row.id) ?? ''
    const known = firsts.get(`${kind} ${row.field}`)
    if (known) known.rows += 1
    else firsts.set(`${kind} ${row.field}`, { first: row, kind, field: row.field, rows: 1 })
  }
  const counts = [...firsts.values()].map(({ kind, field, rows }) => ({ kind, field, rows }))
  const shown = [...firsts.values()].map(({ first }) => ({ ...first, before: brief(first.before), after: brief(first.after) }))
  const things = new Set(diff.map(({ id }) => id)).size
  return {
    diff: fitting(shown, maxDiffBytes),
    truncated: true,
    diff_summary: { rows: diff.length, things, counts, hint },
  }
}

/** A diff for a page of a decision, with whole texts and as many rows as the page can show. */
export function wholeDiff(records: readonly RowChange[], hint: string): CutDiff {
  const diff = shownDiff(records, maxWholeBytes)
  const shown = fitting(diff, maxWholeBytes)
  return shown.length === diff.length ? { diff } : { ...cutDiff(records, hint), diff: shown }
}

const maxWholeBytes = 1024 * 1024

/** The first items that together take at most `maxBytes`. */
export function fitting<T>(items: readonly T[], maxBytes: number): T[] {
  let bytes = 0
  const end = items.findIndex((item) => (bytes += Buffer.byteLength(JSON.stringify(item)) + 1) > maxBytes)
  return items.slice(0, end < 0 ? items.length : end)
}

function brief(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxCutChars ? cutText(text, maxCutChars) : value
}

/** The length of each text in a diff. The object's revisions have the whole text. */
const maxShownChars = 2000

/** One row per changed field, with long texts cut. */
export function shownDiff(records: readonly RowChange[], maxChars = maxShownChars): ShownChange[] {
  return diffOf(records).map(({ id, kind, field, before, after }) => {
    const { json, times, names } = shownColumns[kind]
    const show = (value: unknown): unknown => {
      if (value === null) return null
      if (times.includes(field)) return new Date(Number(value)).toISOString()
      if (json.includes(field) && typeof value === 'string') return JSON.parse(value)
      return typeof value === 'string' ? cutText(value, maxChars) : value
    }
    return { id, field: names[field] ?? field, before: show(before), after: show(after) }
  })
}
