// The forms of a page: one form per action, and the function that takes it. A hidden field `do`, or the pressed button, says which
// action.

import { cutText } from '../../base/cut-text.ts'
import { attribute, html, type Html, type HtmlValue, raw } from '../../doors/shared/html.ts'
import { Failure } from '../../base/failure.ts'
import { HttpFailure } from '../../http/failure.ts'
import type { Reply } from '../../http/reply.ts'
import { sentenceOf } from '../failure.ts'
import { csrfField, type Fields, readFields } from '../form.ts'
import type { Refused } from '../framed-reply.ts'
import { linkTo } from '../paths.ts'
import type { SignedIn, Visit } from '../visit.ts'
import type { Words } from '../words.ts'

export interface PostForm {
  /** A path of `adminPaths`. */
  readonly path: string
  /** The purpose in the token, which `readFields` checks; by default the path without its query. */
  readonly purpose?: string
  readonly hidden?: Readonly<Record<string, string | number | undefined>>
  readonly body: HtmlValue
  readonly id?: string
  readonly className?: string
  /** True for forms with files. */
  readonly multipart?: boolean
  /** True if the page tells of values that are not saved (`scripts/unsaved.ts`). */
  readonly unsaved?: boolean
}

export const postForm = (
  visit: Visit,
  { path, purpose = pathIn(path), hidden = {}, body, id, className, multipart, unsaved }: PostForm,
): Html =>
  html`<form
    method="post"
    action="${linkTo(visit.request, path)}"
    ${attribute('id', id)}
    ${attribute('class', className)}
    ${multipart ? raw('enctype="multipart/form-data"') : ''}
    ${unsaved ? raw('data-unsaved') : ''}
  >
    ${csrfField(visit, purpose)} ${hiddenFields(hidden)} ${body}
  </form>`

/** A path without its query. */
const pathIn = (path: string): string => path.replace(/\?.*/s, '')

export const hiddenFields = (values: Readonly<Record<string, string | number | undefined>>): Html =>
  html`${Object.entries(values).map(
    ([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}" />`,
  )}`

/** Handles a form. A failure is the refusal of its page. */
export type Work = (visit: SignedIn, fields: Fields) => Promise<Reply | Failure>

/** Shows the page of a form again, after its refusal. */
export type Again = (visit: SignedIn, refused: Refused & { readonly fields: Fields }) => Reply | Promise<Reply>

/**
 * Returns the handler for the forms of a page.
 * @param purpose in the token
 * @param works by the value of `do`, or one work for every form
 * @param again for works that return a failure
 * @param maxBytes of the form, if it has longer fields than usual
 */
export function formTaker(
  purpose: string,
  works: Readonly<Record<string, Work>> | Work,
  again?: Again,
  maxBytes?: number,
): (visit: SignedIn) => Promise<Reply> {
  return async (visit) => {
    const fields = await readFields(visit, purpose, maxBytes)
    const name = fields.get('do')
    const work = typeof works === 'function' ? works : Object.hasOwn(works, name) ? works[name] : undefined
    if (!work) throw new HttpFailure('malformed', visit.t('parts.form_says_nothing'))
    const done = await work(visit, fields).catch(refusalOf)
    if (!(done instanceof Failure)) return done
    if (!again) throw done
    return again(visit, { fields, failure: done })
  }
}

/** Returns a failure about a value in the form, which its page shows. @throws anything else */
function refusalOf(error: unknown): Failure {
  if (error instanceof Failure && error.code === 'invalid') return error
  throw error
}

/**
 * Returns the revision that the form was filled in for; 0 if the object is not stored yet.
 * @throws Failure `invalid` for a text that is not a revision
 */
export function revisionIn(fields: Fields): number {
  const text = fields.get('revision')
  if (/^\d{0,15}$/.test(text)) return Number(text)
  const message = `"revision" must be a whole number; it is "${cutText(text, 40)}". Open the page again and repeat the change.`
  throw new Failure('invalid', message, { field: 'revision' })
}

/** Returns the options of a call on the object of a form. The call fails if the object has changed since the form was shown. */
export function sinceShown(fields: Fields): { readonly ifRevision?: number } {
  const revision = revisionIn(fields)
  return revision === 0 ? {} : { ifRevision: revision }
}

/** The faults of a form. */
export interface FormFaults {
  /** Returns the fault of a field. */
  at(name: string): string | undefined
  /** The fault. The banner says it once, with a link to the field if the page shows the field. */
  readonly all: string | undefined
}

/** Assigns a failure to the field of the form that it names. @param names of fields, as the action calls them */
export function faultsOf(t: Words, failure: Failure | undefined, names: readonly string[]): FormFaults {
  const field = failure?.detail.field ?? ''
  const known = names.find((name) => field === name || field.startsWith(`${name}.`))
  const sentence = failure && sentenceOf(failure, t)
  return {
    at: (name) => (name === known ? sentence : undefined),
    all: sentence,
  }
}
