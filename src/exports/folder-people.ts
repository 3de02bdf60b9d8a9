// The calls that take back the authors, the comments and the subscribers of a folder, and the comments and members of old sites.

import { commentColumns, commentsName } from './comment-files.ts'
import { callsOf, changedRows, type PlannedCall, readCsvRows, readItems, type Sides, slugOf } from './folder-sides.ts'
import { keptPeopleColumns, keptPeopleNames } from './kept-people-files.ts'
import { subscriberColumns, subscribersName } from './subscriber-files.ts'

const authorsName = 'authors.yaml'
const rowsPerCall = 500

/** The slugs of authors that are here, or come with the folder. */
export const knownAuthors = (sides: Sides): ReadonlySet<string> =>
  new Set([sides.site, sides.folder].flatMap((side) => readItems(side, authorsName).map(slugOf)))

/** A profile that is here stays as it is, also where the folder has another text of it. */
export function authorCalls(sides: Sides): readonly PlannedCall[] {
  const here = new Set(readItems(sides.site, authorsName).map(slugOf))
  const authors = readItems(sides.folder, authorsName).filter((one) => !here.has(slugOf(one)))
  return callsOf('SVC_Import.put-people', 'authors', authors, authorsName, rowsPerCall)
}

/** A comment that is here stays as it is, and so does one that only the site has: visitors may have written it meanwhile. */
export function commentCalls(sides: Sides): readonly PlannedCall[] {
  const given = newRows(sides, commentsName).map((cells) => rowOf(commentColumns, cells))
  return callsOf('SVC_Import.put-comments', 'comments', given, commentsName, rowsPerCall)
}

/** A comment or member that only the site has stays: another import may have brought it. */
export const keptPeopleCalls = (sides: Sides): readonly PlannedCall[] =>
  (['comments', 'members'] as const).flatMap((kind) => {
    const path = keptPeopleNames[kind]
    const rows = changedRows(sides, path).map((cells) => rowOf(keptPeopleColumns[kind], cells))
    return callsOf('SVC_Import.put-people', kind, rows, path, rowsPerCall)
  })

/** An address that is here stays as it is: its owner may have unsubscribed since. */
export function subscriberCalls(sides: Sides): readonly PlannedCall[] {
  const given = newRows(sides, subscribersName).map((cells) => rowOf(subscriberColumns, cells))
  return callsOf('SVC_Import.put-people', 'subscribers', given, subscribersName, rowsPerCall)
}

/** The rows of a table whose first cell is in no row of the site. */
function newRows(sides: Sides, path: string): readonly (readonly string[])[] {
  const here = new Set(readCsvRows(sides.site, path).map(([key]) => key))
  return readCsvRows(sides.folder, path).filter(([key]) => !here.has(key))
}

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
