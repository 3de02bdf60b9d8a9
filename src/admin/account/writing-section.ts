// A person's own choice for the editor: what Enter does.

import { html, type Html } from '../../doors/shared/html.ts'
import type { AccountRow } from '../../store/core/schema.ts'
import { goDone } from '../parts/done-notice.ts'
import { checkField } from '../parts/fields.ts'
import { panel } from '../parts/panel.ts'
import { formTaker, postForm } from '../parts/post-form.ts'
import { adminPaths } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { keepChoice } from './own-choice.ts'

/** The value for the script of the editor. */
export const enterOf = ({ enter_breaks }: Pick<AccountRow, 'enter_breaks'>): 'break' | 'line' =>
  enter_breaks === 1 ? 'break' : 'line'

export function writingSection(visit: SignedIn): Html {
  const { t, session } = visit
  const value = session.account.enter_breaks === 1 ? 'yes' : ''
  const field = checkField({
    name: 'enter_breaks',
    label: t('account.enter_breaks'),
    value,
    help: t('account.enter_breaks_help'),
  })
  const body = html`${field}
    <p class="actions"><button class="primary">${t('account.save')}</button></p>`
  return panel('writing', t('account.writing'), postForm(visit, { path: adminPaths.writing, body }), 'card')
}

/** POST: stores the choice. */
export const saveWriting = formTaker(adminPaths.writing, async (visit, fields) => {
  const choice = { enter_breaks: fields.get('enter_breaks') === 'yes' ? 1 : 0 }
  await keepChoice(visit, 'SVC_Accounts.set-writing', 'Changes what Enter does in their editor.', choice)
  return goDone(visit, adminPaths.account, 'account.done_profile')
})
