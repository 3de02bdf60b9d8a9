// The second factors of one's own account: what there is, and the forms that add and remove.

import { html, type Html, type HtmlValue } from '../../doors/html.ts'
import { readSecondFactors, type SecondFactors } from '../../identity/second-factor-store.ts'
import { formatDate } from '../../settings/time-zone.ts'
import { passwordAgain } from '../access/confirm-password.ts'
import { passkeyPlace } from '../../identity/passkeys.ts'
import type { PasskeyRow } from '../../store/schema.ts'
import { addPasskeyForm } from '../access/passkey-form.ts'
import { textField } from '../parts/fields.ts'
import { csrfField } from '../form.ts'
import { removalForm } from '../parts/removal-form.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'

/** What the forms are for. factor-forms.ts takes them. */
export const removalPurpose = 'remove-factor'
export const passkeyPurpose = 'add-passkey'
export const recoveryPurpose = 'recovery-codes'
/** The id by which the form names the authenticator app. */
export const appId = 'app'

export async function secondStepSection(visit: SignedIn): Promise<Html> {
  const factors = await readSecondFactors(visit.site.store.read, visit.session.account.id)
  const has = factors.appSince !== undefined || factors.passkeys.length > 0
  return html`<section class="panel" aria-labelledby="second">
    <h2 id="second">Second step of signing in</h2>
    ${
      has
        ? html`<p>Signing in takes your password and one of these.</p>`
        : html`<p>Your password alone signs you in. With a second step, nobody who learns your password can sign in as you.</p>`
    }
    <ul class="lines factors">
      ${appLine(visit, factors)} ${factors.passkeys.map((row) => passkeyLine(visit, factors, row))} ${await addPasskeyLine(visit)}
      ${has && codesLine(visit, factors)}
    </ul>
  </section>`
}

function appLine(visit: SignedIn, { appSince, passkeys }: SecondFactors): HtmlValue {
  const link = (label: string) => html`<a class="button" href="${linkTo(visit.request, adminPaths.authenticator)}">${label}</a>`
  if (appSince === undefined)
    return html`<li>
      <span>Authenticator app <small>A code that changes every 30 seconds.</small></span> ${link('Add an app')}
    </li>`
  return html`<li>
    <span>Authenticator app <small>Added ${shownTime(visit, formatDate(appSince))}</small></span>
    ${link('Replace')} ${removeForm(visit, appId, 'the authenticator app', passkeys.length === 0)}
  </li>`
}

function passkeyLine(visit: SignedIn, { appSince, passkeys }: SecondFactors, row: PasskeyRow): Html {
  const { id, name, rp_id: rpId, created_at: added, used_at: used } = row
  const elsewhere = passkeyPlace(visit.request)?.rpId === rpId ? '' : ` It works at ${rpId} only.`
  return html`<li>
    <span
      >Passkey: ${name}
      <small
        >Added ${shownTime(visit, formatDate(added))}, last used
        ${shownTime(visit, used === null ? null : formatDate(used))}.${elsewhere}</small
      ></span
    >
    ${removeForm(visit, id, name, appSince === undefined && passkeys.length === 1)}
  </li>`
}

async function addPasskeyLine(visit: SignedIn): Promise<HtmlValue> {
  const form = await addPasskeyForm(visit, visit.session.account, {
    action: adminPaths.passkeys,
    purpose: passkeyPurpose,
    button: 'Add a passkey',
    fields: html`${textField({ name: 'name', label: 'Name of the passkey', placeholder: 'My phone' })}
    ${passwordAgain(visit, undefined)}`,
  })
  return html`<li>
    <span>Passkeys <small>Your phone, computer or security key proves that it is you, with nothing to type.</small></span>
    ${
      form === undefined
        ? html`<small class="quiet">They need https and a domain name.</small>`
        : html`<details>
            <summary>Add a passkey…</summary>
            ${form}
          </details>`
    }
  </li>`
}

function codesLine(visit: SignedIn, { codesLeft }: SecondFactors): HtmlValue {
  return html`<li>
    <span>Recovery codes <small>${codesLeft} of 10 left. Each works once, in place of the others.</small></span>
    <details>
      <summary>New codes…</summary>
      <p>The codes that you have now stop working.</p>
      <form method="post" action="${linkTo(visit.request, adminPaths.recoveryCodes)}">
        ${csrfField(visit, recoveryPurpose)} ${passwordAgain(visit, undefined)}
        <button>Make new codes</button>
      </form>
    </details>
  </li>`
}

/** @param isLast whether signing in takes the password alone afterwards */
const removeForm = (visit: SignedIn, id: string, name: string, isLast: boolean): Html =>
  removalForm(visit, {
    verb: 'Remove',
    id,
    name,
    consequence: isLast
      ? 'Your password alone will sign you in, and the recovery codes stop working.'
      : 'It no longer signs you in. The others go on working.',
    path: adminPaths.removeFactor,
    purpose: removalPurpose,
    more: passwordAgain(visit, undefined),
  })
