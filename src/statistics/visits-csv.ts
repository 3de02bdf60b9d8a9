// Counts of visits as a file for spreadsheets, behind a signed link.

import { csvLine, plainCell } from '../base/csv.ts'
import type { Db } from '../store/core/database.ts'
import { type DayRange, readVisits, type VisitGroup, visitGroups } from './read-counts.ts'

const mark = 'visits:'

/** The table that a link is for. */
export interface VisitTable extends DayRange {
  readonly by: VisitGroup
}

/** The id of a table in a signed link. */
export const visitTableId = ({ by, from, to }: VisitTable): string => `${mark}${by}:${from}:${to}`

/** Returns the table of a signed link; undefined for a link to something else. */
export function visitTableOf(id: string): VisitTable | undefined {
  if (!id.startsWith(mark)) return undefined
  const [by, from = '', to = ''] = id.slice(mark.length).split(':')
  const group = visitGroups.find((one) => one === by)
  return group && { by: group, from, to }
}

/** The name of the download. */
export const visitTableFile = ({ by }: VisitTable): string => `visits-by-${by}.csv`

/** Returns `day,views,visitors` and a line for each day, or the same for another group. */
export async function visitsCsv(db: Db, { by, from, to }: VisitTable): Promise<string> {
  const rows = await readVisits(db, by, { from, to })
  const lines = rows.map(({ value, views, visitors }) => csvLine([plainCell(value), String(views), String(visitors)]))
  return csvLine([by, 'views', 'visitors']) + lines.join('')
}
