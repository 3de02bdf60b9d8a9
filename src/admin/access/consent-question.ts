// The markup of the consent question: which app asks, where it sends the person, what it may do. When to ask, and what an answer does, is
// decided in consent-page.ts.

import { html, type Html } from '../../doors/html.ts'
import { lowerScope, type Scope } from '../../identity/caller.ts'
import type { AuthorizeRequest } from '../../oauth/authorize-request.ts'
import { type Destination, destinationOf } from '../../oauth/destination.ts'
import { presetsUpTo } from '../connections/presets.ts'
import { headingOf, meaningOf } from './destination-words.ts'
import { type Choice, radioField } from '../parts/fields.ts'
import { csrfField } from '../form.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'

/** Values in the hidden fields of the forms. */
interface Carried {
  readonly purpose: string
  /** The question, sealed. */
  readonly sealed: string
  /** Where to return to after signing in as somebody else. */
  readonly next: string
}

/**
 * The card with the question.
 * @param most the highest scope that can be granted
 */
export function questionCard(visit: SignedIn, asked: AuthorizeRequest, most: Scope, carried: Carried): Html {
  const { request, site, session, holder } = visit
  const destination = destinationOf(asked.redirectUri)
  return html`<section class="card consent">
    ${heading(visit, asked, destination)}
    <p>${meaningOf(destination)}${hasName(asked) ? ' The app chose the name in quotes itself. Any app can use any name.' : ''}</p>
    <form method="post" action="${linkTo(request, adminPaths.consent)}">
      ${csrfField({ site, holder }, carried.purpose)}
      <input type="hidden" name="question" value="${carried.sealed}" />
      ${radioField({ name: 'scope', label: 'What may it do?', value: preselected(visit, most), choices: choicesOf(asked, most) })}
      <p class="help">
        You are ${session.account.name} (${session.account.email}). The connection lasts 30 days, or until you remove it under
        Connected Apps. Everything the app does is recorded.
      </p>
      <p class="actions">
        <button class="primary" name="answer" value="allow">Connect</button>
        <button name="answer" value="deny">Cancel</button>
      </p>
    </form>
    <form method="post" action="${linkTo(request, adminPaths.signOut)}" class="aside">
      ${csrfField({ site, holder }, 'sign-out')}
      <input type="hidden" name="next" value="${carried.next}" />
      <button class="plain">Sign in as somebody else</button>
    </form>
  </section>`
}

/** Name and destination. The destination stands out, because it was checked; an app can give itself any name (attack 29). */
function heading({ site }: SignedIn, asked: AuthorizeRequest, destination: Destination): Html {
  const title = site.settings.values.site_title
  return html`<h1>
    ${nameOfApp(asked)} wants to connect to ${title}, and sends you to <strong>${headingOf(destination)}</strong>
  </h1>`
}

/** A client without a name is registered under its host. */
const hasName = ({ clientName, redirectHost }: AuthorizeRequest): boolean => clientName !== redirectHost

/** The name that an app gave, in quotes. */
export const nameOfApp = (asked: AuthorizeRequest): Html =>
  hasName(asked) ? html`<bdi>“${asked.clientName}”</bdi>` : html`An app that gives no name`

function preselected({ site: { release } }: SignedIn, most: Scope): Scope {
  return release.consentScope === 'content' ? lowerScope('content', most) : most
}

function choicesOf({ scope: wanted, scopeNamed }: AuthorizeRequest, most: Scope): readonly Choice[] {
  return presetsUpTo(most).map((one) => ({
    ...one,
    note: scopeNamed && one.value === wanted ? 'The app asked for this' : undefined,
  }))
}
