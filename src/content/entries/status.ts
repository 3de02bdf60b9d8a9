// Computes the status and the two times of an entry after a caller sets some of them. A pure function.

import { invalid } from '../../base/failure.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import type { EntryStatus } from './entry.ts'

/** The status, and the times at which the entry becomes public and stops being public, in UTC milliseconds. */
export type Timing = Pick<EntryRow, 'status' | 'published_at' | 'unpublish_at'>

/** The timing in a call. An absent member stays; null clears. */
export interface TimingRequest {
  readonly status?: Exclude<EntryStatus, 'trash'> | undefined
  readonly published_at?: number | null | undefined
  readonly unpublish_at?: number | null | undefined
}

/** The timing of a new entry before the caller's values are applied. */
export const newTiming: Timing = { status: 'draft', published_at: null, unpublish_at: null }

/**
 * The timing to store. An entry that is published with a future `published_at` is scheduled. Publishing sets `published_at` if
 * there is none. An entry that leaves the public site loses its schedule, and keeps a past date.
 * @throws Failure `invalid` for `scheduled` without a future time, or an `unpublish_at` that is too early
 */
export function settleTiming(before: Timing, asked: TimingRequest, now: number): Timing {
  if (asked.status === undefined && asked.published_at === undefined && asked.unpublish_at === undefined) return timingOf(before)
  const endsSchedule = before.status === 'scheduled' && asked.published_at === null
  const status = asked.status ?? (endsSchedule ? 'draft' : before.status)
  return status === 'published' || status === 'scheduled' ? shownFrom(before, asked, now) : hidden(before, asked, status, now)
}

/** Only these three columns of a row, because the result is spread into a patch. */
const timingOf = ({ status, published_at, unpublish_at }: Timing): Timing => ({ status, published_at, unpublish_at })

function shownFrom(before: Timing, asked: TimingRequest, now: number): Timing {
  const wanted = asked.published_at === undefined ? before.published_at : asked.published_at
  // A file in git may still say `scheduled` with the time at which the entry has been published.
  const cameOut = before.status === 'published' && wanted === before.published_at
  if (asked.status === 'scheduled' && !cameOut && (wanted === null || wanted <= now)) {
    throw invalid('published_at', 'A scheduled entry needs a `published_at` that lies ahead.', 'a time in the future')
  }
  const from = wanted ?? now
  return {
    status: from > now ? 'scheduled' : 'published',
    published_at: from,
    unpublish_at: shownUntil(before, asked, Math.max(from, now)),
  }
}

function shownUntil(before: Timing, asked: TimingRequest, from: number): number | null {
  if (asked.unpublish_at === undefined) {
    const wasShown = before.status === 'published' || before.status === 'scheduled'
    return !wasShown && before.unpublish_at !== null && before.unpublish_at <= from ? null : before.unpublish_at
  }
  if (asked.unpublish_at === null || asked.unpublish_at > from) return asked.unpublish_at
  throw invalid('unpublish_at', '`unpublish_at` must lie ahead, and after `published_at`.', 'a later time, or null')
}

function hidden(before: Timing, asked: TimingRequest, status: string, now: number): Timing {
  const leaves = status !== before.status
  const planned = before.published_at !== null && before.published_at > now
  return {
    status,
    published_at: asked.published_at !== undefined ? asked.published_at : leaves && planned ? null : before.published_at,
    unpublish_at: asked.unpublish_at !== undefined ? asked.unpublish_at : leaves ? null : before.unpublish_at,
  }
}
