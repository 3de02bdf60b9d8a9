// Serves one side of a comparison as a page (`actions/shared/compared-page.ts`), for the frames of the admin. Such a page runs no
// script, wherever it is opened, and is not cached or indexed. A forged, expired or foreign link answers 404.

import { comparedRows } from '../../actions/proposals/compared-rows.ts'
import { comparedPath, readCompared } from '../../actions/shared/compared-page.ts'
import type { Services } from '../../actions/call/services.ts'
import { Failure } from '../../base/failure.ts'
import { firstMark } from '../../content/markdown/first-mark.ts'
import { html } from '../../doors/shared/html.ts'
import { linkRequestOf } from '../../doors/shared/link-request.ts'
import { HttpFailure } from '../../http/failure.ts'
import type { Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import type { Route } from '../../http/route.ts'
import { callerOfAccount } from '../../identity/account-store.ts'
import type { Caller } from '../../identity/caller.ts'
import { openLink } from '../../identity/signed-link.ts'
import { findClosed } from './closed-page.ts'
import { frameOf } from './frame.ts'
import { inTurn } from './link-turns.ts'
import { previewReply } from './public-page.ts'

export function comparedRoute(site: Services): Route {
  return {
    path: `${comparedPath}:token`,
    slash: 'exact',
    letterCase: 'exact',
    methods: { GET: async (request, { token = '' }) => findClosed(site, request) ?? (await serve(site, request, token)) },
    door: 'site',
  }
}

const nothingHere = (): HttpFailure => new HttpFailure('not_found', 'There is no page here.')

async function serve(site: Services, request: Request, token: string): Promise<Reply> {
  const { key, store } = site
  const link = await openLink({ key, db: store.read }, 'compared', token, linkRequestOf(site, request))
  const caller = link && !link.isOver ? await findLooker(site, request, link.account) : undefined
  if (!link || !caller) throw nothingHere()
  const frame = frameOf(site, request)
  const [view, compared] = readCompared(link.id)
  const looking = { site, caller, origin: frame.origin, signal: request.signal, db: store.read, now: site.clock.now() }
  return inTurn(link.id, async () => {
    const { before, after } = await comparedRows(looking, compared).catch(asPageFailure)
    const row = view === 'before' ? before : (after ?? before)
    if (row === null) throw nothingHere()
    const since = view === 'marked' && after !== null ? (before ?? undefined) : undefined
    return withoutScript(withMarkStyle(await previewReply(frame, row, since)))
  })
}

/** The person who made the link, with the present role. */
async function findLooker({ store }: Services, request: Request, id: string | undefined): Promise<Caller | undefined> {
  if (id === undefined) return undefined
  const account = await store.read.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirst()
  return account && callerOfAccount(account, 'admin', request.client)
}

/** Whoever looks learns that the proposal has changed. @throws HttpFailure */
function asPageFailure(error: unknown): never {
  if (error instanceof Failure && error.code === 'conflict') throw new HttpFailure('not_found', error.message)
  if (error instanceof Failure && error.code === 'not_found') throw nothingHere()
  throw error
}

/** Colours for the marks that every theme shows alike. They differ by more than colour. */
const markStyle = html`<style>
  ins,
  del {
    padding: 0 0.1em;
    border-radius: 2px;
    color: #111 !important;
    box-decoration-break: clone;
  }
  ins {
    background: #bdf0c4 !important;
    text-decoration: underline 2px #14702a;
  }
  del {
    background: #ffd3d3 !important;
    text-decoration: line-through 2px #a3131f;
  }
  ins img {
    outline: 4px solid #14702a;
  }
  del img {
    outline: 4px dashed #a3131f;
    opacity: 0.6;
  }
  #${firstMark} {
    scroll-margin-block-start: 30vh;
  }
</style>`.toString()

function withMarkStyle(reply: Reply): Reply {
  if (!reply.body || !('bytes' in reply.body)) return reply
  const text = Buffer.from(reply.body.bytes).toString()
  const head = text.search(/<\/head>/i)
  const at = head < 0 ? 0 : head
  return { ...reply, body: { text: text.slice(0, at) + markStyle + text.slice(at) } }
}

/** The sandbox holds in a window of its own, too. Browsers refuse it together with an opener policy. */
function withoutScript({ headers: given, ...reply }: Reply): Reply {
  const { 'cross-origin-opener-policy': _opener, ...headers } = given
  const policy = `${String(headers['content-security-policy'])}; sandbox`
  return { ...reply, headers: { ...headers, 'content-security-policy': policy } }
}
