// The areas that kept values read, with the generation at which a change of the site last raised each. A kept value holds while none of
// its areas was raised after the generation at which it was computed. Values are compared when somebody asks for them, so a commit costs
// the same however many are kept. An area is known from before it is read until no value is kept that read it: what a commit changes and
// no page shows costs nothing more.

import type { RowChange } from '../store/change.ts'
import { type Area, kinds } from '../store/kinds.ts'
import { areasChanged, type ChangedRow, changedTables, countersOf, type PageArea } from '../store/page-areas.ts'

/** Raised by every change. */
export const everyArea: PageArea = '*'

/** The areas that a change raises; `everything` where it concerns every page. */
export type SiteChange = readonly PageArea[] | 'everything'

export interface AreaVersions {
  readonly generation: number
  /** The number of areas that are noted. */
  readonly size: number
  /** Begins a generation. */
  raise(change: SiteChange): void
  /** Begins the notes of a value. */
  note(): AreaNotes
}

/** The areas that a value reads. Each must be noted before it is read. */
export interface AreaNotes {
  readonly areas: ReadonlySet<NotedArea>
  add(name: PageArea): void
  /** Adds what another value read, from which this one is made. */
  addAll(others: AreaNotes): void
  /** True if an area was raised after a generation. */
  isRaised(since: number): boolean
  /** To be called once nobody keeps the value. The notes take no more areas then, and can still be added to others. */
  release(): void
}

interface NotedArea {
  readonly name: PageArea
  /** The generation of the latest change that raised it while it was noted. */
  raised: number
  /** The number of values that note it. */
  values: number
}

export function createAreaVersions(): AreaVersions {
  const noted = new Map<PageArea, NotedArea>([[everyArea, { name: everyArea, raised: 0, values: 1 }]])
  let generation = 0
  /** The generation of the latest change that raised all areas. */
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
        // What others noted may have been raised while nobody else did.
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
