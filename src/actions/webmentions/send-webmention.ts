// Tells the pages that an entry links to. Entries whose records are new are looked at: links that are new, and pages that were told
// of an earlier revision, are queued. Parts of an import tell nobody.

import { baseUrlText } from '../../base/config.ts'
import { errorMessage } from '../../base/error-message.ts'
import { Failure } from '../../base/failure.ts'
import { urlOf } from '../../content/entries/entry.ts'
import { liveRevision } from '../../content/entries/pending.ts'
import { endpointOfHeaders, readLinkingPage } from '../../content/webmentions/linking-page.ts'
import { listSent, maxMentionUrlChars, queueWebmention } from '../../content/webmentions/webmention-store.ts'
import type { Db } from '../../store/core/database.ts'
import type { WebmentionRow } from '../../store/core/schema.ts'
import { findFact, putFact } from '../../store/core/site-fact.ts'
import type { Services } from '../call/services.ts'
import { shownEntry } from '../content/shown-entry.ts'
import { findPublicEntryOf } from './public-entry.ts'
import { fetchPage, isPassing, pageTimeoutMs, type MentionTry } from './verify-webmention.ts'

const factName = 'webmentions_looked'
/** After a longer time without a look, sending was off, and what was published meanwhile is not told. */
const maxGapMs = 86_400_000
/** The most pages that an entry tells. */
const maxTargets = 50
/** The most records of a look. */
const atOnce = 500

/** The address of the site, which the receivers ask; undefined if the settings of the program don't have it. */
const originOf = ({ config: { POSTERN_BASE_URL: base } }: Pick<Services, 'config'>): string | undefined =>
  base && baseUrlText(base)

interface Looked {
  /** The latest record that was looked at. */
  readonly id: string
  readonly at: number
}

/** Queues what follows from the records since the last look. */
export async function lookForLinks(site: Services): Promise<void> {
  const { read, write } = site.store
  const now = site.clock.now()
  const fact = await findFact(read, factName)
  const last = fact === undefined ? undefined : (JSON.parse(fact) as Looked)
  if (!last || now - last.at > maxGapMs) {
    const newest = await read.selectFrom('activity').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
    return noteLook(write, { id: newest?.id ?? '', at: now })
  }
  const rows = await read
    .selectFrom('activity')
    .leftJoin('activity_object', (join) =>
      join.onRef('activity_object.activity_id', '=', 'activity.id').on('activity_object.kind', '=', 'entry'),
    )
    .select(['activity.id', 'activity.part_of', 'activity_object.object_id as entry'])
    .where('activity.id', '>', last.id)
    .orderBy('activity.id')
    .limit(atOnce)
    .execute()
  const entries = new Set(rows.flatMap(({ part_of: part, entry }) => (part === null && entry !== null ? [entry] : [])))
  for (const id of entries) await queueLinks(site, id)
  await noteLook(write, { id: rows.at(-1)?.id ?? last.id, at: now })
}

const noteLook = (db: Db, looked: Looked): Promise<void> => putFact(db, factName, JSON.stringify(looked))

async function queueLinks(site: Services, id: string): Promise<void> {
  const origin = originOf(site)
  if (origin === undefined) return
  const { write } = site.store
  const entry = await findPublicEntryOf(site, id)
  const sent = await listSent(site.store.read, id)
  const now = site.clock.now()
  if (!entry) {
    // Whoever was told learns that the page is gone, because it asks for it.
    for (const { source, target, state } of sent)
      if (state === 'done') await queueWebmention(write, { direction: 'out', entry_id: id, source, target }, now)
    return
  }
  const source = urlOf(origin, entry.path ?? '/')
  const { html } = await shownEntry(site, entry, origin)
  const links = [...readLinkingPage(html, source).links].filter((link) => isElsewhere(link, origin)).slice(0, maxTargets)
  const told = new Map(sent.map((row) => [row.target, row]))
  const revision = liveRevision(entry)
  for (const target of new Set([...links, ...sent.filter(({ state }) => state === 'done').map((row) => row.target)]))
    if (told.get(target)?.revision !== revision)
      await queueWebmention(write, { direction: 'out', entry_id: id, source, target }, now)
}

const isElsewhere = (link: string, origin: string): boolean =>
  /^https?:/.test(link) && link.length <= maxMentionUrlChars && new URL(link).host !== new URL(origin).host

/** Tells one page: finds its endpoint, and sends the two addresses. */
export async function sendWebmention(site: Services, mention: WebmentionRow, signal: AbortSignal): Promise<MentionTry> {
  if (!site.settings.values.webmentions_send) return { state: 'failed', note: 'Sending was turned off.' }
  const { source, target } = mention
  try {
    const page = await fetchPage(site, target, signal)
    if (isPassing(page.status)) return { state: 'again', status: page.status, note: `The page answered ${page.status}.` }
    const endpoint =
      endpointOfHeaders(page.headers['link'], page.url) ?? readLinkingPage(new TextDecoder().decode(page.body), page.url).endpoint
    if (endpoint === undefined) return { state: 'none', status: page.status }
    const { status, headers } = await site.outbound.fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Postern-Webmention' },
      body: new URLSearchParams({ source, target }).toString(),
      maxBytes: 64 * 1024,
      timeoutMs: pageTimeoutMs,
      signal,
    })
    if (status >= 200 && status < 300) return { state: 'done', status }
    const note = `The endpoint answered ${status}.`
    if (isPassing(status)) return { state: 'again', status, note, retryAfter: headers['retry-after']?.toString() }
    return { state: 'failed', status, note }
  } catch (error) {
    if (error instanceof Failure) return { state: 'again', note: errorMessage(error) }
    throw error
  }
}
