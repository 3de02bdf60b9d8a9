// The markup of the consent question: which app asks, where it sends the person, what it may do. consent-page.ts decides when to
// ask and what an answer does.

import { html, type Html } from '../../doors/shared/html.ts'
import { lowerScope, type Scope } from '../../identity/caller.ts'
import type { AuthorizeRequest } from '../../doors/oauth/authorize-request.ts'
import { type Destination, destinationOf } from '../../doors/oauth/destination.ts'
import { choicesOf, presetsUpTo } from '../connections/presets.ts'
import { passwordAgain } from './confirm-password.ts'
import { headingOf, meaningOf } from './destination-words.ts'
import { type Choice, radioField } from '../parts/fields.ts'
import { csrfField } from '../form.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn, Visit } from '../visit.ts'
import type { Words } from '../words.ts'

/** The values in the hidden fields of the forms. */
interface Carried {
  readonly purpose: string
  /** The question, sealed. */
  readonly sealed: string
  /** The page to return to after signing in as another person. */
  readonly next: string
  /** The fault of the password. */
  readonly passwordFault: string | undefined
  /** The choice in a refused form. */
  readonly chosen: string | undefined
}

/** The card with the question.  @param most the highest scope that the person can grant */
export function questionCard(visit: SignedIn, asked: AuthorizeRequest, most: Scope, carried: Carried): Html {
  const { request, site, session, holder, t } = visit
  const { name, email } = session.account
  const destination = destinationOf(asked.redirectUri)
  return html`<section class="card consent">
    ${heading(visit, asked, destination)}
    <p>${meaningOf(visit, destination)} ${hasName(asked) && t('access.own_name')}</p>
    <form method="post" action="${linkTo(request, adminPaths.consent)}">
      ${csrfField({ site, holder }, carried.purpose)}
      <input type="hidden" name="question" value="${carried.sealed}" />
      ${radioField({ name: 'scope', label: t('access.what_may_it_do'), value: carried.chosen ?? preselected(visit, most), choices: scopeChoices(t, asked, most) })}
      ${passwordAgain(visit, carried.passwordFault)}
      <p class="help">${t('access.consent_help', { name, email })}</p>
      <p class="actions">
        <button class="primary" name="answer" value="allow">${t('access.connect')}</button>
        <button name="answer" value="deny" formnovalidate>${t('access.cancel')}</button>
      </p>
    </form>
    <form method="post" action="${linkTo(request, adminPaths.signOut)}" class="aside">
      ${csrfField({ site, holder }, 'sign-out')}
      <input type="hidden" name="next" value="${carried.next}" />
      <button class="plain">${t('access.as_somebody_else')}</button>
    </form>
  </section>`
}

/**
 * The name and the destination. The destination is prominent because it was checked; an app can give itself any name (attack 29).
 */
function heading(visit: SignedIn, asked: AuthorizeRequest, destination: Destination): Html {
  return html`<h1>
    ${visit.t.rich('access.question', {
      app: nameOfApp(visit, asked),
      site: visit.site.settings.values.site_title,
      destination: html`<strong>${headingOf(visit, destination)}</strong>`,
    })}
  </h1>`
}

/** A client without a name is registered under its host. */
const hasName = ({ clientName, redirectHost }: AuthorizeRequest): boolean => clientName !== redirectHost

/** The name that an app gave, in quotes. */
export const nameOfApp = ({ t }: Visit, asked: AuthorizeRequest): Html =>
  hasName(asked) ? html`<bdi>${t('access.quoted_name', { name: asked.clientName })}</bdi>` : html`${t('access.nameless_app')}`

function preselected({ site: { release } }: SignedIn, most: Scope): Scope {
  return release.consentScope === 'content' ? lowerScope('content', most) : most
}

function scopeChoices(t: Words, { scope: wanted, scopeNamed }: AuthorizeRequest, most: Scope): readonly Choice[] {
  return choicesOf(t, presetsUpTo(most)).map((one) => ({
    ...one,
    note: scopeNamed && one.value === wanted ? t('access.app_asked') : undefined,
  }))
}
