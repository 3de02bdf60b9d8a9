// The endpoint for webmentions, as the Recommendation of the W3C has it. The answer is always the same 202: the source is fetched
// later (`actions/webmentions/`), so that nobody learns from it what this server can reach.

import type { Services } from '../../actions/call/services.ts'
import { ownHostsOf } from '../../base/config.ts'
import { isQueueFull, maxMentionUrlChars, queueWebmention } from '../../content/webmentions/webmention-store.ts'
import { type Reply, text } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import type { Route } from '../../http/route.ts'
import { bucketName, countAttempt, keyedAddress, secondsUntil } from '../../identity/attempts.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { findClosed } from '../pages/closed-page.ts'
import { readFormFields } from '../pages/form-fields.ts'
import { type Frame, frameOf } from '../pages/frame.ts'
import { missingPage } from '../pages/make-page.ts'
import { findCommentedEntry } from './commented-page.ts'
import { webmentionEndpoint, webmentionPath } from './webmention-address.ts'

const maxFormBytes = 16 * 1024
/** The webmentions from one address in ten minutes, and those that wait at once. */
const perAddress = 30
const windowMs = 10 * 60_000
const maxWaiting = 1000

const noStore = { 'cache-control': 'no-store' }

export function webmentionRoute(site: Services): Route {
  return {
    path: webmentionPath,
    slash: 'exact',
    letterCase: 'exact',
    methods: {
      GET: () => {
        throw missingPage()
      },
      POST: async (request) => findClosed(site, request) ?? (await take(site, request)),
    },
    door: 'site',
  }
}

/** @throws HttpFailure `not_found` while webmentions are off */
async function take(site: Services, request: Request): Promise<Reply> {
  if (!site.settings.values.webmentions) throw missingPage()
  const fields = await readFormFields(request, maxFormBytes)
  const source = addressIn(fields, 'source')
  const target = addressIn(fields, 'target')
  if (!source || !target || source.href === target.href)
    return refused('"source" and "target" must be two addresses with http or https.')
  if (isOwn(site, request, source)) return refused('"source" must be a page of another site.')
  const entry = isOwn(site, request, target) ? await findTarget(frameOf(site, request), target, request.basePath) : undefined
  if (!entry) return refused('"target" must be a page of this site that takes webmentions.')
  const now = site.clock.now()
  const from = keyedAddress(site.key, 'senders of webmentions', request.client)
  const outcome = await site.store.transaction(async (db) => {
    const blockedUntil = await countAttempt(
      db,
      [{ name: bucketName('webmentions from', from), limit: perAddress }],
      now,
      windowMs,
    )
    if (blockedUntil !== undefined) return { seconds: secondsUntil(blockedUntil, now) }
    if (await isQueueFull(db, maxWaiting)) return { seconds: windowMs / 1000 }
    await queueWebmention(db, { direction: 'in', entry_id: entry.id, source: source.href, target: target.href }, now)
    return undefined
  })
  if (outcome)
    return text(429, 'Too many webmentions. Send it again later.\n', { ...noStore, 'retry-after': String(outcome.seconds) })
  return text(202, 'Accepted. The source is looked at later.\n', noStore)
}

const refused = (message: string): Reply => text(400, `${message}\n`, noStore)

function addressIn(fields: URLSearchParams, name: string): URL | undefined {
  const value = fields.get(name) ?? ''
  if (value.length > maxMentionUrlChars || !/^https?:\/\//i.test(value) || !URL.canParse(value)) return undefined
  const url = new URL(value)
  return url.username === '' && url.password === '' ? url : undefined
}

const isOwn = ({ config }: Services, request: Request, { host, hostname }: URL): boolean =>
  [request.host, ...(ownHostsOf(config) ?? [])].some((own) => own === host || own === hostname)

async function findTarget(frame: Frame, { pathname }: URL, basePath: string): Promise<EntryRow | undefined> {
  if (!pathname.startsWith(`${basePath}/`)) return undefined
  const place = decoded(pathname.slice(basePath.length))
  const entry = place === undefined ? undefined : await findCommentedEntry(frame, place)
  return entry && webmentionEndpoint(frame, entry) !== undefined ? entry : undefined
}

function decoded(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return undefined
  }
}
