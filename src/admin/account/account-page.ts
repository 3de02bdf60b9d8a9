// Your account: name, password, second step of signing in, and the browsers where you are signed in.

import { html } from '../../doors/html.ts'
import type { AccountRole } from '../../identity/caller.ts'
import type { Reply } from '../../http/reply.ts'
import { framed } from '../layout.ts'
import { factList } from '../parts/facts.ts'
import { doneBox, faultBox } from '../parts/fields.ts'
import { roleWords } from '../parts/role-words.ts'
import { pageHead } from '../parts/table.ts'
import { pageReply } from '../reply.ts'
import { passkeyScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'
import { type PasswordFault, passwordSection } from './password-section.ts'
import { secondStepSection } from './second-step-section.ts'
import { sessionsSection } from './sessions.ts'

/** What a form of the page answers with. */
export interface AccountView {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly password?: PasswordFault
  /** What was wrong with another form. */
  readonly fault?: string | undefined
}

const done: Readonly<Record<string, string>> = {
  password: 'Your password is changed. You are signed out everywhere else.',
  removed: 'Removed.',
  'signed-out': 'Signed out there.',
  app: 'Signing in now takes a code of your authenticator app as well. You are signed out everywhere else.',
  passkey: 'The passkey is added.',
}

/** GET */
export async function showAccount(visit: SignedIn): Promise<Reply> {
  return accountReply(visit)
}

export async function accountReply(visit: SignedIn, view: AccountView = {}): Promise<Reply> {
  const { name, email, role } = visit.session.account
  const body = html`${pageHead('Your account')} ${doneBox(done[visit.request.query.get('done') ?? ''])} ${faultBox(view.fault)}
  ${factList({ Name: name, 'E-mail': email, Role: roleWords[role as AccountRole].label })} ${await secondStepSection(visit)}
  ${await sessionsSection(visit)} ${passwordSection(visit, view.password)}`
  const document = framed(visit, { title: 'Your account', body, script: passkeyScript })
  return pageReply(visit, view.status ?? 200, document, { headers: view.headers ?? {} })
}
