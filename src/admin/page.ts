// The way from a request to the function of a page: who may open it, and how it calls actions. A page has no rights of its own. It
// calls actions as the person who is signed in.

import type { TObject } from 'typebox'
import {
  type ActionHandle,
  type AnswerOf,
  callAction,
  type CallResult,
  type FieldOf,
  type HandleOptions,
  type InputOf,
} from '../actions/call/call-action.ts'
import { callName } from '../actions/call/action.ts'
import { dispatch } from '../actions/call/dispatch.ts'
import type { Around } from '../actions/call/call.ts'
import type { ProgramServices, Services } from '../actions/call/services.ts'
import { countWaiting } from '../actions/proposals/proposal-item.ts'
import { accounts } from '../actions/accounts/index.ts'
import { proposals } from '../actions/proposals/index.ts'
import { bearerOf } from '../doors/shared/credential.ts'
import { baseOf } from '../doors/shared/paths.ts'
import { type Code, Failure } from '../base/failure.ts'
import { type HttpCode, HttpFailure } from '../http/failure.ts'
import type { Reply } from '../http/reply.ts'
import type { Request } from '../http/request.ts'
import type { Handler } from '../http/route.ts'
import { listUnguarded } from '../identity/second-factor-store.ts'
import { isUnproven } from '../identity/check-limits.ts'
import { askForProof } from './access/confirm-page.ts'
import { keptReason, pathOf, takeKeptForm } from './access/kept-form.ts'
import { signInReply } from './access/sign-in-page.ts'
import { mayRun } from './navigation.ts'
import { sentenceOf } from './failure.ts'
import { adminPaths } from './paths.ts'
import { wordsOf } from './words.ts'
import { checkFields } from './form.ts'
import { dataReply, goTo } from './reply.ts'
import { openVisit, type SignedIn, type Visit } from './visit.ts'

type Page<V extends Visit> = (visit: V) => Reply | Promise<Reply>

export function forAnyone(site: Services, page: Page<Visit>): Handler {
  return (request) => told(site, request, async () => page(await openVisit(site, request)))
}

/**
 * A page for people who are signed in. Other visitors are sent to the sign-in page, and then back. No token opens a page (attack
 * 127).
 */
export function forSignedIn(site: Services, page: Page<SignedIn>): Handler {
  return (request) => told(site, request, async () => openSignedIn(await openVisit(site, request), page))
}

/**
 * An address for the script of a page. The answer is always JSON and never a form, so no answer contains a token that the script of
 * a public page could use.
 * @param purpose of a form of the page. A GET sends the token of that form in the header `x-csrf`, which public pages don't know. A
 * POST sends it as a field.
 */
export function forScript(site: Services, answer: Page<SignedIn>, purpose?: string): Handler {
  return (request) =>
    told(site, request, async () => {
      const visit = await openVisit(site, request)
      const { session, t } = visit
      if (!session) return dataReply(visit, 403, { signed_out: true, message: t('shell.not_signed_in') })
      if (purpose !== undefined) checkFields(visit, purpose, new Map([['csrf', request.header('x-csrf') ?? '']]))
      return answer({ ...visit, session })
    })
}

/**
 * Shows a page to a person who is signed in, with the facts that every page shows: the number of waiting proposals, and the
 * accounts that lost a second factor.
 */
export async function asSignedIn(visit: SignedIn, page: Page<SignedIn>): Promise<Reply> {
  const { site, now } = visit
  const whole = {
    ...visit,
    waiting: mayRun(visit, proposals.approve) ? await countWaiting(site.store.read) : 0,
    unguarded: mayRun(visit, accounts.reset) ? await listUnguarded(site.store.read, now) : [],
  }
  try {
    return await page(whole)
  } catch (error) {
    if (isProofNeeded(error)) return askForProof(whole)
    throw error
  }
}

async function openSignedIn(visit: Visit, page: Page<SignedIn>): Promise<Reply> {
  const { session, request } = visit
  if (session) return asSignedIn({ ...visit, session }, page)
  if (bearerOf(request.header('authorization')) !== undefined) {
    throw new HttpFailure('forbidden', visit.t('shell.no_tokens'))
  }
  const here = pathOf(request)
  if (request.method === 'POST') {
    const kept = await takeKeptForm(visit)
    if (!kept) throw new HttpFailure('forbidden', visit.t('shell.not_signed_in'))
    return signInReply(visit, { next: adminPaths.home, status: 403, reason: keptReason(visit), kept })
  }
  return goTo(visit, `${adminPaths.signIn}?next=${encodeURIComponent(here)}`)
}

async function told({ log }: ProgramServices, request: Request, run: () => Promise<Reply>): Promise<Reply> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { id, path } = request
    // The failure of an action is already in the log and has the reference of its line.
    const isNew = error.cause !== undefined && error.detail.reference === undefined
    if (isNew) log.warn('page unavailable', { reference: id, door: 'admin', path, error })
    const failure = isNew ? new Failure(error.code, error.message, { ...error.detail, reference: id }) : error
    throw new HttpFailure(httpCodes[error.code] ?? 'malformed', sentenceOf(failure, wordsOf(request)), undefined, {
      retryAfterSeconds: error.detail.retry_after,
      cause: error,
    })
  }
}

const httpCodes: Readonly<Partial<Record<Code, HttpCode>>> = {
  not_found: 'not_found',
  unknown_action: 'forbidden',
  refused: 'forbidden',
  rate_limited: 'rate_limited',
  failed: 'failed',
  unavailable: 'unavailable',
}

/**
 * Thrown if an action needs proof that the person is present (attack 128). The visitor then sees the page for re-authentication,
 * which carries the form.
 */
class ProofNeeded extends Error {}

export const isProofNeeded = (error: unknown): boolean => error instanceof ProofNeeded

/**
 * Turns a failure for missing proof into `ProofNeeded`. Every call runs this check, so no page can forget it.
 * @throws ProofNeeded
 */
export function checkProven(failure: Failure | undefined): void {
  if (failure && isUnproven(failure)) throw new ProofNeeded()
}

/** Runs an action as the visitor. */
export async function run<I extends TObject, O extends TObject, const Field extends FieldOf<O> = never>(
  visit: Visit,
  action: ActionHandle<I, O>,
  input: InputOf<I>,
  options: HandleOptions<Field> = {},
  around: Pick<Around, 'autosave' | 'longAnswer'> = {},
): Promise<CallResult<AnswerOf<O, Field>>> {
  const { site, caller, request } = visit
  const origin = baseOf(request)
  const result = await callAction(site, caller, action, input, options, { origin, signal: request.signal, ...around })
  checkProven(result.failure)
  return result
}

/**
 * Starts an action that may take long, without waiting for its end.
 * @returns the id of its job; `{}` if the action finished at once
 */
export async function start<I extends TObject, O extends TObject>(
  visit: Visit,
  action: ActionHandle<I, O>,
  input: InputOf<I>,
): Promise<{ readonly job?: string; readonly failure?: Failure }> {
  const { site, caller, request } = visit
  const call = { name: callName(action), input: input as Readonly<Record<string, unknown>>, options: {} }
  const outcome = await dispatch(site, caller, call, { origin: baseOf(request), jobWaitMs: 0 })
  if (!outcome.ok) checkProven(outcome.failure)
  if (!outcome.ok) return outcome
  const { job } = outcome.data.parse() as { readonly job?: { readonly id: string } }
  return job ? { job: job.id } : {}
}

/** Runs an action that the page cannot do without. @throws Failure */
export async function get<I extends TObject, O extends TObject, const Field extends FieldOf<O> = never>(
  visit: Visit,
  action: ActionHandle<I, O>,
  input: InputOf<I>,
  options: HandleOptions<Field> = {},
  around: Pick<Around, 'longAnswer'> = {},
): Promise<AnswerOf<O, Field>> {
  const { data, failure } = await run(visit, action, input, options, around)
  if (failure === undefined) return data
  throw failure.code === 'unknown_action' ? notYours(visit) : failure
}

/** The failure of a page whose actions the visitor may not run. */
export const notYours = ({ t }: Visit): HttpFailure => new HttpFailure('forbidden', t('shell.not_yours'))
