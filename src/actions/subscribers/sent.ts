import { closed } from '../../base/schema.ts'
import { newsletterStates, switchNewsletter } from '../../mail/newsletter/newsletter-store.ts'
import { action } from '../call/action.ts'
import { itemAnswer, itemOutput } from '../call/write-answer.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows, type ListSpec } from '../lists/list.ts'
import { newsletterIdProperty, newsletterItem, shownColumns, toNewsletter } from './subscriber-item.ts'

const newsletterList: ListSpec<'newsletter'> = {
  table: 'newsletter',
  key: 'id',
  fields: {
    id: { column: 'id', kind: 'text', indexed: true },
    entry: { column: 'entry_id', kind: 'text', indexed: true },
    state: { column: 'state', kind: 'choice', choices: newsletterStates },
    created_at: { column: 'created_at', kind: 'time', sort: true, indexed: true },
  },
  sort: '-created_at',
  search: ['subject'],
}

export const sent = action('SVC_Subscribers.sent', {
  title: 'List newsletters',
  summary: 'Lists the newsletters, newest first: what was sent, how far it is, and how many mails failed.',
  tier: 'admin',
  effect: 'read',
  touches: 'access',
  input: closed(listProperties(newsletterList)),
  output: listOutput(newsletterItem),
  examples: [{ title: 'The latest', input: { limit: 5 } }],
  async run(context, input: ListInput) {
    return listAnswer(context, await listRows(context, newsletterList, input, { columns: shownColumns }), toNewsletter)
  },
})

export const stop = action('SVC_Subscribers.stop', {
  title: 'Stop a newsletter',
  summary: 'Stops a newsletter at once. Who has it keeps it; SVC_Subscribers.resume goes on with the others.',
  did: 'stopped a newsletter',
  tier: 'admin',
  effect: 'act',
  touches: 'access',
  failures: ['not_found', 'refused'],
  input: closed({ id: newsletterIdProperty }),
  output: itemOutput(newsletterItem),
  examples: [{ title: 'A slip in the text', input: { id: '01k8zq4v6m3t5c9e2n7r1x0bfd' } }],
  run: async ({ db, now }, { id }) => itemAnswer(toNewsletter(await switchNewsletter(db, id, 'stopped', now)), ['state']),
})

export const resume = action('SVC_Subscribers.resume', {
  title: 'Go on with a newsletter',
  summary: 'Goes on with a newsletter that was stopped, with those who do not have it yet.',
  did: 'went on with a newsletter',
  tier: 'admin',
  effect: 'act',
  touches: 'unlimited',
  failures: ['not_found', 'refused'],
  input: closed({ id: newsletterIdProperty }),
  output: itemOutput(newsletterItem),
  examples: [{ title: 'On', input: { id: '01k8zq4v6m3t5c9e2n7r1x0bfd' } }],
  async run({ db, now, site, afterCommit }, { id }) {
    const row = await switchNewsletter(db, id, 'sending', now)
    afterCommit(() => site.mail.ring())
    return itemAnswer(toNewsletter(row), ['state'])
  },
})
