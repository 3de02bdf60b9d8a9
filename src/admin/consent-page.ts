// The question whether an app may come in, and its answer. It is asked every time, of whoever is signed in, and answered by a form alone:
// a link that somebody follows lets nobody in (attack 41). What is answered is what was shown, sealed, on this session, once (42, 43).

import { html, type Html } from '../doors/html.ts'
import { HttpFailure } from '../http/failure.ts'
import type { Reply } from '../http/reply.ts'
import type { Request } from '../http/request.ts'
import { lowerScope, type Scope, scopes } from '../identity/caller.ts'
import { seal, unseal } from '../identity/sealed.ts'
import { hasAccount } from '../identity/set-up.ts'
import type { Services } from '../actions/services.ts'
import type { AuthorizeRequest } from '../oauth/authorize-request.ts'
import { denyLocation, issueCode } from '../oauth/consent.ts'
import { newId } from '../store/ids.ts'
import { type Choice, radioField } from './fields.ts'
import { csrfField, readFields } from './form.ts'
import { framed } from './layout.ts'
import { adminPaths, linkTo } from './paths.ts'
import { pageReply, sendAway } from './reply.ts'
import { signInReply } from './sign-in-page.ts'
import { openVisit, type SignedIn, type Visit } from './visit.ts'

const purpose = 'consent'
/** How long a page may lie there before it is answered. */
const ttlMs = 10 * 60_000

/** What was asked, and of whom. */
interface Question {
  readonly id: string
  readonly session: string
  readonly request: AuthorizeRequest
  /** The most that can be granted. */
  readonly most: Scope
  readonly expiresAt: number
}

/** Puts an app's request before its owner: the question, or first the sign-in, which leads back to it. */
export function createAskOwner(site: Services): (request: Request, asked: AuthorizeRequest) => Promise<Reply> {
  return async (request, asked) => {
    const visit = await openVisit(site, request)
    const { session } = visit
    if (session) return showConsent({ ...visit, session }, asked)
    if (!(await hasAccount(site.store.read))) return noOwner(visit)
    return signInReply(visit, {
      next: addressOf(asked),
      reason: html`<p>to connect <strong>${asked.redirectHost}</strong> to this site</p>`,
    })
  }
}

function noOwner(visit: Visit): Reply {
  const body = html`<section class="card">
    <h1>This site has no owner yet</h1>
    <p><a href="${linkTo(visit.request, adminPaths.home)}">Set it up</a> first, then go back to your app and connect again.</p>
  </section>`
  return pageReply(visit, 403, framed(visit, { title: 'No owner yet', kind: 'narrow', body }), { inPopUp: true })
}

/** The request anew, as the address that leads back to it after the sign-in. */
function addressOf({ clientId, redirectUri, state, codeChallenge, resource, scope }: AuthorizeRequest): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    resource,
    scope,
    ...(state === undefined ? {} : { state }),
  })
  return `${adminPaths.authorize}?${query.toString()}`
}

function showConsent(visit: SignedIn, asked: AuthorizeRequest): Reply {
  const { session, site, now } = visit
  const most = lowerScope(asked.scope, session.account.role as Scope)
  const question: Question = {
    id: newId(site.clock.now()),
    session: session.row.id,
    request: asked,
    most,
    expiresAt: now + ttlMs,
  }
  const body = questionForm(visit, asked, most, seal(site.key, purpose, question))
  return pageReply(visit, 200, framed(visit, { title: `Connect ${asked.redirectHost}?`, kind: 'narrow', body }), {
    inPopUp: true,
    formTarget: formTargetOf(asked.redirectUri),
  })
}

/** The redirect's host is larger than the client's name: the one was checked, the other is what it says of itself (attack 29). */
function questionForm({ request, site, session, holder }: SignedIn, asked: AuthorizeRequest, most: Scope, sealed: string): Html {
  const { redirectHost: host, clientName: name } = asked
  const choices = scopes.filter((scope) => lowerScope(scope, most) === scope).toReversed()
  return html`<section class="card consent">
    <h1><strong>${host}</strong> wants to connect to ${site.settings.values.site_title}</h1>
    <p>
      ${name === host ? 'It gives no other name.' : html`It calls itself <bdi>“${name}”</bdi>; anyone can say that.`}
      ${whereIs(host)} You are ${session.account.name} (${session.account.email}).
    </p>
    <form method="post" action="${linkTo(request, adminPaths.consent)}">
      ${csrfField({ site, holder }, purpose)}
      <input type="hidden" name="question" value="${sealed}" />
      ${radioField({ name: 'scope', label: 'It will be able to', value: most, choices: choices.map((scope) => scopeWords[scope]) })}
      <p class="help">
        For 30 days, or until you remove it under Connected Apps. What it does is recorded, and what it writes can be undone.
      </p>
      <p class="actions">
        <button class="primary" name="answer" value="allow">Connect</button>
        <button name="answer" value="deny">Cancel</button>
      </p>
    </form>
    <form method="post" action="${linkTo(request, adminPaths.signOut)}" class="aside">
      ${csrfField({ site, holder }, 'sign-out')}
      <input type="hidden" name="next" value="${addressOf(asked)}" />
      <button class="plain">Sign in as somebody else</button>
    </form>
  </section>`
}

function whereIs(host: string): string {
  if (/^(?:localhost|127\.|\[::1\])/.test(host)) return 'It runs on your own computer.'
  return host.includes('://')
    ? 'It is an app on your own device.'
    : `You will be sent to ${host}. Connect only if you came from there.`
}

/** What each scope lets an app do, in plain words. */
export const scopeWords: Readonly<Record<Scope, Choice>> = {
  admin: {
    value: 'admin',
    label: 'Run the whole site',
    help: 'Everything you can do: pages and posts, settings, accounts, tokens, other apps.',
  },
  content: {
    value: 'content',
    label: 'Read and write',
    help: 'See everything; create, change, publish and trash pages and posts. No settings, no accounts.',
  },
  read: { value: 'read', label: 'Only read', help: 'See everything, drafts too. Change nothing.' },
}

/**
 * What `form-action` must allow beside the site itself, since browsers hold the redirect after the form to it. Its grammar has no IPv6
 * address: there the scheme alone must do.
 * @see CSP 3 §2.3.1, §6.4.1
 */
function formTargetOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb && !host.startsWith('[') ? `${protocol}//${host}` : protocol
}

/** POST: away to the app, with a code or a no. */
export async function answerConsent(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, purpose)
  const { site, session, now } = visit
  // Whatever opens under this key was sealed here.
  const question = unseal(site.key, purpose, fields.get('question')) as Question | undefined
  if (question && question.session !== session.row.id) {
    throw new HttpFailure('forbidden', 'This question was put to somebody else. Nothing was connected.')
  }
  if (!question || question.expiresAt <= now || !(await takeQuestion(site, question, now))) {
    throw new HttpFailure(
      'malformed',
      'This question was answered already, or lay here too long: go back to your app and connect again.',
    )
  }
  const { request, most } = question
  const options = { inPopUp: true, formTarget: formTargetOf(request.redirectUri) }
  if (fields.get('answer') !== 'allow') return sendAway(visit, denyLocation(request), options)
  const scope = scopes.find((one) => one === fields.get('scope')) ?? 'read'
  const location = await issueCode(site, { request, account: session.account, scope: lowerScope(scope, most) })
  site.log.info('app allowed', { host: request.redirectHost, client: request.clientName, account: session.account.id })
  return sendAway(visit, location, options)
}

/** Takes a question out of use; false when it was answered before. */
async function takeQuestion({ store }: Services, { id, expiresAt }: Question, now: number): Promise<boolean> {
  return store.transaction(async (db) => {
    await db.deleteFrom('consent_answer').where('expires_at', '<=', now).execute()
    const taken = await db
      .insertInto('consent_answer')
      .values({ id, expires_at: expiresAt })
      .onConflict((on) => on.column('id').doNothing())
      .returning('id')
      .executeTakeFirst()
    return taken !== undefined
  })
}
