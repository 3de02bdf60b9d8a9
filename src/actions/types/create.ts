import { Type } from 'typebox'
import { columnsOfType } from '../../content/types/entry-type-reader.ts'
import { Failure } from '../../base/failure.ts'
import { action } from '../call/action.ts'
import { itemAnswer, itemOutput } from '../call/write-answer.ts'
import { typeAnswer, typeItem } from './item.ts'
import { changedDefinition, checkPath, definitionProperties, type GivenDefinition, maxTypes } from './writing.ts'
import { closed, nonEmptyText } from '../../base/schema.ts'

export const create = action('SVC_Types.create', {
  title: 'Create [the type {title}|a type]',
  summary: 'Defines a new type of entries, with fields of its own.',
  did: 'created [the type {title}|a type]',
  object: { kind: 'entry_type', page: 'type' },
  tier: 'admin',
  effect: 'write',
  failures: ['exists'],
  touches: 'site',
  input: closed({
    slug: Type.String({
      description: 'What calls and paths name it by, such as `product`. It stays.',
      pattern: '^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$',
      title: 'lower-case letters, digits and hyphens, with a letter first',
      maxLength: 40,
    }),
    ...definitionProperties,
    name: nonEmptyText('What people call it, such as `Product`.', 100),
  }),
  output: itemOutput(typeItem),
  examples: [
    {
      title: 'Products with a price by which lists are sorted',
      input: {
        slug: 'product',
        name: 'Product',
        fields: [
          { name: 'price', kind: 'number', label: 'Price in euros', required: true, filter: true },
          { name: 'size', kind: 'choice', options: ['S', 'M', 'L'], many: true },
        ],
      },
    },
    {
      title: 'Events at a path of their own, listed by their day until it has passed',
      input: {
        slug: 'event',
        name: 'Event',
        path: '/calendar/{slug}',
        feed: true,
        fields: [{ name: 'starts', kind: 'date', label: 'Day' }],
        list: { sort: 'starts', hide_past: 'starts', shows: ['starts'] },
      },
    },
  ],
  async run(context, { slug, ...given }) {
    const known = await context.db.selectFrom('entry_type').select('slug').execute()
    if (known.some((one) => one.slug === slug))
      throw new Failure('exists', `There is a type ${slug} already.`, { field: 'slug', by: slug })
    if (known.length >= maxTypes)
      throw new Failure('refused', `A site has at most ${maxTypes} types.`, { rule: 'number of types', field: 'slug' })
    const blank = { slug, name: slug, path: '/{type}/{slug}', fields: [], dropped: [], taxonomies: [], feed: false, list: {} }
    const definition = await changedDefinition(context, blank, given as GivenDefinition)
    await checkPath(context, definition)
    const row = await context.change.insert('entry_type', columnsOfType(definition))
    return itemAnswer(await typeAnswer(context, row), [])
  },
})
