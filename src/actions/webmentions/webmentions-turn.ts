// The queue of webmentions, as recurring work: one process at a time has the turn, so a row needs no claim of its own.

import type { Recurring } from '../../jobs/recurring.ts'
import { liveRevision } from '../../content/entries/pending.ts'
import { settleWebmention, takeDue } from '../../content/webmentions/webmention-store.ts'
import type { WebmentionRow } from '../../store/core/schema.ts'
import { delayAfter, readRetryAfter } from '../../webhooks/schedule.ts'
import type { Services } from '../call/services.ts'
import { findPublicEntryOf } from './public-entry.ts'
import { lookForLinks, sendWebmention } from './send-webmention.ts'
import { type MentionTry, verifyWebmention } from './verify-webmention.ts'

/** The most webmentions of one turn. The rest has the next. */
const perTurn = 50
/** The tries of one that came. Its sender can say it again. */
const triesOfIncoming = 4
/** A try whose process ended is repeated after this time. */
const againMs = 5 * 60_000

/** The turn, every minute; none while webmentions are off. */
export const webmentionsTurn = (site: Services): readonly Recurring[] => {
  const { webmentions, webmentions_send: sends } = site.settings.values
  if (!webmentions && !sends) return []
  return [{ name: 'webmentions', call: 'SVC_Comments.list', everyMs: 60_000, run: (signal) => runWebmentions(site, signal) }]
}

/** Does what is due. */
export async function runWebmentions(site: Services, signal: AbortSignal): Promise<{ readonly tried: number }> {
  if (site.settings.values.webmentions_send) await lookForLinks(site)
  for (let tried = 0; ; tried++) {
    if (tried === perTurn || signal.aborted) return { tried }
    const mention = await takeDue(site.store, site.clock.now(), againMs)
    if (!mention) return { tried }
    const done =
      mention.direction === 'in' ? await verifyWebmention(site, mention, signal) : await sendWebmention(site, mention, signal)
    // A try that the stop cut off is not the fault of the other site.
    if (signal.aborted) return { tried }
    await settle(site, mention, done)
  }
}

async function settle(site: Services, mention: WebmentionRow, done: MentionTry): Promise<void> {
  const { id, tries, direction, entry_id: entryId } = mention
  const status = done.status ?? null
  const db = site.store.write
  if (done.state !== 'again') {
    const entry = direction === 'out' ? await findPublicEntryOf(site, entryId) : undefined
    const told = { revision: entry ? liveRevision(entry) : null }
    return settleWebmention(db, id, { state: done.state, next_at: null, status, note: done.note ?? null, ...told })
  }
  const now = site.clock.now()
  const delay =
    direction === 'in' && tries >= triesOfIncoming
      ? undefined
      : delayAfter(tries, { status, retryAfterMs: readRetryAfter(done.retryAfter, now) })
  const next = delay === undefined ? { state: 'failed', next_at: null } : { next_at: now + delay }
  await settleWebmention(db, id, { ...next, status, note: done.note })
}
