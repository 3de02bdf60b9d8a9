// Adding an authenticator app: the page shows a new secret, and the first code of the app confirms it. The secret is sealed in the
// form and stored only with that code, so an app that was never set up locks nobody out.

import { html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { seal, unseal } from '../../identity/sealed.ts'
import { addTotp } from '../../identity/second-factor-store.ts'
import { findTotpStep, newTotpSecret, toBase32, totpAddress } from '../../identity/totp.ts'
import { confirmPassword, passwordAgain } from '../access/confirm-password.ts'
import { csrfField, readFields } from '../form.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { goDone } from '../parts/done-notice.ts'
import { textField } from '../parts/fields.ts'
import { linkButton, pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo } from '../reply.ts'
import { copyable, copyScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'
import { changeFactors } from './change-factors.ts'
import { qrCode } from './qr-code.ts'
import { codesReply } from './recovery-codes.ts'

const purpose = 'authenticator'
/** The lifetime of the page. */
const ttlMs = 30 * 60_000

/** A secret that waits for its first code. */
interface Offer {
  readonly session: string
  readonly secret: string
  readonly expiresAt: number
}

export async function showAuthenticator(visit: SignedIn): Promise<Reply> {
  return pageOf(visit, newTotpSecret())
}

async function pageOf(visit: SignedIn, secret: Buffer, refused: Refused = {}, codeFault?: string): Promise<Reply> {
  const { site, session, request, now, t } = visit
  const offer: Offer = { session: session.row.id, secret: secret.toString('base64url'), expiresAt: now + ttlMs }
  const address = totpAddress(secret, site.settings.values.site_title, session.account.email)
  const typed =
    toBase32(secret)
      .match(/.{1,4}/g)
      ?.join(' ') ?? ''
  const body = html`${pageHead(t('account.add_app_title'), t('account.add_app_lead'))}
    <section class="card">
      <ol class="steps">
        <li>
          <p>${t('account.scan')}</p>
          ${await qrCode(address, t('account.qr_label'))}
          <details>
            <summary>${t('account.cannot_scan')}</summary>
            <p>${t.rich('account.enter_key', { key: copyable(t('account.the_key'), typed) })}</p>
          </details>
        </li>
        <li>
          <p>${t('account.enter_code')}</p>
          <form method="post" action="${linkTo(request, adminPaths.authenticator)}">
            ${csrfField(visit, purpose)}
            <input type="hidden" name="offer" value="${seal(site.key, purpose, offer)}" />
            ${textField({ name: 'first', label: t('account.code_of_app'), autocomplete: 'one-time-code', required: true, fault: codeFault })}
            ${passwordAgain(visit, refused.passwordFault)}
            <p class="actions">
              <button class="primary">${t('account.add_app')}</button>
              ${linkButton(visit, adminPaths.account, 'account.cancel')}
            </p>
          </form>
        </li>
      </ol>
    </section>`
  return framedReply(visit, { title: t('account.add_app_title'), body, script: copyScript }, refused)
}

export async function addAuthenticator(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, purpose)
  const { site, session, now, t } = visit
  const offer = unseal(site.key, purpose, fields.get('offer')) as Offer | undefined
  if (!offer || offer.session !== session.row.id || offer.expiresAt <= now) return goTo(visit, adminPaths.authenticator)
  const secret = Buffer.from(offer.secret, 'base64url')
  const refused = await confirmPassword(visit, fields)
  if (refused) return pageOf(visit, secret, refused)
  const step = findTotpStep(secret, fields.get('first').replace(/\s+/g, ''), now)
  if (step === undefined) return pageOf(visit, secret, { status: 422 }, t('account.wrong_first_code'))
  const codes = await changeFactors(visit, 'Adds an authenticator app as a second factor.', (change) =>
    addTotp(change, site.key, session.account.id, { secret, step }),
  )
  return codes ? codesReply(visit, codes, t('account.done_app')) : goDone(visit, adminPaths.account, 'account.done_app')
}
