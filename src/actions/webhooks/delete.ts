import { closed } from '../../base/schema.ts'
import { getWebhook, removeWebhook } from '../../webhooks/endpoint-store.ts'
import { action } from '../call/action.ts'
import { doneOutput } from '../call/write-answer.ts'
import { doneAnswer } from '../shared/several.ts'
import { idProperty } from './item.ts'

export const remove = action('SVC_Webhooks.delete', {
  title: 'Delete a webhook',
  summary: 'Deletes a webhook with its deliveries. What waits is not sent.',
  did: 'deleted a webhook',
  tier: 'admin',
  effect: 'act',
  touches: 'endings',
  failures: ['not_found'],
  input: closed({ id: idProperty }),
  output: doneOutput,
  examples: [{ title: 'Delete one', input: { id: '01k8zq4v6m3t5c9e2n7r1x0bfd' } }],
  async run({ db, makeStale }, { id: ref }) {
    const row = await getWebhook(db, ref)
    await removeWebhook(db, row.id)
    makeStale(['settings'])
    return doneAnswer([row])
  },
})
