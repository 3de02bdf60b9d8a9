import { Type } from 'typebox'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { copyItem, copyItemOf } from './target-item.ts'

/** The most backups in an answer. Pruning leaves far fewer. */
const most = 500

export const listCopies = action('SVC_Backup.list-copies', {
  title: 'List the backups elsewhere',
  summary: 'Asks the place elsewhere which sealed backups it has, and lists them, newest first.',
  tier: 'admin',
  effect: 'read',
  touches: 'access',
  failures: ['unreachable'],
  job: true,
  input: closed({}),
  output: Type.Object({
    items: Type.Array(copyItem),
    total: Type.Integer({ description: `How many there are. \`items\` has at most ${most} of them.` }),
  }),
  examples: [{ title: 'The backups there', input: {} }],
  async run({ site, signal }) {
    const copies = await site.elsewhere.list(signal)
    return { items: copies.slice(0, most).map(copyItemOf), total: copies.length }
  },
})
