// The latest changes of the site, by the generation that each of them began. Values that remember what they read are compared with them when
// somebody asks for a value, so a commit costs the same however many values are kept.

import { changedAreas, type ChangedRow, changedRows } from '../store/changed-rows.ts'
import type { RowChange } from '../store/change.ts'
import { type Area, kinds } from '../store/kinds.ts'
import type { Reads } from './reads.ts'

/** The cause of a generation; `everything` if a change concerns every page, or if its rows are unknown. */
export type SiteChange = readonly ChangedRow[] | 'everything'

export interface SiteChanges {
  readonly generation: number
  /** Begins a generation. */
  add(change: SiteChange): void
  /** True if a value that was computed at a generation may be different now. */
  concern(reads: Reads, generation: number): boolean
}

/**
 * A value for which nobody asked for so many generations, or so many changed rows, is computed anew. The list is cut when it is twice as long, so
 * a request never compares a value with more than twice as many rows, and a storm of changes takes little memory.
 */
const maxKept = 500
const maxRows = 500

export function createSiteChanges(): SiteChanges {
  /** The latest generations. Those before a change of everything are not needed. */
  let kept: (readonly ChangedRow[])[] = []
  let rows = 0
  let generation = 0
  const cut = () => {
    let first = kept.length
    for (rows = 0; first > 0 && kept.length - first < maxKept; first -= 1) {
      const more = rows + (kept[first - 1]?.length ?? 0)
      if (more > maxRows) break
      rows = more
    }
    kept = kept.slice(first)
  }
  return {
    get generation() {
      return generation
    },
    add(change) {
      generation += 1
      if (change === 'everything') kept = []
      else kept.push(change)
      rows = change === 'everything' ? 0 : rows + change.length
      if (kept.length > 2 * maxKept || rows > 2 * maxRows) cut()
    },
    concern(reads, since) {
      const first = kept.length - (generation - since)
      if (first < 0) return true
      return kept.slice(first).some((change) => reads.concernedBy(change))
    },
  }
}

/**
 * The effect on pages of a change in an area: on rows that they may have read, on what every page shows, or on nothing that they
 * show.
 */
const byArea: Readonly<Record<Area, 'rows' | 'everything' | 'nothing'>> = {
  content: 'rows',
  identity: 'rows',
  terms: 'rows',
  settings: 'everything',
  types: 'everything',
  themes: 'everything',
  plugins: 'everything',
  skills: 'nothing',
  proposals: 'nothing',
}

/**
 * Returns the change that a commit of this process made. @param raised the areas whose counters it raised, for other reasons than
 * these records too
 */
export function changeOf(raised: Iterable<Area>, records: readonly RowChange[], stale: readonly Area[] = []): SiteChange {
  const recorded = new Set(records.map(({ kind }) => kinds[kind].area))
  const changed = new Set([...raised, ...recorded])
  if ([...changed].some((area) => byArea[area] === 'everything')) return 'everything'
  const unknown = [...changed].filter((area) => stale.includes(area) || !recorded.has(area))
  return [...changedRows(records), ...changedAreas(unknown)]
}

/** Returns the change that another process made in an area. @param rows undefined if they aren't known */
export function changeIn(area: Area, rows?: readonly ChangedRow[]): SiteChange {
  const meaning = byArea[area]
  if (meaning === 'everything') return 'everything'
  return meaning === 'nothing' ? [] : (rows ?? changedAreas([area]))
}
