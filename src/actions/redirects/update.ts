import { Type } from 'typebox'
import { toTarget } from '../../content/redirects/redirect-rules.ts'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { combineFields } from '../call/combine.ts'
import { getRedirect, idProperty } from './item.ts'
import { from, note, output, status, to, wrote, checkFree, sourceOf } from './rule.ts'

export const update = action('SVC_Redirects.update', {
  title: 'Change [the redirect {title}|a redirect]',
  summary: 'Changes a redirect. A field that is left out stays.',
  did: 'changed [the redirect {title}|a redirect]',
  tier: 'content',
  effect: 'write',
  failures: ['not_found', 'exists'],
  touches: 'site',
  revisioned: true,
  combine: combineFields,
  input: closed({ id: idProperty, from: Type.Optional(from), to: Type.Optional(to), status, note }),
  output,
  examples: [{ title: 'Another target', input: { id: '/old-shop', to: '/' } }],
  async run(context, { id, ...given }) {
    const row = await getRedirect(context, id)
    const source = given.from === undefined ? row.source : sourceOf(context, given.from)
    if (source !== row.source) await checkFree(context.db, source)
    const target = toTarget(given.to === undefined ? row.target : given.to, source)
    return wrote(context, { row, source, target, status: given.status ?? row.status, note: given.note, field: 'from' })
  },
})
