// A menu and its items, in calls and in answers.

import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { maxItems, maxLevels } from '../../content/menus/menus.ts'
import { formatDate } from '../../settings/time-zone.ts'
import { eachItem, itemsOf, type StoredMenuItem } from '../../store/change/menu-references.ts'
import type { MenuRow } from '../../store/core/schema.ts'
import { nullable } from '../call/write-answer.ts'
import { closed, flag, nonEmptyText, slugForm } from '../../base/schema.ts'

const itemId = Type.String({
  description: 'Id of an item of the menu.',
  pattern: '^[a-z0-9][a-z0-9-]*$',
  title: slugForm,
  maxLength: 40,
})

/** Returns the schema of an item with this number of levels below it. */
export function itemInput(levels: number): TObject {
  const below: Record<string, TSchema> =
    levels === 0
      ? {}
      : { items: Type.Optional(Type.Array(itemInput(levels - 1), { description: 'The items below it.', maxItems })) }
  return closed({
    id: Type.Optional(itemId),
    label: Type.Optional(
      nullable(
        Type.String({ maxLength: 200 }),
        'The text of the link. Without it, the title of the entry or the name of the term.',
      ),
    ),
    entry: Type.Optional(nonEmptyText('Id or path of an entry.', 1100)),
    term: Type.Optional(nonEmptyText('`taxonomy/slug` or id of a term.', 300)),
    url: Type.Optional(nonEmptyText('A path or another address.', 2000)),
    new_tab: flag('Whether it opens in a new tab.'),
    ...below,
  })
}

export const itemsInput = Type.Array(itemInput(maxLevels - 1), {
  description: `The tree, up to ${maxItems} items. Each has exactly one of entry, term and url.`,
  maxItems,
})

const { items: _below, id: _id, ...ownProperties } = itemInput(0).properties

/** A change of one item of a menu. */
export const itemChange = closed(
  { item: itemId, ...ownProperties },
  { description: 'One item to change, by its id. What is left out stays; one of entry, term and url replaces its target.' },
)

export const menuItem = Type.Object({
  id: Type.String(),
  slug: Type.String(),
  name: Type.String(),
  location: nullable(Type.String(), 'Where the theme shows it, such as `main` or `footer`.'),
  size: Type.Integer({ description: 'Number of items.' }),
  items: Type.Optional(Type.Array(Type.Unknown(), { description: 'The tree, as `update` takes it.' })),
  created_at: Type.Optional(Type.String()),
  updated_at: Type.Optional(Type.String()),
  revision: Type.Integer(),
})

export function menuItemOf(row: MenuRow, items?: readonly StoredMenuItem[]): Static<typeof menuItem> {
  const { id, slug, name, location, revision } = row
  const lean = { id, slug, name, location, size: [...eachItem(items ?? itemsOf(row))].length }
  if (!items) return { ...lean, revision }
  return { ...lean, items: [...items], created_at: formatDate(row.created_at), updated_at: formatDate(row.updated_at), revision }
}

export const location = Type.Optional(
  nullable(
    Type.String({
      pattern: '^[a-z][a-z0-9_-]*(?:\\.[a-z0-9-]+)?$',
      title: 'lower-case letters, digits, hyphens and underscores, and perhaps a dot and a language',
      maxLength: 60,
    }),
    'Where the theme shows it, such as `main` or `footer`; `main.de` for the pages of one further language, which otherwise show `main` with the translations of its pages. Each location has one menu.',
  ),
)
