import { closed, nonEmptyText, severalOf } from '../../base/schema.ts'
import { dueAgain } from '../../mail/mail-queue.ts'
import { action } from '../call/action.ts'
import { doneOutput } from '../call/write-answer.ts'
import { doneAnswer } from '../shared/several.ts'

export const resend = action('SVC_Mail.resend', {
  title: 'Send mails again',
  summary: 'Sends mails again that failed or wait for another try. The text of a mail that was sent is gone.',
  did: 'sent mails again',
  tier: 'admin',
  effect: 'act',
  touches: 'unlimited',
  failures: ['not_found'],
  input: closed({ ids: severalOf(nonEmptyText('Id of a mail.', 40), 'The mails.', 100) }),
  output: doneOutput,
  examples: [{ title: 'Again', input: { ids: ['01k8zq4v6m3t5c9e2n7r1x0bfd'] } }],
  async run({ db, site, now, afterCommit }, { ids }) {
    for (const id of ids) await dueAgain(db, id, now)
    afterCommit(() => site.mail.ring())
    return doneAnswer(ids.map((id) => ({ id })))
  },
})
