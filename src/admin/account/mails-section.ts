// A person's own choice of mails: how often they are told of proposals that wait.

import { type ProposalMails, proposalMails } from '../../actions/mail/notices-turn.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import { canMailLink } from '../access/forgot-page.ts'
import { goDone } from '../parts/done-notice.ts'
import { selectField } from '../parts/fields.ts'
import { panel } from '../parts/panel.ts'
import { formTaker, postForm } from '../parts/post-form.ts'
import { adminPaths } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'
import { keepChoice } from './own-choice.ts'

const choices: Readonly<Record<ProposalMails, MessageKey>> = {
  at_once: 'account.proposal_mails_at_once',
  hourly: 'account.proposal_mails_hourly',
  daily: 'account.proposal_mails_daily',
  never: 'account.proposal_mails_never',
}

/** The form; nothing for a person who decides on no proposals. */
export async function mailsSection(visit: SignedIn): Promise<Html | false> {
  const { t, session } = visit
  if (session.account.role !== 'admin') return false
  const field = selectField({
    name: 'proposal_mails',
    label: t('account.proposal_mails'),
    value: session.account.proposal_mails,
    choices: Object.entries(choices).map(([value, key]) => ({ value, label: t(key) })),
  })
  const body = html`${!(await canMailLink(visit)) && html`<p class="quiet">${t('account.mails_off')}</p>`} ${field}
    <p class="actions"><button class="primary">${t('account.save')}</button></p>`
  return panel('mails', t('account.mails'), postForm(visit, { path: adminPaths.ownMails, body }), 'card')
}

/** POST: stores the choice. */
export const saveOwnMails = formTaker(adminPaths.ownMails, async (visit, fields) => {
  const chosen = fields.get('proposal_mails')
  const choice = Object.hasOwn(proposalMails, chosen) ? chosen : 'hourly'
  const summary = 'Changes how often they are told of proposals by mail.'
  await keepChoice(visit, 'SVC_Accounts.set-mails', summary, { proposal_mails: choice })
  return goDone(visit, adminPaths.account, 'account.done_profile')
})
