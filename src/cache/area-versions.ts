// The areas that cached values read, each with the generation in which it was last raised. A cached value is valid if none of its
// areas was raised after the generation in which the value was computed. Validity is checked when a value is read, so the cost of a
// commit does not depend on the number of cached values. An area is tracked only while a cached value or a running computation uses
// it.

import type { RowChange } from '../store/change/change.ts'
import { type Area, kinds } from '../store/change/kinds.ts'
import { areasChanged, type ChangedRow, changedTables, countersOf, type PageArea } from '../store/change/page-areas.ts'

/** The area that every change raises. */
export const everyArea: PageArea = '*'

/** The areas that a change raises, or `everything` if the change affects every page. */
export type SiteChange = readonly PageArea[] | 'everything'

export interface AreaVersions {
  readonly generation: number
  /** The number of tracked areas. */
  readonly size: number
  /** Begins a new generation and raises the areas of a change. */
  raise(change: SiteChange): void
  /** Begins an empty list of areas, for a value that is being computed. */
  note(): AreaNotes
}

/** The areas that a value reads. Each must be noted before it is read. */
export interface AreaNotes {
  readonly areas: ReadonlySet<NotedArea>
  add(name: PageArea): void
  /** Adds the areas of a value that this one contains. */
  addAll(others: AreaNotes): void
  /** True if one of the areas was raised after a generation. */
  isRaised(since: number): boolean
  /**
   * Ends tracking for a value that is no longer cached. Later `add` calls have no effect; `addAll` of other notes can still read
   * these.
   */
  release(): void
}

interface NotedArea {
  readonly name: PageArea
  /** The generation in which a change last raised the area while it was tracked. */
  raised: number
  /** The number of values that read it. */
  values: number
}

export function createAreaVersions(): AreaVersions {
  const noted = new Map<PageArea, NotedArea>([[everyArea, { name: everyArea, raised: 0, values: 1 }]])
  let generation = 0
  /** The generation of the latest change of everything. */
  let allRaised = 0

  const find = (name: PageArea): NotedArea => {
    const known = noted.get(name)
    if (known) return known
    const area = { name, raised: 0, values: 0 }
    noted.set(name, area)
    return area
  }
  const note = (): AreaNotes => {
    const areas = new Set<NotedArea>()
    let released = false
    const add = (name: PageArea, raised = 0): void => {
      if (released) return
      const area = find(name)
      area.raised = Math.max(area.raised, raised)
      if (!areas.has(area)) area.values += 1
      areas.add(area)
    }
    return {
      areas,
      add: (name) => add(name),
      addAll(others) {
        // These areas may have been raised while only the other value tracked them.
        for (const { name, raised } of others.areas) add(name, raised)
      },
      isRaised(since) {
        if (since < allRaised) return true
        for (const { raised } of areas) if (raised > since) return true
        return false
      },
      release() {
        if (released) return
        released = true
        for (const area of areas) {
          area.values -= 1
          if (area.values === 0) noted.delete(area.name)
        }
      },
    }
  }
  return {
    get generation() {
      return generation
    },
    get size() {
      return noted.size
    },
    raise(change) {
      generation += 1
      if (change === 'everything') allRaised = generation
      else
        for (const name of [everyArea, ...change]) {
          const area = noted.get(name)
          if (area) area.raised = generation
        }
    },
    note,
  }
}

/** The pages that a change of each counter affects: the pages that read its rows, all pages, or none. */
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
 * Returns the areas that a commit of this process raises.
 * @param raised all counters that the commit raised
 * @param stale counters of changes that `rows` and `records` don't contain
 */
export function changeOf(
  raised: Iterable<Area>,
  rows: readonly ChangedRow[],
  records: readonly RowChange[],
  stale: readonly Area[],
): SiteChange {
  const known = new Set([...records.map(({ kind }) => kinds[kind].area), ...countersOf(rows)])
  const changed = new Set([...raised, ...known])
  if ([...changed].some((counter) => meanings[counter] === 'everything')) return 'everything'
  const unknown = [...changed].filter((counter) => stale.includes(counter) || !known.has(counter))
  return areasOfRows([...rows, ...changedTables(unknown)])
}

/** Returns the areas that a commit of another process raises. @param rows undefined if the changed rows aren't known */
export function changeIn(counter: Area, rows: readonly ChangedRow[] = changedTables([counter])): SiteChange {
  return meanings[counter] === 'everything' ? 'everything' : areasOfRows(rows)
}
