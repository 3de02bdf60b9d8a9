// Your account: name, password, second step of signing in, and the browsers where you are signed in.

import { type PasswordRefused } from '../access/confirm-password.ts'
import { html } from '../../doors/html.ts'
import type { AccountRole } from '../../identity/caller.ts'
import type { Reply } from '../../http/reply.ts'
import { framed } from '../layout.ts'
import { factList } from '../parts/facts.ts'
import { faultBox } from '../parts/fields.ts'
import { roleName } from '../parts/role-words.ts'
import { pageHead } from '../parts/table.ts'
import { pageReply } from '../reply.ts'
import { passkeyScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'
import { type PasswordFault, passwordSection } from './password-section.ts'
import { profileSection, type ProfileView } from './profile-section.ts'
import { secondStepSection } from './second-step-section.ts'
import { sessionsSection } from './sessions.ts'

/** The state of the page after one of its forms. */
export interface AccountView extends Partial<PasswordRefused> {
  readonly password?: PasswordFault
  readonly profile?: ProfileView
  /** The fault of another form. */
  readonly fault?: string | undefined
}

export async function showAccount(visit: SignedIn): Promise<Reply> {
  return accountReply(visit)
}

export async function accountReply(visit: SignedIn, view: AccountView = {}): Promise<Reply> {
  const { t } = visit
  const { name, email, role } = visit.session.account
  const body = html`${pageHead(t('account.title'))} ${faultBox(view.fault)}
  ${factList({ [t('people.name')]: name, [t('account.email')]: email, [t('account.role')]: roleName(t, role as AccountRole) })}
  ${profileSection(visit, view.profile)} ${await secondStepSection(visit, view)} ${await sessionsSection(visit)}
  ${passwordSection(visit, view.password)}`
  const document = framed(visit, { title: t('account.title'), body, script: passkeyScript })
  return pageReply(visit, view.status ?? 200, document, { headers: view.headers ?? {} })
}
