// The section `newsletter`: a form for one address, in place of the empty element that the kept rendering of a text has. It works
// without script. The sentence that a visitor agrees to is sealed into the form, so that the one that is stored was shown.

import { findMailOrigin } from '../../../actions/mail/site-mail.ts'
import { urlOf } from '../../../content/entries/entry.ts'
import { decodeEntities } from '../../../content/markdown/plain-text.ts'
import { html, type Html } from '../../../doors/shared/html.ts'
import { seal, unseal } from '../../../identity/sealed.ts'
import type { SiteKey } from '../../../identity/site-key.ts'
import { maxAddressChars } from '../../../mail/mail-address.ts'
import { type SiteMessage, siteWord } from '../../../themes/site-words.ts'
import type { Frame } from '../frame.ts'

/** Cleaning leaves no attribute without a value. */
const placeholder = /<div class="section-newsletter"(?: title(?:="([^"]*)")?)?><\/div>/g
const purpose = 'newsletter form'
/** A form is good for a day, and an hour for the time in which a page may be kept. */
const maxAgeMs = 25 * 3_600_000

/** The names of the fields. `trap` is for programs: people don't see it. */
export const newsletterNames = { token: '_at', email: 'email', trap: 'company' } as const
/** The place of the form on its page. */
export const newsletterAnchor = 'newsletter'

/** The outcome of a sign-up, on the page that answers it. */
export interface SignUpState {
  readonly note: 'newsletter_sent' | 'form_email' | 'form_again' | 'form_wait'
  readonly email: string
}

/** The sealed members of a form. */
export interface SealedForm {
  readonly at: number
  /** BCP 47 */
  readonly language: string
  readonly agree: string
}

/** The contents of a form; undefined for one that is too old or made up. */
export function openForm(key: SiteKey, token: string, now: number): SealedForm | undefined {
  const form = unseal(key, purpose, token) as SealedForm | undefined
  return form && now - form.at >= 0 && now - form.at <= maxAgeMs ? form : undefined
}

/** Fills in the form of a text; further ones stay empty. @param at the path of the page, and its language */
export async function fillNewsletter(
  frame: Frame,
  text: string,
  at: { readonly path: string; readonly language: string },
): Promise<string> {
  if (!text.includes('class="section-newsletter"')) return text
  const { site } = frame
  const isOpen = (await findMailOrigin(site, site.store.read)) !== undefined
  let first = true
  return text.replace(placeholder, (_place, agree = '') => {
    if (!first) return ''
    first = false
    return (isOpen ? formHtml(frame, decodeEntities(agree), at) : noteHtml(siteWord(at.language, 'newsletter_off'))).toString()
  })
}

const noteHtml = (note: string): Html => html`<p class="form-note" id="${newsletterAnchor}" role="status">${note}</p>`

function formHtml(frame: Frame, given: string, { path, language }: { readonly path: string; readonly language: string }): Html {
  const { site, origin, signUp } = frame
  const values = new Map([['site', site.settings.values.site_title]])
  const word = (key: SiteMessage): string => siteWord(language, key, values)
  if (signUp?.note === 'newsletter_sent') return noteHtml(word('newsletter_sent'))
  const agree = given === '' ? word('newsletter_agree') : given
  const token = seal(site.key, purpose, { at: site.clock.now(), language, agree } satisfies SealedForm)
  const id = newsletterAnchor
  const fault = signUp && html`<small class="form-fault" id="${id}-fault" role="alert">${word(signUp.note)}</small>`
  return html`<form
    class="form"
    id="${id}"
    method="post"
    action="${new URL(urlOf(origin, path)).pathname}#${id}"
    accept-charset="utf-8"
    novalidate
  >
    <input type="hidden" name="do" value="newsletter" />
    <input type="hidden" name="${newsletterNames.token}" value="${token}" />
    <p class="form-field">
      <label for="${id}-email">${word('newsletter_address')}</label>
      <input
        id="${id}-email"
        name="${newsletterNames.email}"
        type="email"
        value="${signUp?.email ?? ''}"
        maxlength="${maxAddressChars}"
        autocomplete="email"
        required
        aria-describedby="${id}-agree${fault && ` ${id}-fault`}"
        ${fault && html`aria-invalid="true"`}
      />
      ${fault}
    </p>
    <p class="form-more" aria-hidden="true">
      <label for="${id}-${newsletterNames.trap}">${word('form_leave_empty')}</label>
      <input id="${id}-${newsletterNames.trap}" name="${newsletterNames.trap}" type="text" tabindex="-1" autocomplete="off" />
    </p>
    <p id="${id}-agree"><small>${agree}</small></p>
    <p class="form-send"><button type="submit">${word('newsletter_subscribe')}</button></p>
  </form>`
}
