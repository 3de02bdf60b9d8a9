// The folded form that removes one item of a list. It unfolds first, so that no single click removes anything.

import { html, type Html, type HtmlValue, raw } from '../../doors/html.ts'
import { csrfField } from '../form.ts'
import { linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'

export interface Removal {
  /** The word on the button, such as `Delete`. */
  readonly verb: string
  readonly id: string
  readonly name: string
  /** The consequence, in a sentence or two. */
  readonly consequence: string
  /** The target of the form: a path of `adminPaths`. */
  readonly path: string
  /** The purpose in the token, which `readFields` checks. */
  readonly purpose: string
  readonly more?: HtmlValue
  /** The whole text of the button, for languages that don't end with the name. */
  readonly button?: string
  /** True for a refused form, which is shown unfolded. */
  readonly isOpen?: boolean
}

export const removalForm = (
  visit: SignedIn,
  { verb, id, name, consequence, path, purpose, more, button, isOpen }: Removal,
): Html =>
  html`<details ${isOpen ? raw('open') : ''}>
    <summary>${verb}<span class="unseen"> ${name}</span>…</summary>
    <p>${consequence}</p>
    <form method="post" action="${linkTo(visit.request, path)}">
      ${csrfField(visit, purpose)}
      <input type="hidden" name="id" value="${id}" />
      ${more}
      <button class="danger">${button ?? visit.t('parts.verb_name', { verb, name })}</button>
    </form>
  </details>`
