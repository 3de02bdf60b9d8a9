// The first visit: one form creates the first admin and signs them in. Release 1 requires the link that the service printed at its
// start, so that no stranger becomes the owner. Earlier releases accept the first visitor.

import { commit, recordChange } from '../../actions/call/commit.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import { Failure } from '../../base/failure.ts'
import type { Reply } from '../../http/reply.ts'
import { callerOfAccount, createAccount, checkNewAccount } from '../../identity/account-store.ts'
import { hashPassword, passwordBytes } from '../../identity/password.ts'
import { hasAccount, isSetUpCode, takeSetUp } from '../../identity/set-up.ts'
import { newId } from '../../store/core/ids.ts'
import type { AccountRow } from '../../store/core/schema.ts'
import { controlsOf, type FormRows } from '../parts/declared-form.ts'
import { textField } from '../parts/fields.ts'
import { faultsOf, postForm } from '../parts/post-form.ts'
import { type Fields, readFields } from '../form.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { httpHere } from '../notices.ts'
import { adminPaths } from '../paths.ts'
import { goTo } from '../reply.ts'
import { copyable, copyScript } from '../script.ts'
import { signInOn, type Visit } from '../visit.ts'
import type { Words } from '../words.ts'

/** GET, while there is no account. */
export function showSetUp(visit: Visit, code = visit.request.query.get('code') ?? ''): Reply {
  if (mayRegister(visit, code)) return formReply(visit, code)
  const { t } = visit
  const body = html`<section class="card">
    <h1>${t('access.almost_there')}</h1>
    ${whereToFindIt(t)}
  </section>`
  const page = { title: t('access.set_up'), kind: 'narrow', script: copyScript, body } as const
  return framedReply(visit, page, code === '' ? {} : { status: 403, fault: t('access.wrong_set_up_link') })
}

function mayRegister({ site }: Visit, code: string): boolean {
  return site.release.firstVisit === 'open' || isSetUpCode(site.key, code)
}

function whereToFindIt(t: Words): Html {
  const journal = copyable(t('access.journal_command'), "journalctl -u postern | grep 'Set up'")
  const command = copyable(t('access.account_command'), 'scripts/postern admin create --email you@example.org --name You')
  return html`<p>${t('access.set_up_where')}</p>
    <ul>
      <li>${t.rich('access.set_up_by_hand', { line: html`<code>Set up</code>` })}</li>
      <li>${t.rich('access.set_up_systemd', { command: journal })}</li>
      <li>${t.rich('access.set_up_command', { command })}</li>
    </ul>`
}

const rows: FormRows = [
  {
    name: 'email',
    control: 'email',
    label: 'access.email',
    autocomplete: 'username',
    required: true,
    autofocus: true,
    help: 'access.email_help',
  },
]

const nameRows: FormRows = [{ name: 'name', label: 'access.your_name', autocomplete: 'name', help: 'access.your_name_help' }]

function formReply(visit: Visit, code: string, refused: Refused = {}): Reply {
  const { t } = visit
  const fault = faultsOf(t, refused.failure, ['password']).at('password')
  const form = postForm(visit, {
    path: adminPaths.setUp,
    hidden: { code },
    body: html`${controlsOf(t, { rows }, { refused })} ${passwordField(visit, { fault })}
      ${controlsOf(t, { rows: nameRows }, { refused })}
      <p class="actions">
        <button class="primary">${t('access.create_account')}</button>
        <button name="then" value="write">${t('access.create_and_write')}</button>
      </p>`,
  })
  const body = html`<section class="card">
    <h1>${t('access.welcome')}</h1>
    <p>${t('access.welcome_lead')}</p>
    ${form} ${httpHere(visit, true)}
  </section>`
  return framedReply(visit, { title: t('access.set_up'), kind: 'narrow', body }, refused)
}

export function passwordField(
  { t }: Visit,
  { fault, label = t('access.password') }: { fault?: string | undefined; label?: string },
): Html {
  return textField({
    name: 'password',
    label,
    type: 'password',
    autocomplete: 'new-password',
    required: true,
    minLength: passwordBytes.min,
    help: t('access.password_help', { min: passwordBytes.min }),
    fault,
  })
}

export async function setUp(visit: Visit): Promise<Reply> {
  const fields = await readFields(visit, adminPaths.setUp)
  const code = fields.get('code')
  if (await hasAccount(visit.site.store.read)) return goTo(visit, adminPaths.signIn)
  if (!mayRegister(visit, code)) return showSetUp(visit, code)
  try {
    const account = await makeOwner(visit, fields)
    if (!account) return goTo(visit, adminPaths.signIn)
    visit.site.log.info('site set up', { account: account.id, address: visit.request.client })
    return goTo(visit, fields.get('then') === 'write' ? `${adminPaths.newEntry}?type=post` : adminPaths.start, {
      cookies: await signInOn(visit, account),
    })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return formReply(visit, code, { fields, failure: error })
  }
}

/** A name for somebody who gave none: `Ada Lovelace` for ada.lovelace@example.org. */
const nameOfAddress = (email: string): string =>
  (email.split('@', 1)[0] ?? '')
    .split(/[._-]+/)
    .filter((word) => word !== '')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ')

/** Creates the account; undefined if another visitor has become the owner in the meantime. @throws Failure */
async function makeOwner({ site, request, now }: Visit, fields: Fields): Promise<AccountRow | undefined> {
  const email = fields.get('email')
  const name = fields.get('name').trim() || nameOfAddress(email)
  const given = { id: newId(site.clock.now()), email, name, role: 'admin' } as const
  checkNewAccount(given)
  const passwordHash = await hashPassword(fields.get('password'))
  return commit(site, 'SVC_Accounts.create', async (open) => {
    if (!(await takeSetUp(open.db, given.id))) return undefined
    const { role } = given
    const recording = {
      caller: callerOfAccount(given, 'admin', request.client),
      call: 'SVC_Accounts.create',
      effect: 'act',
      summary: 'Sets the site up with its first admin.',
      input: { email, name, role },
      now,
    } as const
    return recordChange(open, recording, (change) => createAccount(change, { ...given, passwordHash }))
  })
}
