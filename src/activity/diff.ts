// A change as people and programs read it: names of the outside, times as text, JSON as values.

import { diffOf, type RowChange } from '../store/change.ts'
import { kinds } from '../store/kinds.ts'

export interface ShownChange {
  readonly id: string
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** So much of a diff goes into an answer beside all else. */
const maxDiffBytes = 48 * 1024

/** The diff of a dry run, as much of it as fits: what can be done can be tried. */
export function fittingDiff(records: readonly RowChange[]): { diff: readonly ShownChange[]; truncated?: true } {
  const diff = shownDiff(records)
  let bytes = 0
  const fit = diff.findIndex((row) => (bytes += Buffer.byteLength(JSON.stringify(row)) + 1) > maxDiffBytes)
  return fit < 0 ? { diff } : { diff: diff.slice(0, fit), truncated: true }
}

/** One row a field that changed. Long texts are cut to 2,000 characters each: the whole is in the object's revisions. */
export function shownDiff(records: readonly RowChange[]): readonly ShownChange[] {
  return diffOf(records).map(({ id, kind, field, before, after }) => {
    const { json, times, shownAs } = kinds[kind] as {
      json: readonly string[]
      times: readonly string[]
      shownAs: Readonly<Record<string, string>>
    }
    const show = (value: unknown): unknown => {
      if (value === null) return null
      if (times.includes(field)) return new Date(Number(value)).toISOString()
      if (json.includes(field) && typeof value === 'string') return JSON.parse(value)
      return typeof value === 'string' && value.length > 2000 ? `${value.slice(0, 2000).toWellFormed()}…` : value
    }
    return { id, field: shownAs[field] ?? field, before: show(before), after: show(after) }
  })
}
