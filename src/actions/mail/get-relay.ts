import { Type } from 'typebox'
import { closed } from '../../base/schema.ts'
import { findRelay } from '../../mail/relay.ts'
import { action } from '../call/action.ts'
import { nullable } from '../call/write-answer.ts'
import { relayItem, toRelayItem } from './relay-item.ts'

export const getRelay = action('SVC_Mail.get-relay', {
  title: 'Show the mail relay',
  summary: 'Shows the relay through which the site sends mails, and whether it works. The password is never shown.',
  tier: 'admin',
  effect: 'read',
  touches: 'access',
  input: closed({}),
  output: Type.Object({ item: nullable(relayItem, 'Null where no relay is set.') }),
  examples: [{ title: 'The relay and its state', input: {} }],
  async run({ db }) {
    const relay = await findRelay(db)
    return { item: relay ? toRelayItem(relay) : null }
  },
})
