import { Type } from 'typebox'
import { type Scope, scopes } from '../../identity/caller.ts'
import { getGrant } from '../../identity/find-grant.ts'
import { action } from '../call/action.ts'
import { tightenLimits } from '../shared/credentials.ts'
import { itemOutput } from '../call/write-answer.ts'
import { limitsInput, nameProperty } from '../shared/token-item.ts'
import { appItem, idProperty, lower, itemsOf } from './app-item.ts'
import { closed } from '../../base/schema.ts'

export const update = action('SVC_Apps.update', {
  title: 'Change the access of [the app {title}|an app]',
  summary: 'Renames a connected app, or tightens its scope and limits.',
  did: 'changed the access of [the app {title}|an app]',
  tier: 'admin',
  effect: 'act',
  failures: ['not_found'],
  touches: 'site',
  revisioned: true,
  input: closed({
    id: idProperty,
    name: Type.Optional(nameProperty),
    scope: Type.Optional(Type.Enum([...scopes], { description: 'A lower scope than it has.' })),
    limits: Type.Optional(limitsInput),
  }),
  output: itemOutput(appItem),
  examples: [{ title: 'Let it write drafts only', input: { id: 'Claude', scope: 'content', limits: { drafts_only: true } } }],
  async run(context, { id, name, scope, limits }) {
    const { change, db, now, site } = context
    const before = await getGrant(db, id, now)
    const { row, changed } = await change.update('app', before, {
      ...(name === undefined ? {} : { name: name.trim() }),
      ...(scope === undefined ? {} : { scope: lower(before.scope as Scope, scope) }),
      limits: tightenLimits(site.registry, before.limits, limits, 'This app'),
    })
    return { item: (await itemsOf(context, [row]))(row), changed: [...changed], warnings: [], activity_id: null }
  },
})
