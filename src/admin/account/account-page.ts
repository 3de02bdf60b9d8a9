// Your account: name, password, second step of signing in, and the browsers where you are signed in.

import { html } from '../../doors/shared/html.ts'
import type { AccountRole } from '../../identity/caller.ts'
import type { Reply } from '../../http/reply.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { factList } from '../parts/facts.ts'
import { roleName } from '../parts/role-words.ts'
import { pageHead } from '../parts/table.ts'
import { passkeyScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'
import { type PasswordFault, passwordSection } from './password-section.ts'
import { profileSection } from './profile-section.ts'
import { secondStepSection } from './second-step-section.ts'
import { sessionsSection } from './sessions.ts'
import { mailsSection } from './mails-section.ts'
import { writingSection } from './writing-section.ts'

/** The state of the page after one of its forms. */
export interface AccountView extends Refused {
  readonly password?: PasswordFault
}

export const showAccount = (visit: SignedIn): Promise<Reply> => accountReply(visit)

export async function accountReply(visit: SignedIn, view: AccountView = {}): Promise<Reply> {
  const { t } = visit
  const { name, email, role } = visit.session.account
  const body = html`${pageHead(t('account.title'))}
  ${factList({ [t('people.name')]: name, [t('account.email')]: email, [t('account.role')]: roleName(t, role as AccountRole) })}
  ${profileSection(visit, view)} ${writingSection(visit)} ${await mailsSection(visit)} ${await secondStepSection(visit, view)}
  ${await sessionsSection(visit)} ${passwordSection(visit, view.password)}`
  return framedReply(visit, { title: t('account.title'), body, script: passkeyScript }, view)
}
