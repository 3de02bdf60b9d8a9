// Forms of pages that have several of them: one form for each thing that can be done, and the function that takes it. A hidden field `do`, or the
// pressed button, says which.

import { cutText } from '../../cut-text.ts'
import { attribute, html, type Html, type HtmlValue, raw } from '../../doors/html.ts'
import { Failure } from '../../failure.ts'
import { HttpFailure } from '../../http/failure.ts'
import type { Reply } from '../../http/reply.ts'
import { sentenceOf } from '../failure.ts'
import { csrfField, type Fields, readFields } from '../form.ts'
import { linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import type { Words } from '../words.ts'

export interface PostForm {
  /** A path of `adminPaths`. */
  readonly path: string
  /** What the form is for, as `readFields` checks it. */
  readonly purpose: string
  readonly hidden?: Readonly<Record<string, string | number | undefined>>
  readonly body: HtmlValue
  readonly id?: string
  readonly className?: string
  /** For forms with files. */
  readonly multipart?: boolean
}

export const postForm = (visit: SignedIn, { path, purpose, hidden = {}, body, id, className, multipart }: PostForm): Html =>
  html`<form
    method="post"
    action="${linkTo(visit.request, path)}"
    ${attribute('id', id)}
    ${attribute('class', className)}
    ${multipart ? raw('enctype="multipart/form-data"') : ''}
  >
    ${csrfField(visit, purpose)} ${hiddenFields(hidden)} ${body}
  </form>`

export const hiddenFields = (values: Readonly<Record<string, string | number | undefined>>): Html =>
  html`${Object.entries(values).map(
    ([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}" />`,
  )}`

/** Does what a form asks for. */
export type Work = (visit: SignedIn, fields: Fields) => Promise<Reply>

/** Takes the forms of a page with this purpose. @param works by the value of `do` */
export function formTaker(purpose: string, works: Readonly<Record<string, Work>>): (visit: SignedIn) => Promise<Reply> {
  const byName = new Map(Object.entries(works))
  return async (visit) => {
    const fields = await readFields(visit, purpose)
    const work = byName.get(fields.get('do'))
    if (work) return work(visit, fields)
    throw new HttpFailure('malformed', visit.t('parts.form_says_nothing'))
  }
}

/**
 * The revision that the form was filled in for; 0 if nothing is kept of the thing yet.
 * @throws Failure `invalid` for a text that is no revision
 */
export function revisionIn(fields: Fields): number {
  const text = fields.get('revision')
  if (/^\d{0,15}$/.test(text)) return Number(text)
  const message = `"revision" must be a whole number; it is "${cutText(text, 40)}". Open the page again and repeat the change.`
  throw new Failure('invalid', message, { field: 'revision' })
}

/** The options of a call on the thing that the form was filled in for: the call fails if the thing has changed since. */
export function sinceShown(fields: Fields): { readonly ifRevision?: number } {
  const revision = revisionIn(fields)
  return revision === 0 ? {} : { ifRevision: revision }
}

/** Where a failure stands on a form. */
export interface FormFaults {
  /** What was wrong with a field. */
  at(name: string): string | undefined
  /** What was wrong. The banner says it once, at the field if the page shows it. */
  readonly all: string | undefined
}

/** Puts a failure at the field of the form that it names. @param names of fields, as the action calls them */
export function faultsOf(t: Words, failure: Failure | undefined, names: readonly string[]): FormFaults {
  const field = failure?.detail.field ?? ''
  const known = names.find((name) => field === name || field.startsWith(`${name}.`))
  const sentence = failure && sentenceOf(failure, t)
  return {
    at: (name) => (name === known ? sentence : undefined),
    all: sentence,
  }
}
