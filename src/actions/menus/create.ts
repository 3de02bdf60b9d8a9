import { Type } from 'typebox'
import { checkSlug } from '../../content/entries/slug.ts'
import { newId } from '../../store/core/ids.ts'
import { action } from '../call/action.ts'
import { itemsInput, location } from './menu-item.ts'
import { slug, name, output, written, checkFree, treeOf, menuWrite, locationWarnings } from './menu-writing.ts'
import { closed } from '../../base/schema.ts'

export const create = action('SVC_Menus.create', {
  title: 'Create [the menu {title}|a menu]',
  summary: 'Creates a menu.',
  did: 'created [the menu {title}|a menu]',
  ...menuWrite,
  effect: 'write',
  failures: ['exists'],
  input: closed({ slug, name, location, items: Type.Optional(itemsInput) }),
  output,
  examples: [
    {
      title: 'The main menu of the German pages',
      input: { slug: 'haupt', location: 'main.de', items: [{ label: 'Über uns', url: '/de/ueber-uns' }] },
    },
    {
      title: 'A menu for the footer',
      input: {
        slug: 'footer',
        location: 'footer',
        items: [{ entry: '/about' }, { label: 'Write to us', url: 'mailto:us@example.org' }],
      },
    },
  ],
  async run(context, given) {
    checkSlug(given.slug, { top: false, guarded: true })
    await checkFree(context.db, { slug: given.slug, location: given.location ?? null }, undefined)
    const items = await treeOf(context, given.items ?? [])
    const row = await context.change.insert('menu', {
      id: newId(context.now),
      slug: given.slug,
      name: given.name?.toWellFormed() ?? given.slug,
      location: given.location ?? null,
      items: JSON.stringify(items),
    })
    return { ...written(context, row), warnings: await locationWarnings(context, given.location) }
  },
})
