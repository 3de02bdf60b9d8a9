// The second factors of the person's own account, and the forms that add and remove them.

import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import { readSecondFactors, type SecondFactors } from '../../identity/second-factor-store.ts'
import { formatDate } from '../../settings/time-zone.ts'
import { passwordAgain, proofFault } from '../access/confirm-password.ts'
import { passkeyPlace } from '../../identity/passkeys.ts'
import type { PasskeyRow } from '../../store/core/schema.ts'
import { addPasskeyForm } from '../access/passkey-form.ts'
import type { Refused } from '../framed-reply.ts'
import { textField } from '../parts/fields.ts'
import { postForm } from '../parts/post-form.ts'
import { type Removal, removalForm } from '../parts/removal-form.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'

/** The id of the authenticator app in the form. */
export const appId = 'app'

export async function secondStepSection(visit: SignedIn, refused: Refused): Promise<Html> {
  const { t } = visit
  const factors = await readSecondFactors(visit.site.store.read, visit.session.account.id)
  const has = factors.appSince !== undefined || factors.passkeys.length > 0
  return html`<section class="panel" aria-labelledby="second">
    <h2 id="second">${t('account.second_step')}</h2>
    ${has ? html`<p>${t('account.second_step_on')}</p>` : html`<p>${t('account.second_step_off')}</p>`}
    <ul class="lines factors">
      ${appLine(visit, factors, refused)} ${factors.passkeys.map((row) => passkeyLine(visit, factors, row, refused))}
      ${await addPasskeyLine(visit, refused)} ${has && codesLine(visit, factors, refused)}
    </ul>
  </section>`
}

function appLine(visit: SignedIn, { appSince, passkeys }: SecondFactors, refused: Refused): HtmlValue {
  const { t } = visit
  const link = (label: string) => html`<a class="button" href="${linkTo(visit.request, adminPaths.authenticator)}">${label}</a>`
  if (appSince === undefined)
    return html`<li>
      <span>${t('account.app')} <small>${t('account.app_help')}</small></span> ${link(t('account.add_an_app'))}
    </li>`
  return html`<li>
    <span>${t('account.app')} <small>${t.rich('account.added', { time: shownTime(visit, formatDate(appSince)) })}</small></span>
    ${link(t('account.replace'))}
    ${removeForm(visit, { id: appId, name: t('account.the_app'), button: t('account.remove_app') }, refused, passkeys.length === 0)}
  </li>`
}

function passkeyLine(visit: SignedIn, { appSince, passkeys }: SecondFactors, row: PasskeyRow, refused: Refused): Html {
  const { id, name, rp_id: rpId, created_at: added, used_at: used } = row
  const { t } = visit
  const elsewhere = passkeyPlace(visit.request)?.rpId !== rpId && t('account.works_at', { domain: rpId })
  const since = shownTime(visit, formatDate(added))
  const times =
    used === null
      ? t.rich('account.passkey_unused', { added: since })
      : t.rich('account.passkey_times', { added: since, used: shownTime(visit, formatDate(used)) })
  return html`<li>
    <span>${t('account.passkey_named', { name })} <small>${times} ${elsewhere}</small></span>
    ${removeForm(visit, { id, name, button: t('account.remove_named', { name }) }, refused, appSince === undefined && passkeys.length === 1)}
  </li>`
}

async function addPasskeyLine(visit: SignedIn, refused: Refused): Promise<HtmlValue> {
  const { t } = visit
  const form = await addPasskeyForm(visit, visit.session.account, {
    action: adminPaths.passkeys,
    button: t('account.add_a_passkey'),
    fields: html`${textField({ name: 'name', id: 'passkey-name', label: t('account.passkey_name'), placeholder: t('account.passkey_example') })}
    ${passwordAgain(visit, proofFault(visit, refused, adminPaths.passkeys))}`,
  })
  return html`<li>
    <span>${t('account.passkeys')} <small>${t('account.passkeys_help')}</small></span>
    ${
      form === undefined
        ? html`<small class="quiet">${t('account.passkeys_need')}</small>`
        : html`<details>
            <summary>${t('account.add_a_passkey_more')}</summary>
            ${form}
          </details>`
    }
  </li>`
}

function codesLine(visit: SignedIn, { codesLeft }: SecondFactors, refused: Refused): HtmlValue {
  const { t } = visit
  return html`<li>
    <span>${t('account.recovery_codes')} <small>${t('account.codes_left', { count: codesLeft })}</small></span>
    <details>
      <summary>${t('account.new_codes')}</summary>
      <p>${t('account.new_codes_help')}</p>
      ${postForm(visit, {
        path: adminPaths.recoveryCodes,
        body: html`${passwordAgain(visit, proofFault(visit, refused, adminPaths.recoveryCodes))}
          <button>${t('account.make_codes')}</button>`,
      })}
    </details>
  </li>`
}

/** A form that removes a factor. @param isLast true if only the password is needed for sign-in afterwards */
const removeForm = (visit: SignedIn, named: Pick<Removal, 'id' | 'name' | 'button'>, refused: Refused, isLast: boolean): Html =>
  removalForm(visit, {
    ...named,
    verb: visit.t('account.remove'),
    consequence: visit.t(isLast ? 'account.remove_last' : 'account.remove_one'),
    path: adminPaths.removeFactor,
    more: passwordAgain(visit, proofFault(visit, refused, adminPaths.removeFactor, named.id)),
  })
