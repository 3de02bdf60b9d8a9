import { areas } from '../../store/change/kinds.ts'
import { action } from '../call/action.ts'
import { doneOutput } from '../call/write-answer.ts'
import { closed } from '../../base/schema.ts'

export const clearCaches = action('SVC_Health.clear-caches', {
  title: 'Clear the caches',
  summary: 'Clears the caches of all processes of the site. Nothing is lost; answers are slower for a moment.',
  did: 'cleared the caches',
  tier: 'admin',
  effect: 'act',
  touches: 'site',
  input: closed({}),
  output: doneOutput,
  examples: [{ title: 'Clear all caches', input: {} }],
  async run({ site, makeStale, afterCommit }) {
    makeStale(areas)
    afterCommit(() => site.freshness.forgetAll())
    return { done: [...areas], unchanged: [], warnings: [], activity_id: null }
  },
})
