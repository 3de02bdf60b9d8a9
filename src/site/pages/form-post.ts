// A form that a visitor sent from a page: the page again with what is wrong and everything that was typed, or the page with thanks.
// Neither is kept.

import { askedFields, submitForm, type Submitted } from '../../actions/forms/submit-form.ts'
import { leaveFiles, noFiles, takeFiles, type TakenFiles } from '../../actions/forms/take-files.ts'
import { Failure } from '../../base/failure.ts'
import type { Services } from '../../actions/call/services.ts'
import { urlOf } from '../../content/entries/entry.ts'
import type { FilesRefusal, VisitorForm } from '../../doors/shared/read-visitor-form.ts'
import type { FormFilesFault } from '../../forms/form-fields.ts'
import { findForm } from '../../forms/form-store.ts'
import { readFormToken } from '../../forms/form-token.ts'
import { hiddenName } from '../../forms/spam.ts'
import { rateKey } from '../../http/addresses.ts'
import { HttpFailure } from '../../http/failure.ts'
import { html, redirect, type Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import { anonymous } from '../../identity/caller.ts'
import type { VisitorFormRow } from '../../store/core/schema.ts'
import { frameOf } from './frame.ts'
import { goneFormPage } from './gone-form-page.ts'
import { inTurn } from './link-turns.ts'
import { signUpSent, signUpThanks } from './newsletter-post.ts'
import { anchorOf, formNames, leftOver } from './page-data/forms.ts'
import { postedPage } from './posted-page.ts'
import { htmlHeaders } from './public-page.ts'

/** The query of the page with thanks. */
const sentName = 'sent'

/** The files of a form, as they were read. */
type SentFiles = Pick<VisitorForm, 'files' | 'leftOut'>

/** Takes a form of the site. @returns undefined if there is no such form, and no page of this site had it */
export async function takeForm(
  site: Services,
  request: Request,
  fields: URLSearchParams,
  sent?: SentFiles,
): Promise<Reply | undefined> {
  const ref = fields.get(formNames.form) ?? ''
  const form = await findForm(site.store.read, ref)
  const busy = 'Too many forms come from this address at once. Try again in a moment.'
  if (form) return inTurn(`form ${rateKey(request.client)}`, () => answerForm(site, request, form, { fields, sent }), busy)
  const token = fields.get(formNames.token) ?? ''
  // Only a page of the site had such a token, so that nobody else can put words on a page of the site.
  const wasHere = readFormToken(site.key, ref, [], token, site.clock.now()) !== undefined
  return wasHere ? goneReply(site, request, leftOver([], fields)) : undefined
}

interface Sent {
  readonly fields: URLSearchParams
  readonly sent: SentFiles | undefined
}

async function answerForm(site: Services, request: Request, form: VisitorFormRow, { fields, sent }: Sent): Promise<Reply> {
  const now = site.clock.now()
  const home = site.config.POSTERN_HOME
  const textOf = (name: string) => fields.get(name) ?? ''
  const caller = anonymous('api', request.client)
  const asked = askedFields(form)
  const hidden = textOf(hiddenName(asked))
  const files = await filesOf(site, form, sent)
  let isKept = false
  let outcome: Submitted
  try {
    const given = { form, textOf, hidden, token: textOf(formNames.token), path: request.path, caller, files }
    outcome = await site.store.transaction((db) => submitForm(site, db, given, now)).catch(asWait)
    isKept = outcome.state === 'taken' && outcome.keepsFiles === true
  } finally {
    if (!isKept) await leaveFiles(home, files)
  }
  site.mail.ring()
  site.webhooks.wake()
  if (outcome.state !== 'taken') {
    const status = outcome.state === 'wait' ? 429 : 422
    const retry = outcome.state === 'wait' ? { 'retry-after': String(outcome.seconds) } : undefined
    const { refused } = files
    const hadFiles = sent !== undefined && (sent.files.length > 0 || sent.leftOut !== undefined)
    const state = { slug: form.slug, outcome, textOf, leftOver: leftOver(asked, fields), hadFiles, refused }
    const page = await postedPage(site, request, { form: state }, status, retry).catch(unlessMissing)
    // The page has the form no longer, or is gone itself, and the text would be lost.
    return page && shows(page, form) ? page : goneReply(site, request, leftOver([], fields))
  }
  const here = `${urlOf(request.basePath, request.path)}?${sentName}=${form.slug}#${anchorOf(form.slug)}`
  const thanks = form.thanks_page === null ? here : request.basePath + form.thanks_page
  return redirect(303, thanks, { 'cache-control': 'no-store' })
}

/** The faults of files that were left out while they arrived. Files that nobody asked for have none. */
const faultsOf: Readonly<Record<FilesRefusal, FormFilesFault | undefined>> = {
  many: 'form_files_many',
  large: 'form_files_large',
  full: 'form_files_full',
  unasked: undefined,
}

/** Takes the files of a form into the folder of their submission. A disk that refuses them is full. */
async function filesOf(site: Services, form: VisitorFormRow, sent: SentFiles | undefined): Promise<TakenFiles> {
  if (!sent) return noFiles
  const { leftOut, files } = sent
  const fault = leftOut && faultsOf[leftOut.why]
  if (leftOut && fault) return { ...noFiles, faults: { [leftOut.field]: fault } }
  try {
    return await takeFiles(site.config.POSTERN_HOME, form, files, site.clock.now())
  } catch (error) {
    site.log.warn('files of a form not stored', { form: form.slug, error })
    return { ...noFiles, faults: { [files[0]?.field ?? '']: 'form_files_full' } }
  }
}

/** A database that has too much to do loses nothing: the page comes back as it was filled in. @throws every other error */
function asWait(error: unknown): Submitted {
  if (error instanceof Failure && error.code === 'unavailable') return { state: 'wait', seconds: error.detail.retry_after ?? 1 }
  throw error
}

/** The page with thanks for a form or a sign-up; undefined for every other request. */
export async function findThanks(site: Services, request: Request): Promise<Reply | undefined> {
  const slug = request.query.get(sentName)
  if (slug === null || slug === '' || slug.length > 100) return undefined
  const busy = 'This page is busy. Try again in a moment.'
  if (slug === signUpSent) return inTurn(`thanks ${rateKey(request.client)}`, () => signUpThanks(site, request), busy)
  const form = await findForm(site.store.read, slug)
  if (!form || form.slug !== slug) return undefined
  const thanks = { form: { slug, outcome: { state: 'taken' }, textOf: () => '' } } as const
  return inTurn(`thanks ${rateKey(request.client)}`, () => postedPage(site, request, thanks, 200), busy)
}

const unlessMissing = (error: unknown): undefined => {
  if (!(error instanceof HttpFailure) || error.code !== 'not_found') throw error
}

const shows = ({ body }: Reply, { slug }: VisitorFormRow): boolean =>
  body !== undefined && 'bytes' in body && Buffer.from(body.bytes).includes(`id="${anchorOf(slug)}"`)

function goneReply(site: Services, request: Request, texts: readonly string[]): Reply {
  const page = goneFormPage(frameOf(site, request), request.path, texts)
  return html(410, page, { ...htmlHeaders, 'cache-control': 'no-store' })
}
