// The page for re-authentication by password, code or passkey. Forms that need the proof link to this page. They have their own
// fields for a password and a code.

import { html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { isFresh, noteAuthenticated } from '../../identity/session.ts'
import { readFields } from '../form.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { doneBox } from '../parts/fields.ts'
import { postForm } from '../parts/post-form.ts'
import { pageHead } from '../parts/table.ts'
import { adminPaths } from '../paths.ts'
import { goTo } from '../reply.ts'
import { passkeyScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'
import { formUntilProof, keptField, type KeptForm, keptReply, maxSignInBytes, readKept } from './kept-form.ts'
import { confirmPassword, passwordAgain } from './confirm-password.ts'
import { tryPasskey, usePasskeyForm } from './passkey-form.ts'

export async function showConfirm(visit: SignedIn): Promise<Reply> {
  return confirmReply(visit)
}

/** The page that asks for the proof that a form needs. It carries the form. */
export const askForProof = (visit: SignedIn): Promise<Reply> => confirmReply(visit, { kept: formUntilProof(visit), status: 403 })

interface View extends Refused {
  readonly kept?: KeptForm | undefined
}

async function confirmReply(visit: SignedIn, { kept, ...refused }: View = {}): Promise<Reply> {
  const { session, now, t } = visit
  const isAsked = refused.status === 403 && refused.passwordFault === undefined
  const title = t('access.confirm_title')
  const passkey = await usePasskeyForm(visit, session.account, 'confirm', {
    action: adminPaths.confirm,
    button: t('access.use_passkey'),
    fields: keptField(kept),
  })
  const form = postForm(visit, {
    path: adminPaths.confirm,
    body: html`${keptField(kept)} ${passwordAgain(visit, refused.passwordFault)}
      <p class="actions"><button>${t('access.confirm')}</button></p>`,
  })
  const body = isFresh(session.row, now)
    ? html`${pageHead(title)} ${doneBox(t('access.confirmed'))}`
    : html`${pageHead(title)}
        <section class="card">
          ${isAsked && html`<p class="notice warn" role="alert">${t('access.confirm_first')}</p>`} ${passkey} ${form}
        </section>`
  return framedReply(visit, { title, body, script: passkeyScript }, refused)
}

export async function takeConfirm(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, adminPaths.confirm, maxSignInBytes(visit))
  const { site, session, now, t } = visit
  const kept = readKept(fields)
  const onward = () => (kept ? keptReply(visit, kept) : goTo(visit, adminPaths.confirm))
  if (!fields.has('credential')) {
    const refused = await confirmPassword(visit, fields)
    return refused ? confirmReply(visit, { ...refused, kept }) : onward()
  }
  if (!(await tryPasskey(visit, session.account, 'confirm', fields)))
    return confirmReply(visit, { status: 403, passwordFault: t('access.passkey_refused'), kept })
  await noteAuthenticated(site.store.write, session.row.id, now)
  return onward()
}
