import { toTarget } from '../../content/redirects/redirect-rules.ts'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { from, note, output, status, to, wrote, checkFree, sourceOf } from './rule.ts'

export const create = action('SVC_Redirects.create', {
  title: 'Add [the redirect {title}|a redirect]',
  summary: 'Adds a redirect from an old path.',
  did: 'added [the redirect {title}|a redirect]',
  tier: 'content',
  effect: 'write',
  failures: ['exists'],
  touches: 'site',
  input: closed({ from, to, status, note }),
  output,
  examples: [
    { title: 'An old address', input: { from: '/shop-old', to: '/about' } },
    { title: 'A whole section', input: { from: '/news-old/*', to: '/news/*' } },
    { title: 'A page that is gone', input: { from: '/offer-2019', to: null } },
  ],
  async run(context, given) {
    const source = sourceOf(context, given.from)
    await checkFree(context.db, source)
    const target = toTarget(given.to, source)
    return wrote(context, { source, target, status: given.status ?? 301, note: given.note, field: 'from' })
  },
})
