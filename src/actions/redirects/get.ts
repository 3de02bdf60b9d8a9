import { Type } from 'typebox'
import { findFormer, pathNamed } from '../../content/entries/entry.ts'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { findRedirect, hitsOf, idProperty, itemOf, movedItem, noRedirect, redirectItem } from './item.ts'

export const get = action('SVC_Redirects.get', {
  title: 'Show a redirect',
  summary: 'Shows one redirect.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  input: closed({ id: idProperty }),
  output: Type.Object({ item: redirectItem }),
  examples: [{ title: 'The redirect from a path', input: { id: '/old-shop' } }],
  prepare: ({ site }) => site.visits.flush(),
  async run({ db }, { id }) {
    const row = await findRedirect(db, id)
    if (row) return { item: itemOf(row, (await hitsOf(db, [row])).get(row.id), true) }
    const former = await db.selectFrom('former_path').selectAll().where('path', '=', pathNamed(id)).executeTakeFirst()
    if (!former) throw noRedirect(id)
    return { item: movedItem(former, (await findFormer(db, id))?.path ?? null) }
  },
})
