// The calls that take back the comments and members of old sites that a folder has.

import { callsOf, changedRows, type PlannedCall, type Sides } from './folder-sides.ts'
import { keptPeopleColumns, keptPeopleNames } from './kept-people-files.ts'

const rowsPerCall = 500

/** A comment or member that only the site has stays: another import may have brought it. */
export const keptPeopleCalls = (sides: Sides): readonly PlannedCall[] =>
  (['comments', 'members'] as const).flatMap((kind) => {
    const path = keptPeopleNames[kind]
    const rows = changedRows(sides, path).map((cells) => rowOf(keptPeopleColumns[kind], cells))
    return callsOf('SVC_Import.put-people', kind, rows, path, rowsPerCall)
  })

const required: ReadonlySet<string> = new Set(['name', 'html'])

/** Returns a row by the names of its columns. An empty cell is a value that is not there. */
const rowOf = (columns: readonly string[], cells: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    columns.flatMap((name, at): (readonly [string, unknown])[] => {
      const cell = cells[at] ?? ''
      if (name === 'approved' || name === 'subscribed') return [[name, cell === 'yes']]
      return cell === '' && !(required.has(name) && columns.includes('html')) ? [] : [[name, cell]]
    }),
  )
