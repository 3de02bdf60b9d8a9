// The areas that changes of the site raised, with the latest generation of each. A kept value holds while none of its areas was raised
// after the generation at which it was computed. Values are compared when somebody asks for them, so a commit costs the same however
// many are kept.

import type { RowChange } from '../store/change.ts'
import { type Area, kinds } from '../store/kinds.ts'
import { areasChanged, type ChangedRow, changedTables, countersOf, type PageArea } from '../store/page-areas.ts'

/** Raised by every change. */
export const everyArea: PageArea = '*'

/** The areas that a change raises; `everything` where it concerns every page. */
export type SiteChange = readonly PageArea[] | 'everything'

export interface AreaVersions {
  readonly generation: number
  /** Begins a generation. */
  raise(change: SiteChange): void
  /** True if one of these areas was raised after a generation. */
  isRaised(areas: Iterable<PageArea>, since: number): boolean
}

/** At twice this number, the areas that were raised longest ago are forgotten, and count as raised then. */
const maxAreas = 5000

export function createAreaVersions(): AreaVersions {
  /** The generation at which each area was last raised; the oldest first. */
  const raised = new Map<PageArea, number>()
  /** The latest generation of which areas were forgotten. */
  let forgotten = 0
  let generation = 0
  const raiseOne = (area: PageArea) => {
    raised.delete(area)
    raised.set(area, generation)
  }
  /** Many at once, because a map is slow to find its first member after those before it were deleted. */
  const forgetOldest = () => {
    for (const [area, at] of raised) {
      if (raised.size <= maxAreas) break
      raised.delete(area)
      forgotten = at
    }
  }
  return {
    get generation() {
      return generation
    },
    raise(change) {
      generation += 1
      if (change === 'everything') {
        raised.clear()
        forgotten = generation
        return
      }
      for (const area of change) raiseOne(area)
      raiseOne(everyArea)
      if (raised.size > 2 * maxAreas) forgetOldest()
    },
    isRaised(areas, since) {
      if (since < forgotten) return true
      for (const area of areas) if ((raised.get(area) ?? 0) > since) return true
      return false
    },
  }
}

/** The pages that a change under a counter concerns: those that read its rows, all, or none. */
const meanings: Readonly<Record<Area, 'rows' | 'everything' | 'nothing'>> = {
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

const areasOfRows = (rows: readonly ChangedRow[]): readonly PageArea[] => rows.flatMap(areasChanged)

/**
 * The changes of a commit of this process.
 * @param raised the counters that it raised, for other reasons than these rows too
 * @param stale counters under which it changed more than these rows
 */
export function changeOf(
  raised: Iterable<Area>,
  rows: readonly ChangedRow[],
  records: readonly RowChange[],
  stale: readonly Area[],
): SiteChange {
  const told = new Set([...records.map(({ kind }) => kinds[kind].area), ...countersOf(rows)])
  const changed = new Set([...raised, ...told])
  if ([...changed].some((counter) => meanings[counter] === 'everything')) return 'everything'
  const unknown = [...changed].filter((counter) => stale.includes(counter) || !told.has(counter))
  return areasOfRows([...rows, ...changedTables(unknown)])
}

/** The changes of another process under a counter. @param rows undefined where they aren't known */
export function changeIn(counter: Area, rows: readonly ChangedRow[] = changedTables([counter])): SiteChange {
  return meanings[counter] === 'everything' ? 'everything' : areasOfRows(rows)
}
