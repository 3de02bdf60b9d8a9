// A change as people and programs read it: names of the outside, times as text, JSON as values.

import { cutText } from '../cut-text.ts'
import { diffOf, type RowChange } from '../store/change.ts'
import { shownColumns } from './shown-columns.ts'

export interface ShownChange {
  readonly id: string
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** What a diff that was cut leaves out, in numbers. */
export interface DiffSummary {
  /** Rows of the whole diff, and the things that they are about. */
  readonly rows: number
  readonly things: number
  readonly counts: { readonly kind: string; readonly field: string; readonly rows: number }[]
  /** How one difference is seen. */
  readonly hint: string
}

/** A diff as an answer shows it: whole, or the first row of each kind with a summary of the rest. */
export interface CutDiff {
  readonly diff: ShownChange[]
  readonly truncated?: true
  readonly diff_summary?: DiffSummary
}

/** A model reads the answer among all else that it has to keep in mind: some 2,000 tokens of it may be differences. */
const maxDiffBytes = 8 * 1024

/** Of a diff that is cut, so much of each value is shown. */
const maxCutChars = 200

/**
 * A diff that fits into a model's turn. One that is longer is cut to the first row of each kind, a kind being a field of one kind of thing.
 * @param hint how the caller sees one of the differences
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

/** As many of the first as take no more than so many bytes. */
export function fitting<T>(items: readonly T[], maxBytes: number): T[] {
  let bytes = 0
  const end = items.findIndex((item) => (bytes += Buffer.byteLength(JSON.stringify(item)) + 1) > maxBytes)
  return items.slice(0, end < 0 ? items.length : end)
}

function brief(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxCutChars ? cutText(text, maxCutChars) : value
}

/** One row a field that changed. Long texts are cut to 2,000 characters each: the whole is in the object's revisions. */
export function shownDiff(records: readonly RowChange[]): ShownChange[] {
  return diffOf(records).map(({ id, kind, field, before, after }) => {
    const { json, times, names } = shownColumns[kind]
    const show = (value: unknown): unknown => {
      if (value === null) return null
      if (times.includes(field)) return new Date(Number(value)).toISOString()
      if (json.includes(field) && typeof value === 'string') return JSON.parse(value)
      return typeof value === 'string' ? cutText(value, 2000) : value
    }
    return { id, field: names[field] ?? field, before: show(before), after: show(after) }
  })
}
