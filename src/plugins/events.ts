// Turns the rows that a commit changed into the events that plugins know.

import type { RowChange } from '../store/change/change.ts'
import type { EventAbout, PluginEvent } from './api.ts'

/** The events of a commit, in the order of its changes. @param now UTC milliseconds */
export function eventsOf(records: readonly RowChange[], now: number): readonly EventAbout[] {
  const at = new Date(now).toISOString()
  return records.flatMap((record) => namesOf(record).map((event) => ({ event, id: record.id, at })))
}

function namesOf({ kind, before, after }: RowChange): readonly PluginEvent[] {
  if (kind === 'setting') return ['settings.updated']
  if (kind !== 'entry') return []
  if (after === null) return ['entry.purged']
  const now = after['status']
  if (before === null) return now === 'published' ? ['entry.created', 'entry.published'] : ['entry.created']
  const was = before['status']
  // The record of an update holds only the columns that changed.
  if (was === undefined || was === now) return ['entry.updated']
  if (now === 'trash') return ['entry.deleted']
  if (was === 'trash') return ['entry.restored']
  if (now === 'published') return ['entry.published']
  return was === 'published' ? ['entry.unpublished'] : ['entry.updated']
}
