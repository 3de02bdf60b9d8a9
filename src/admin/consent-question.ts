// The question whether an app may come in, as markup: who asks, where it leads, what it may do. Whether it is put, and what becomes of the
// answer, is consent-page.ts's.

import { html, type Html } from '../doors/html.ts'
import { lowerScope, type Scope, scopes } from '../identity/caller.ts'
import type { AuthorizeRequest } from '../oauth/authorize-request.ts'
import { type Destination, destinationOf } from '../oauth/destination.ts'
import { headingOf, meaningOf } from './destination-words.ts'
import { type Choice, checkField, radioField } from './fields.ts'
import { csrfField } from './form.ts'
import { adminPaths, linkTo } from './paths.ts'
import { scopeWords } from './scope-words.ts'
import type { SignedIn } from './visit.ts'

/** What the forms of the question carry. */
interface Carried {
  readonly purpose: string
  /** What is asked, sealed. */
  readonly sealed: string
  /** Where somebody else would sign in and come back from. */
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
    <p>${meaningOf(destination)}${hasName(asked) ? ' The name in quotes is the app’s own word; anyone can say that.' : ''}</p>
    <form method="post" action="${linkTo(request, adminPaths.consent)}">
      ${csrfField({ site, holder }, carried.purpose)}
      <input type="hidden" name="question" value="${carried.sealed}" />
      ${radioField({ name: 'scope', label: 'What may it do?', value: preselected(visit, most), choices: choicesOf(asked, most) })}
      ${
        most !== 'read' &&
        html`<div class="limit">
          ${checkField({
            name: 'drafts_only',
            label: 'Drafts only',
            help: 'It writes drafts of pages and posts, and changes nothing else. Nothing it writes is public until you publish it.',
          })}
        </div>`
      }
      <p class="help">
        You are ${session.account.name} (${session.account.email}). This lasts 30 days, or until you remove it under Connected
        Apps. All that it does is recorded.
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

/** Name and place together. The place is larger: it was checked, and the name is what the app says of itself (attack 29). */
function heading({ site }: SignedIn, asked: AuthorizeRequest, destination: Destination): Html {
  const title = site.settings.values.site_title
  return html`<h1>
    ${nameOfApp(asked)} wants to connect to ${title}, and sends you to <strong>${headingOf(destination)}</strong>
  </h1>`
}

/** A client that gave no name is known by its host. */
const hasName = ({ clientName, redirectHost }: AuthorizeRequest): boolean => clientName !== redirectHost

/** An app, by its name where it gave one. */
export const nameOfApp = (asked: AuthorizeRequest): Html =>
  hasName(asked) ? html`<bdi>“${asked.clientName}”</bdi>` : html`An app that gives no name`

function preselected({ site: { release } }: SignedIn, most: Scope): Scope {
  return release.consentScope === 'content' ? lowerScope('content', most) : most
}

function choicesOf({ scope: wanted, scopeNamed }: AuthorizeRequest, most: Scope): readonly Choice[] {
  return scopes
    .filter((scope) => lowerScope(scope, most) === scope)
    .map((scope) => ({ ...scopeWords[scope], note: scopeNamed && scope === wanted ? 'The app asked for this' : undefined }))
}
