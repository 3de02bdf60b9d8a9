// A form that was sent after its session had ended, or without a proof that it needs. What was typed goes through the sign-in,
// or through the proof, in a hidden field. Then it is shown and offered to be sent again: nothing is done before the person
// says so. The form keeps the token of the ended session. `checkFields` takes that only from the browser and the account that
// had the session, so nobody can be made to send somebody else's form (attack 69).

import { html, type Html, type HtmlValue } from '../../doors/html.ts'
import type { Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import { isObject } from '../../json.ts'
import { type Fields, formOf, isFromThisSite, isUrlencoded, readForm } from '../form.ts'
import { framed } from '../layout.ts'
import { adminPaths, isAdminPage, linkTo } from '../paths.ts'
import { pageReply } from '../reply.ts'
import type { Visit } from '../visit.ts'

export interface KeptForm {
  /** Where it was sent, with the query. */
  readonly path: string
  readonly fields: readonly (readonly [name: string, value: string])[]
}

/** What these forms hold is secret, or it is nothing that somebody typed. */
const notKept: ReadonlySet<string> = new Set([
  adminPaths.password,
  adminPaths.authenticator,
  adminPaths.passkeys,
  adminPaths.confirm,
  adminPaths.recoveryCodes,
  adminPaths.removeFactor,
  adminPaths.endSessions,
  // Without its passphrase the form would make a backup that anyone can read.
  adminPaths.backups,
  adminPaths.verifyBackup,
  adminPaths.configurePlugin,
  // Its fields are those of any action, some of which take secrets.
  adminPaths.console,
])

/** Fields for a password or a code. Whoever has just signed in needs neither. */
const secretFields: ReadonlySet<string> = new Set(['password', 'code'])

/** A kept form in a form of the sign-in: JSON of a form of the longest kind. */
const maxKeptBytes = 768 * 1024

/** The most bytes of a form of the sign-in. Only a browser that had a session has a form to carry: a stranger may send no more than usual. */
export const maxSignInBytes = ({ session, before }: Visit): number | undefined =>
  session || before !== undefined ? maxKeptBytes : undefined

/** The form that somebody sent whose session has ended; undefined where it can't be kept, or no session of this browser has ended. */
export async function takeKeptForm({ request, before }: Visit): Promise<KeptForm | undefined> {
  if (before === undefined || !isFromThisSite(request) || !isUrlencoded(request)) return undefined
  return mayBeKept(request) ? kept(request, await readForm(request)) : undefined
}

/** The form that was sent to a page which asks for a proof first; undefined where it can't be kept. */
export function formUntilProof({ request }: Visit): KeptForm | undefined {
  const form = formOf(request)
  return form && mayBeKept(request) ? kept(request, form) : undefined
}

function mayBeKept(request: Request): boolean {
  const isNavigation = (request.header('sec-fetch-dest') ?? 'document') === 'document'
  return isNavigation && !notKept.has(request.path) && isAdminPage(pathOf(request))
}

function kept(request: Request, form: URLSearchParams): KeptForm | undefined {
  const path = pathOf(request)
  const asksForPassword = form.has('password')
  const fields = [...form].filter(([name]) => !(asksForPassword && secretFields.has(name)))
  return form.has('csrf') ? { path, fields } : undefined
}

/** The path of a request with its query. */
export const pathOf = ({ rawPath, query }: Visit['request']): string => rawPath + (query.size > 0 ? `?${query.toString()}` : '')

/** The hidden field that carries a form through the sign-in. */
export const keptField = (kept: KeptForm | undefined): HtmlValue =>
  kept && html`<input type="hidden" name="kept" value="${JSON.stringify(kept)}" />`

/** Reads that field. It may hold anything that a browser sends; the form itself is checked when it is sent again. */
export function readKept(fields: Fields): KeptForm | undefined {
  if (!fields.has('kept')) return undefined
  try {
    const kept: unknown = JSON.parse(fields.get('kept'))
    return isKept(kept) && isAdminPage(kept.path) ? kept : undefined
  } catch {
    return undefined
  }
}

function isKept(value: unknown): value is KeptForm {
  if (!isObject(value) || typeof value['path'] !== 'string' || !Array.isArray(value['fields'])) return false
  return (value['fields'] as readonly unknown[]).every(
    (pair) => Array.isArray(pair) && pair.length === 2 && pair.every((one) => typeof one === 'string'),
  )
}

/** Why somebody who sent a form gets the sign-in. */
export const keptReason = ({ t }: Visit): Html => html`<p class="notice warn" role="alert">${t('access.kept_reason')}</p>`

/** The page after the sign-in or the proof: what was typed, and the button that sends it. */
export function keptReply(visit: Visit, { path, fields }: KeptForm, cookies: readonly string[] = []): Reply {
  const { t, request } = visit
  const isSignIn = cookies.length > 0
  const title = t(isSignIn ? 'access.kept_title' : 'access.kept_proven_title')
  const typed = fields.filter(([name, value]) => !unseenFields.has(name) && value.trim() !== '')
  const body = html`<section class="card">
    <h1>${title}</h1>
    <p>${t(isSignIn ? 'access.kept_lead' : 'access.kept_proven')}</p>
    ${
      typed.length > 0 &&
      html`<dl class="kept">
        ${typed.map(
          ([name, value]) =>
            html`<div>
              <dt>${name}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
      </dl>`
    }
    <form method="post" action="${linkTo(request, path)}">
      ${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <p class="actions">
        <button class="primary">${t('access.kept_send')}</button>
        <a class="button" href="${linkTo(request, adminPaths.home)}">${t('access.kept_discard')}</a>
      </p>
    </form>
  </section>`
  return pageReply(visit, 200, framed(visit, { title, kind: 'narrow', body }), { cookies })
}

/** Hidden fields of forms, which nobody has typed. */
const unseenFields: ReadonlySet<string> = new Set(['csrf', 'id', 'ids', 'key', 'revision', 'do'])
