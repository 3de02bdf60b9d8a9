// A webmention that came: its source is fetched through the guard, and must link to the page. Then it is a comment that waits,
// always. A source that has changed changes its comment, which waits again; one that is gone takes its comment away (attack 171).

import type { Transaction } from 'kysely'
import { findPublicEntryOf } from './public-entry.ts'
import { errorMessage } from '../../base/error-message.ts'
import { Failure } from '../../base/failure.ts'
import { takesComments } from '../../content/comments/comment-rules.ts'
import { maxPageBytes, type LinkingPage, readLinkingPage } from '../../content/webmentions/linking-page.ts'
import { anonymous, system } from '../../identity/caller.ts'
import type { OutboundAnswer } from '../../outbound/outbound.ts'
import { createChange } from '../../store/change/change.ts'
import { newId } from '../../store/core/ids.ts'
import type { CommentRow, EntryRow, Schema, WebmentionRow } from '../../store/core/schema.ts'
import { authorOf, commit, type Commit } from '../call/commit.ts'
import type { Services } from '../call/services.ts'
import { noteArrival } from '../comments/note-arrival.ts'

export const pageTimeoutMs = 10_000

/** The outcome of one try. */
export type MentionTry =
  | { readonly state: 'done' | 'gone' | 'none' | 'failed'; readonly note?: string; readonly status?: number | null }
  | { readonly state: 'again'; readonly note: string; readonly status?: number | null; readonly retryAfter?: string | undefined }

/** Fetches a page of another site. */
export const fetchPage = ({ outbound }: Pick<Services, 'outbound'>, url: string, signal: AbortSignal): Promise<OutboundAnswer> =>
  outbound.fetch(url, {
    headers: { accept: 'text/html', 'user-agent': 'Postern-Webmention' },
    maxBytes: maxPageBytes,
    timeoutMs: pageTimeoutMs,
    signal,
  })

/** True for an answer that may be another one later. */
export const isPassing = (status: number): boolean => status >= 500 || status === 408 || status === 429

export async function verifyWebmention(site: Services, mention: WebmentionRow, signal: AbortSignal): Promise<MentionTry> {
  const { values } = site.settings
  const entry = await findPublicEntryOf(site, mention.entry_id)
  if (!entry || !values.webmentions || !takesComments(values, entry))
    return { state: 'failed', note: 'The page takes no webmentions any more.' }
  let answer: OutboundAnswer
  try {
    answer = await fetchPage(site, mention.source, signal)
  } catch (error) {
    if (error instanceof Failure) return { state: 'again', note: errorMessage(error) }
    throw error
  }
  const { status } = answer
  if (isPassing(status)) return { state: 'again', status, note: `The source answered ${status}.` }
  const isThere = status >= 200 && status < 300
  if (!isThere && status !== 404 && status !== 410) return { state: 'failed', status, note: `The source answered ${status}.` }
  const page = isThere && isHtml(answer) ? readLinkingPage(new TextDecoder().decode(answer.body), answer.url) : undefined
  if (!page?.links.has(new URL(mention.target).href)) {
    await takeAway(site, mention)
    return { state: 'gone', status, note: 'The source does not link to the page.' }
  }
  await put(site, entry, mention, page)
  return { state: 'done', status }
}

const isHtml = ({ headers }: OutboundAnswer): boolean =>
  /^(?:text\/html|application\/xhtml\+xml)\b/i.test(String(headers['content-type'] ?? ''))

const call = 'SVC_Comments.moderate'

async function findMention(db: Transaction<Schema>, { entry_id: entry, source }: WebmentionRow): Promise<CommentRow | undefined> {
  return db
    .selectFrom('comment')
    .selectAll()
    .where('entry_id', '=', entry)
    .where('source', '=', 'webmention')
    .where('website', '=', source)
    .executeTakeFirst()
}

async function put(site: Services, entry: EntryRow, mention: WebmentionRow, page: LinkingPage): Promise<void> {
  const now = site.clock.now()
  const { host } = new URL(mention.source)
  const said = { name: page.author ?? host, body: page.said === '' ? mention.source : page.said }
  await commit(site, call, async (open) => {
    const { db } = open
    const before = await findMention(db, mention)
    if (!before) {
      const about = { entry_id: entry.id, parent_id: null, account_id: null, email: null, confirmed_at: null }
      const times = { created_at: now, updated_at: now, revision: 1 }
      const row = { id: newId(now), ...about, ...said, website: mention.source, source: 'webmention', state: 'pending', ...times }
      await db.insertInto('comment').values(row).execute()
      noteArrival(site, db, row, entry, anonymous('api', ''), now)
      open.afterCommit(() => site.webhooks.wake())
      return
    }
    if (before.name === said.name && before.body === said.body) return
    if (before.state === 'approved')
      return recordFor(open, now, 'A webmention changed at its source, and waits again.', async (change) => {
        await change.update('comment', before, { ...said, state: 'pending' })
      })
    await db
      .updateTable('comment')
      .set({ ...said, revision: before.revision + 1 })
      .where('id', '=', before.id)
      .execute()
  })
}

/** Removes the comment of a source that is gone. One that nobody approved needs no record; spam and the trash stay as they are. */
async function takeAway(site: Services, mention: WebmentionRow): Promise<void> {
  const now = site.clock.now()
  await commit(site, call, async (open) => {
    const before = await findMention(open.db, mention)
    if (before?.state === 'pending') await open.db.deleteFrom('comment').where('id', '=', before.id).execute()
    if (before?.state === 'approved')
      await recordFor(open, now, 'A webmention is gone at its source.', async (change) => {
        await change.remove('comment', before)
      })
  })
}

async function recordFor(
  { db, record }: Commit,
  now: number,
  summary: string,
  run: (change: ReturnType<typeof createChange>) => Promise<void>,
): Promise<void> {
  const change = createChange(db, { now, author: authorOf(system, call) })
  await run(change)
  const runs = [{ name: call, tier: 'content', effect: 'write' }] as const
  record({ id: newId(now), call, runs, summary, caller: system, input: {}, records: change.records, now })
}
