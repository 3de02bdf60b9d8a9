// The calls that throw examples away. The home page of the site and its menu must not lead to them.

import { eachItem, itemsOf } from '../../store/change/menu-references.ts'
import type { BatchCall } from '../api/batch-plan.ts'
import type { Context } from '../call/action.ts'
import type { ExamplePage } from './examples.ts'

/** Returns the calls that delete these entries, with the setting and the menus that would lead to nothing afterwards. */
export async function removalCalls({ db, site }: Context, examples: readonly ExamplePage[]): Promise<readonly BatchCall[]> {
  if (examples.length === 0) return []
  const ids = new Set(examples.map(({ id }) => id))
  const paths = new Set(examples.map(({ path }) => path))
  const { home } = site.settings.values
  const menus = await db.selectFrom('menu').selectAll().execute()
  const empty = menus.filter((menu) => {
    const items = [...eachItem(itemsOf(menu))]
    return items.length > 0 && items.every(({ entry }) => entry !== undefined && ids.has(entry))
  })
  return [
    ...(home !== null && (ids.has(home) || paths.has(home))
      ? [{ action: 'SVC_Settings.update', arguments: { set: { home: null } } }]
      : []),
    ...empty.map(({ id }) => ({ action: 'SVC_Menus.delete', arguments: { id } })),
    { action: 'SVC_Content.delete', arguments: { ids: [...ids] } },
  ]
}
