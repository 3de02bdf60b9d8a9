// Menus. One that an earlier import made, and that nobody changed here, follows the old site.

import { slugify } from '../../../content/entries/slug.ts'
import type { EntryWriting } from '../../../content/entries/write-entry.ts'
import { maxItems, maxLevels } from '../../../content/menus/menus.ts'
import { readAddress } from '../../../imports/behind/addresses.ts'
import { digestOf } from '../../../imports/behind/digest.ts'
import { termKey } from '../../../imports/behind/scan.ts'
import type { ImportMenu, ImportMenuItem } from '../../../imports/stream.ts'
import type { StoredMenuItem } from '../../../store/change/menu-references.ts'
import type { Db } from '../../../store/core/database.ts'
import { newId } from '../../../store/core/ids.ts'
import type { MenuRow } from '../../../store/core/schema.ts'
import type { ImportJob } from './import-job.ts'
import { lineOf } from './lines.ts'

export async function importMenu(job: ImportJob, { change }: EntryWriting, menu: ImportMenu): Promise<void> {
  const { items, report, undoneRuns } = job
  const count = { left: maxItems }
  const stored = menu.items.flatMap((item) => storedItem(job, change.now, item, 1, count))
  const name = lineOf(menu.name, 200) || 'Menu'
  const known = items.find('menu', menu.id)
  const here = known && (await change.db.selectFrom('menu').selectAll().where('id', '=', known.object_id).executeTakeFirst())
  const conflict = (why: string) => report.conflict({ kind: 'menu', title: name, path: null, why })
  if (known && !here && !undoneRuns.has(known.run_id)) return conflict('it was deleted here since the last import')
  if (here && digestOf('menu', here) !== known.digest) return conflict('it was changed here since the last import')
  const row = here
    ? (await change.update('menu', here, { name, items: JSON.stringify(withKnownIds(stored, here)) })).row
    : await insertMenu(job, { change }, { name, location: menu.location, stored })
  if (here) report.count(row.revision === here.revision ? 'menus.unchanged' : 'menus.updated')
  else report.count('menus.made')
  items.write(change.db, 'menu', menu.id, { objectId: row.id, digest: digestOf('menu', row) })
}

interface NewMenu {
  readonly name: string
  readonly location: string | undefined
  readonly stored: readonly StoredMenuItem[]
}

async function insertMenu(
  { report }: ImportJob,
  { change }: Pick<EntryWriting, 'change'>,
  { name, location: wanted, stored }: NewMenu,
): Promise<MenuRow> {
  const location = wanted !== undefined && (await isFree(change.db, 'location', wanted)) ? wanted : null
  if (wanted !== undefined && location === null)
    report.loss('menu', name, `the site has a menu at ${wanted} already; this one is shown nowhere until you give it a place`)
  const base = slugify(name) || 'menu'
  let slug = base
  for (let number = 2; !(await isFree(change.db, 'slug', slug)); number++) slug = `${base}-${number}`
  return change.insert('menu', { id: newId(change.now), slug, name, location, items: JSON.stringify(stored) })
}

const isFree = async (db: Db, column: 'slug' | 'location', value: string): Promise<boolean> =>
  (await db.selectFrom('menu').select('id').where(column, '=', value).executeTakeFirst()) === undefined

/** Returns items with the ids that equal ones have here, so that a menu that is the same stays the same. */
function withKnownIds(stored: readonly StoredMenuItem[], here: MenuRow): readonly StoredMenuItem[] {
  const free = new Map<string, string[]>()
  const bare = ({ id: _id, items: _items, ...item }: StoredMenuItem) =>
    JSON.stringify(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
  const note = (item: StoredMenuItem): void => {
    free.set(bare(item), [...(free.get(bare(item)) ?? []), item.id])
    item.items?.forEach(note)
  }
  for (const item of JSON.parse(here.items) as readonly StoredMenuItem[]) note(item)
  const named = (item: StoredMenuItem): StoredMenuItem => {
    const id = free.get(bare(item))?.shift() ?? item.id
    return { ...item, id, ...(item.items && { items: item.items.map(named) }) }
  }
  return stored.map(named)
}

function storedItem(job: ImportJob, now: number, item: ImportMenuItem, level: number, count: { left: number }): StoredMenuItem[] {
  const { report } = job
  const target = targetOf(job, item)
  const title = lineOf(item.title, 200)
  if (target === undefined || count.left <= 0 || level > maxLevels) {
    const reason = target === undefined ? 'it leads to nothing that was imported' : 'a menu has 500 items in 4 levels at most'
    report.loss('menu item', title || '(without a title)', reason)
    return item.children.flatMap((child) => storedItem(job, now, child, level, count))
  }
  count.left--
  const below = item.children.flatMap((child) => storedItem(job, now, child, level + 1, count))
  return [
    {
      id: newId(now),
      label: title || null,
      ...target,
      ...(item.newTab === true && { new_tab: true }),
      ...(below.length > 0 && { items: below }),
    },
  ]
}

function targetOf({ items, terms, scanned, book, places }: ImportJob, { target, title }: ImportMenuItem) {
  if ('entry' in target) {
    const entry = items.find('entry', target.entry)?.object_id ?? places.get(target.entry)?.adopts
    return entry === undefined ? undefined : { entry }
  }
  if ('term' in target) {
    const { taxonomy, slug, id } = target.term
    const key = [...scanned.terms.values()].find(
      (term) => term.taxonomy === taxonomy && (id === undefined ? term.slug === slug : term.id === id),
    )
    const term = terms.get(key ? termKey(key) : termKey({ taxonomy, slug }))
    return term === undefined ? undefined : { term }
  }
  const read = readAddress(target.address, book.site)
  if (!read || title === '') return undefined
  if (!read.isOwn) return { url: read.url }
  return { url: (book.pathOf(target.address) ?? read.key) + read.fragment }
}
