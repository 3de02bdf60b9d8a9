import { Type } from 'typebox'
import { getToken } from '../../identity/find-token.ts'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { itemOutput } from '../call/write-answer.ts'
import { tightenLimits } from '../shared/credentials.ts'
import { idProperty, limitsInput, nameProperty, tokenItem, tokenItems } from '../shared/token-item.ts'

export const update = action('SVC_Tokens.update', {
  title: 'Change [the token {title}|a token]',
  summary: 'Renames a token, or tightens its limits.',
  did: 'changed [the token {title}|a token]',
  tier: 'admin',
  effect: 'act',
  failures: ['not_found'],
  touches: 'site',
  revisioned: true,
  input: closed({ id: idProperty, name: Type.Optional(nameProperty), limits: Type.Optional(limitsInput) }),
  output: itemOutput(tokenItem),
  examples: [{ title: 'Let it write drafts only', input: { id: 'Nightly export', limits: { drafts_only: true } } }],
  async run(context, { id, name, limits }) {
    const { change, db, site } = context
    const before = await getToken(db, id)
    const { row, changed } = await change.update('token', before, {
      ...(name === undefined ? {} : { name: name.trim() }),
      limits: tightenLimits(site.registry, before.limits, limits, 'This token'),
    })
    return { item: (await tokenItems(context, [row]))(row), changed: [...changed], warnings: [], activity_id: null }
  },
})
