import type { Caller } from '../../identity/caller.ts'
import { jobStates } from '../../jobs/job-store.ts'
import { onlyValues } from '../lists/list.ts'
import { listAction } from '../shared/list-action.ts'
import type { WherePart } from '../lists/where-part.ts'
import { jobItem, itemOf, seesAll } from './job-item.ts'

export const list = listAction('SVC_Jobs.list', {
  title: 'List the jobs',
  summary: 'Lists the jobs of your calls, newest first. An admin sees all jobs, including recurring work.',
  tier: 'read',
  examples: [{ title: 'What runs now', input: { where: { state: 'running' } } }],
  list: {
    table: 'job',
    key: 'id',
    fields: {
      id: { column: 'id', kind: 'text', indexed: true },
      call: { column: 'call', kind: 'text', indexed: true, ordered: ['created_at'] },
      state: { column: 'state', kind: 'choice', choices: jobStates, indexed: true, ordered: ['created_at'] },
      created_at: { column: 'created_at', kind: 'time', sort: true },
      next_run: { column: 'next_at', kind: 'time', sort: true, nullable: true, indexed: true },
    },
    sort: '-created_at',
    search: ['call'],
  },
  options: ({ caller }) => ({ only: onlyFor(caller) }),
  item: jobItem,
  items: () => itemOf,
})

/** The condition for callers who don't see all jobs. An index has their jobs in the order of creation. */
function onlyFor(caller: Caller): readonly WherePart[] {
  const { account, token } = caller
  if (seesAll(caller)) return []
  const column = token ? 'token_id' : 'account_id'
  return [
    onlyValues('job', { column, kind: 'text', indexed: true, ordered: ['created_at'] }, [token ? token.id : (account?.id ?? '')]),
  ]
}
