// The forms of a menu's page: moves, labels, additions and removals of items, and the name of the menu.

import { completeAddress } from '../../base/complete-address.ts'
import { menus } from '../../actions/menus/index.ts'
import type { Reply } from '../../http/reply.ts'
import type { StoredMenuItem } from '../../store/change/menu-references.ts'
import type { Fields } from '../form.ts'
import { get, run } from '../page.ts'
import { type Done, goDone } from '../parts/done-notice.ts'
import { onItem, taking } from '../parts/form-input.ts'
import { formTaker, sinceShown, type Work } from '../parts/post-form.ts'
import { adminPaths } from '../paths.ts'
import { goTo } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import { menuReply, namesForm } from './menu-page.ts'
import { menuPath } from './menus-page.ts'
import { changed, type Move, moved, placed } from './move-item.ts'

const back = (visit: SignedIn, fields: Fields, done: Done | null): Reply => {
  const place = fields.get('item') === '' ? '' : `#item-${encodeURIComponent(fields.get('item'))}`
  const path = menuPath(fields.get('id')) + place
  return done === null ? goTo(visit, path) : goDone(visit, path, done)
}

/** Writes the tree after a change. An impossible change leaves the tree as it is. */
function rewriting(change: (items: readonly StoredMenuItem[], fields: Fields) => readonly StoredMenuItem[] | undefined): Work {
  return async (visit, fields) => {
    const id = fields.get('id')
    const { item } = await get(visit, menus.get, { id })
    const items = change((item.items ?? []) as readonly StoredMenuItem[], fields)
    if (!items) return back(visit, fields, null)
    const { failure } = await run(visit, menus.update, { id, items: items as never }, sinceShown(fields))
    return failure ?? back(visit, fields, menus.update)
  }
}

const moving = (move: Move): Work => rewriting((items, fields) => moved(items, fields.get('item'), move))

const save = rewriting((items, fields) =>
  changed(items, fields.get('item'), ({ new_tab: _tab, ...item }) => ({
    ...item,
    label: fields.get('label').trim() || null,
    ...(item.url !== undefined && { url: completeAddress(fields.get('url')) }),
    ...(fields.has('new_tab') && { new_tab: true }),
  })),
)

const place = rewriting((items, fields) => {
  const [where, target] = [fields.get('where'), fields.get('target')]
  return ['under', 'before', 'after'].includes(where) ? placed(items, fields.get('item'), { [where]: target }) : undefined
})

function addedItem(fields: Fields): object {
  const target = ['entry', 'term', 'url'].find((name) => fields.has(name)) ?? 'url'
  const label = fields.get('label').trim()
  return {
    item: {
      [target]: target === 'url' ? completeAddress(fields.get(target)) : fields.get(target).trim(),
      ...(label && { label }),
    },
  }
}

const add = onItem(menus.add, (visit, _data, fields) => back(visit, fields, menus.add), addedItem)

const remove = onItem(
  menus.remove,
  (visit, _data, fields) => goDone(visit, menuPath(fields.get('id')), menus.remove),
  (fields) => ({ item: fields.get('item') }),
)

const rename = taking(namesForm, (visit, _data, fields) => back(visit, fields, menus.update))

const works = {
  up: moving('up'),
  down: moving('down'),
  in: moving('in'),
  out: moving('out'),
  place,
  save,
  add,
  remove,
  rename,
}

export const takeMenuForm = formTaker(adminPaths.menu, works, (visit, refused) =>
  menuReply(visit, refused.fields.get('id'), refused),
)
