// Stretches of work: changes of one author with short pauses in between. An author is a person, or a token or app of that person.

import type { ActivityItem } from '../../actions/activity/record-item.ts'

/** A longer pause begins a new stretch. */
const maxPauseMs = 30 * 60_000

/** The changes of one author, newest first, at least one. */
export interface Stretch {
  readonly newest: ActivityItem
  readonly items: readonly ActivityItem[]
}

/**
 * Groups records, which are sorted from new to old. Stretches of several authors may overlap. The stretch with the newest change
 * comes first.
 */
export function stretchesOf(records: readonly ActivityItem[]): readonly Stretch[] {
  const stretches: ActivityItem[][] = []
  const current = new Map<string, ActivityItem[]>()
  for (const record of records) {
    const author = JSON.stringify([record.account, record.token, record.by])
    const items = current.get(author)
    const oldest = items?.at(-1)
    if (items && oldest && Date.parse(oldest.at) - Date.parse(record.at) <= maxPauseMs) items.push(record)
    else {
      const begun = [record]
      current.set(author, begun)
      stretches.push(begun)
    }
  }
  return stretches.flatMap((items) => (items[0] ? [{ newest: items[0], items }] : []))
}

/** The ids of the changes that can be undone, and are not undone yet. */
export const undoableIds = (items: readonly Pick<ActivityItem, 'id' | 'effect' | 'undone_by'>[]): readonly string[] =>
  items.filter(({ effect, undone_by: by }) => effect === 'write' && by === null).map(({ id }) => id)
