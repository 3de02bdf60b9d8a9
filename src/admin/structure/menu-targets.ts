// The targets of menu items: the names of their entries and terms, and the search for new ones.

import type { InputOf } from '../../actions/call/call-action.ts'
import { content } from '../../actions/content/index.ts'
import { terms } from '../../actions/terms/index.ts'
import { statusWord } from '../content/status-badges.ts'
import { get, run } from '../page.ts'
import { eachItem, type StoredMenuItem } from '../../store/change/menu-references.ts'
import type { SignedIn } from '../visit.ts'

interface ShownNode {
  readonly label: string
  readonly items: readonly ShownNode[]
}

/**
 * Returns the names of all items: their own labels, the titles that visitors see, or the titles of entries that visitors don't see.
 */
export async function namesOf(
  visit: SignedIn,
  items: readonly StoredMenuItem[],
  shown: readonly unknown[],
  hidden: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  noteShown(names, items, shown as readonly ShownNode[], hidden)
  const left = [...eachItem(items)].filter(({ id }) => !names.has(id))
  const titles = await titlesOf(visit, left.flatMap(({ entry }) => entry ?? []).slice(0, 100))
  for (const { id, label, entry = '', term } of left)
    names.set(id, label ?? titles.get(entry) ?? visit.t(term === undefined ? 'structure.entry_gone' : 'structure.term_hidden'))
  return names
}

/** Walks both trees: visitors see the items in the same order, without the hidden items and everything below those. */
function noteShown(
  names: Map<string, string>,
  items: readonly StoredMenuItem[],
  shown: readonly ShownNode[],
  hidden: ReadonlySet<string>,
): void {
  const visible = items.filter(({ id }) => !hidden.has(id))
  for (const [place, item] of visible.entries()) {
    const node = shown[place]
    if (!node) return
    names.set(item.id, item.label ?? node.label)
    noteShown(names, item.items ?? [], node.items, hidden)
  }
}

async function titlesOf(visit: SignedIn, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const { data } = await run(visit, content.list, { where: { id: { in: ids } }, limit: 100 })
  return new Map(data?.items.map(({ id, title }) => [id, title]))
}

/** An object that can be added to a menu. */
export interface MenuTarget {
  readonly kind: 'entry' | 'term'
  readonly ref: string
  readonly name: string
  readonly note: string
}

/** Returns pages that a menu does not have yet, the newest first: entries of the types that form a tree. */
export async function pagesNotIn(visit: SignedIn, items: readonly StoredMenuItem[]): Promise<readonly MenuTarget[]> {
  const there = [...eachItem(items)].flatMap(({ entry }) => entry ?? []).slice(0, 100)
  const others = there.length > 0 && { id: { not_in: there } }
  const types = visit.site.types.current.all.filter(({ hierarchical }) => hierarchical).map(({ slug }) => slug)
  return entriesWhere(visit, { where: { type: { in: types }, ...others }, sort: '-created_at', limit: 8 })
}

async function entriesWhere(visit: SignedIn, asked: InputOf<typeof content.list.input>): Promise<MenuTarget[]> {
  const { data } = await run(visit, content.list, asked)
  return (data?.items ?? []).map(({ id, title, path, status }) => ({
    kind: 'entry',
    ref: id,
    name: title,
    note: [path, status !== 'published' && statusWord(visit.t, status)].filter(Boolean).join(' · '),
  }))
}

/** Finds entries and terms by words. */
export async function findTargets(visit: SignedIn, words: string): Promise<readonly MenuTarget[]> {
  const found = await entriesWhere(visit, { search: words, limit: 10 })
  const { items: all } = await get(visit, terms.taxonomies, {})
  for (const { slug, name: taxonomy } of all.slice(0, 10)) {
    const { data } = await run(visit, terms.list, { taxonomy: slug, search: words, limit: 5 })
    for (const { ref, name } of data?.items ?? []) found.push({ kind: 'term', ref, name, note: taxonomy })
  }
  return found
}
