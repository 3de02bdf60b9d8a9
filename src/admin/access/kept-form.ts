// A form that was submitted after its session had ended, or without the proof that it needs. A hidden field carries the values
// through the sign-in or the re-authentication. The form is then shown with a button that submits it again: nothing happens until
// the person presses it. The form keeps the token of the ended session. `checkFields` accepts that token only from the browser and
// the account that had the session, so nobody can be made to submit another person's form (attack 69).

import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import { isObject } from '../../base/json.ts'
import { type Fields, formOf, isFromThisSite, isUrlencoded, readForm } from '../form.ts'
import { framed } from '../layout.ts'
import { adminPaths, isAdminPage, linkTo } from '../paths.ts'
import { pageReply } from '../reply.ts'
import type { Visit } from '../visit.ts'

export interface KeptForm {
  /** The address of the form, with the query. */
  readonly path: string
  readonly fields: readonly (readonly [name: string, value: string])[]
}

/** The forms that are not carried: they contain secrets, or nothing that a person typed. */
const notKept: ReadonlySet<string> = new Set([
  adminPaths.password,
  adminPaths.authenticator,
  adminPaths.passkeys,
  adminPaths.confirm,
  adminPaths.recoveryCodes,
  adminPaths.removeFactor,
  adminPaths.endSessions,
  // The form without its passphrase would make a backup that anyone can read.
  adminPaths.backups,
  adminPaths.verifyBackup,
  adminPaths.backupsElsewhere,
  adminPaths.mail,
  adminPaths.configurePlugin,
  // The console has the fields of any action, and some of them are secrets.
  adminPaths.console,
])

/** The fields for a password or a code. A person who has just signed in needs neither. */
const secretFields: ReadonlySet<string> = new Set(['password', 'code'])

/** The most bytes of a carried form within a form of the sign-in: JSON of the longest kind of form. */
const maxKeptBytes = 768 * 1024

/**
 * The most bytes of a form of the sign-in. Only a browser that had a session has a form to carry, so a stranger may send no more
 * than usual.
 */
export const maxSignInBytes = ({ session, before }: Visit): number | undefined =>
  session || before !== undefined ? maxKeptBytes : undefined

/**
 * Reads the form that was submitted after its session had ended; undefined if it can't be carried, or if no session of this browser
 * has ended.
 */
export async function takeKeptForm({ request, before }: Visit): Promise<KeptForm | undefined> {
  if (before === undefined || !isFromThisSite(request) || !isUrlencoded(request)) return undefined
  return mayBeKept(request) ? kept(request, await readForm(request)) : undefined
}

/** Returns the form that was submitted to a page that needs re-authentication; undefined if it can't be carried. */
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

export const pathOf = ({ rawPath, query }: Visit['request']): string => rawPath + (query.size > 0 ? `?${query.toString()}` : '')

/** The hidden field that carries a form through the sign-in. */
export const keptField = (kept: KeptForm | undefined): HtmlValue =>
  kept && html`<input type="hidden" name="kept" value="${JSON.stringify(kept)}" />`

/** Reads that field. The browser may send anything; the form is checked when it is submitted again. */
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

/** The reason for the sign-in, for a person who submitted a form. */
export const keptReason = ({ t }: Visit): Html => html`<p class="notice warn" role="alert">${t('access.kept_reason')}</p>`

/** The page after sign-in or re-authentication: the typed values, and the button that submits them. */
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

/** The hidden fields of forms, which nobody has typed. */
const unseenFields: ReadonlySet<string> = new Set(['csrf', 'id', 'ids', 'key', 'revision', 'do'])
