// The folded form that removes one item of a list. It unfolds first, so that no single click removes anything.

import { html, type Html, type HtmlValue, raw } from '../../doors/shared/html.ts'
import type { SignedIn } from '../visit.ts'
import { postForm } from './post-form.ts'

export interface Removal {
  /** The word on the button, such as `Delete`. */
  readonly verb: string
  readonly id: string
  readonly name: string
  /** The consequence, in a sentence or two. */
  readonly consequence: string
  /** The target of the form: a path of `adminPaths`. */
  readonly path: string
  /** The purpose in the token, which `readFields` checks; by default the path without its query. */
  readonly purpose?: string
  /** The value of the hidden field `do`, for a page with several forms. */
  readonly does?: string
  readonly more?: HtmlValue
  /** The whole text of the button, for languages that don't end with the name. */
  readonly button?: string
  /** True for a refused form, which is shown unfolded. */
  readonly isOpen?: boolean
}

export function removalForm(visit: SignedIn, removal: Removal): Html {
  const { verb, id, name, consequence, path, purpose, does, more, button, isOpen } = removal
  return html`<details ${isOpen ? raw('open') : ''}>
    <summary>${verb}<span class="unseen"> ${name}</span>…</summary>
    <p>${consequence}</p>
    ${postForm(visit, {
      path,
      ...(purpose !== undefined && { purpose }),
      hidden: { id, do: does },
      body: html`${more} <button class="danger">${button ?? visit.t('parts.verb_name', { verb, name })}</button>`,
    })}
  </details>`
}
