// The consent question and its answer. It is asked every time, and only a form answers it: following a link grants nothing (attack
// 41). The question is sealed for this session, and can be answered once, as it was shown (attacks 42, 43). Its markup is in
// consent-question.ts.

import { html } from '../../doors/shared/html.ts'
import { HttpFailure } from '../../http/failure.ts'
import type { Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import { lowerScope, type AccountRole, type Scope, scopeOfRole } from '../../identity/caller.ts'
import { seal, unseal } from '../../identity/sealed.ts'
import { hasAccount } from '../../identity/set-up.ts'
import type { Services } from '../../actions/call/services.ts'
import type { AuthorizeRequest } from '../../doors/oauth/authorize-request.ts'
import { denyLocation, issueCode } from '../../doors/oauth/consent.ts'
import { destinationOf } from '../../doors/oauth/destination.ts'
import { newId } from '../../store/core/ids.ts'
import { nameOfApp, questionCard } from './consent-question.ts'
import { confirmPassword } from './confirm-password.ts'
import { presetsUpTo } from '../connections/presets.ts'
import { headingOf } from './destination-words.ts'
import { readFields } from '../form.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { sendAway } from '../reply.ts'
import { signInReply } from './sign-in-page.ts'
import { openVisit, type SignedIn, type Visit } from '../visit.ts'

const purpose = 'consent'
/** The lifetime of a question. */
const ttlMs = 10 * 60_000

/** The request of an app, and the session that may answer it. */
interface Question {
  readonly id: string
  readonly session: string
  readonly request: AuthorizeRequest
  /** The highest scope that the person can grant. */
  readonly most: Scope
  readonly expiresAt: number
}

/** Asks the owner about an app's request. A visitor who is not signed in signs in first, and then returns here. */
export async function askOwner(site: Services, request: Request, asked: AuthorizeRequest): Promise<Reply> {
  const visit = await openVisit(site, request)
  const { session } = visit
  if (session) return showConsent({ ...visit, session }, asked)
  if (!(await hasAccount(site.store.read))) return noOwner(visit)
  return signInReply(visit, {
    next: addressOf(asked),
    reason: html`<p>
      ${visit.t.rich('access.app_waits', {
        app: nameOfApp(visit, asked),
        destination: html`<strong>${headingOf(visit, destinationOf(asked.redirectUri))}</strong>`,
      })}
    </p>`,
  })
}

function noOwner(visit: Visit): Reply {
  const { t, request } = visit
  const link = html`<a href="${linkTo(request, adminPaths.home)}">${t('access.no_owner_link')}</a>`
  const body = html`<section class="card">
    <h1>${t('access.no_owner')}</h1>
    <p>${t.rich('access.no_owner_next', { link })}</p>
  </section>`
  return framedReply(visit, { title: t('access.no_owner_title'), kind: 'narrow', body }, { status: 403 }, { inPopUp: true })
}

/** The address that repeats the request after sign-in. */
function addressOf({ clientId, redirectUri, state, codeChallenge, resource, ...asked }: AuthorizeRequest): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    resource,
    ...(asked.scopeNamed ? { scope: asked.scope } : {}),
    ...(state === undefined ? {} : { state }),
  })
  return `${adminPaths.authorize}?${query.toString()}`
}

/** Shows the question. @param refused the result of a wrong password @param chosen the scope that the refused form chose */
function showConsent(visit: SignedIn, asked: AuthorizeRequest, refused: Refused = {}, chosen?: string): Reply {
  const { session, site, now } = visit
  const most = lowerScope(asked.scope, scopeOfRole(session.account.role as AccountRole))
  const question: Question = {
    id: newId(site.clock.now()),
    session: session.row.id,
    request: asked,
    most,
    expiresAt: now + ttlMs,
  }
  const sealed = seal(site.key, purpose, question)
  const body = questionCard(visit, asked, most, {
    purpose,
    sealed,
    next: addressOf(asked),
    passwordFault: refused.passwordFault,
    chosen,
  })
  const title = visit.t('access.connect_title', { destination: headingOf(visit, destinationOf(asked.redirectUri)) })
  const options = { inPopUp: true, formTarget: formTargetOf(asked.redirectUri) }
  return framedReply(visit, { title, kind: 'narrow', body }, refused, options)
}

/**
 * Returns what `form-action` must allow in addition to the site itself, because browsers apply it to the redirect after the form.
 * Its grammar has no IPv6 addresses, so for those the whole scheme is allowed.
 * @see CSP 3 §2.3.1, §6.4.1
 */
function formTargetOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb && !host.startsWith('[') ? `${protocol}//${host}` : protocol
}

/** POST: sends the browser back to the app, with a code or a denial. */
export async function answerConsent(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, purpose)
  const { site, session, now, t } = visit
  // Only this site can have sealed it.
  const question = unseal(site.key, purpose, fields.get('question')) as Question | undefined
  if (question && question.session !== session.row.id) {
    throw new HttpFailure('forbidden', t('access.question_other_session'))
  }
  // An app gets a token, so the person must re-authenticate. The question is then asked again, and is not used up.
  const isOpen = question !== undefined && question.expiresAt > now
  const refused = isOpen && fields.get('answer') === 'allow' ? await confirmPassword(visit, fields) : undefined
  if (isOpen && refused) return showConsent(visit, question.request, refused, fields.get('scope'))
  if (!question || question.expiresAt <= now || !(await takeQuestion(visit, question))) {
    throw new HttpFailure('malformed', t('access.question_expired'))
  }
  const { request, most } = question
  const options = { inPopUp: true, formTarget: formTargetOf(request.redirectUri) }
  if (fields.get('answer') !== 'allow') return sendAway(visit, denyLocation(request), options)
  const chosen = presetsUpTo('admin').find(({ value }) => value === fields.get('scope'))
  const scope = lowerScope(chosen?.scope ?? 'read', most)
  // With the scope `read`, a limit on writing has no effect.
  const limits = scope === 'read' ? {} : (chosen?.limits ?? {})
  const location = await issueCode(site, { request, account: session.account, scope, limits })
  const { redirectHost: host, clientName: client } = request
  site.log.info('app allowed', { host, client, scope, limits, account: session.account.id })
  return sendAway(visit, location, options)
}

/** The number of answered questions that are stored per person, each until it expires. */
const maxAnswered = 200

/** Uses up a question; returns false if it was answered before. @throws HttpFailure `rate_limited` */
async function takeQuestion({ site, session, now, t }: SignedIn, { id, expiresAt }: Question): Promise<boolean> {
  const owner = session.account.id
  return site.store.transaction(async (db) => {
    const { answered } = await db
      .selectFrom('consent_answer')
      .select((eb) => eb.fn.countAll<number>().as('answered'))
      .where('owner', '=', owner)
      .where('expires_at', '>', now)
      .executeTakeFirstOrThrow()
    if (answered >= maxAnswered) throw new HttpFailure('rate_limited', t('access.too_many_questions'), { 'retry-after': '60' })
    const taken = await db
      .insertInto('consent_answer')
      .values({ id, expires_at: expiresAt, owner })
      .onConflict((on) => on.column('id').doNothing())
      .returning('id')
      .executeTakeFirst()
    return taken !== undefined
  })
}
