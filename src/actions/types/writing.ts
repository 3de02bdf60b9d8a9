// The arguments of creating and changing a type, and the checks of a whole definition.

import { Type } from 'typebox'
import { checkFields, checkOneKind, checkPattern } from '../../content/types/check-definition.ts'
import { checkText } from '../../content/entries/entry-text.ts'
import { typesIn } from '../../content/types/entry-type-reader.ts'
import { basePathOf, type OwnPart, typeOf } from '../../content/types/entry-types.ts'
import { fieldSchema, maxFields } from '../../content/types/field-definition.ts'
import { changedListRules, type GivenListRules, listRulesSchema } from '../../content/types/list-rules.ts'
import { isReservedSlug } from '../../content/entries/reserved-slugs.ts'
import { findTopOwner } from '../../content/entries/top-names.ts'
import { Failure, invalid } from '../../base/failure.ts'
import type { WriteContext } from '../call/action.ts'
import { referenceFinder } from '../content/fields.ts'
import { flag, nonEmptyText } from '../../base/schema.ts'

/** The most types per site. */
export const maxTypes = 50

export const definitionProperties = {
  name: Type.Optional(nonEmptyText('What people call it, such as `Product`.', 100)),
  fields: Type.Optional(
    Type.Array(fieldSchema, {
      description: 'The fields of its entries. The list replaces the present one.',
      maxItems: maxFields,
    }),
  ),
  path: Type.Optional(
    nonEmptyText(
      'Where its entries are: `/{type}/{slug}`, or such as `/shop/{slug}`. Entries of `page` are below their parents.',
      200,
    ),
  ),
  taxonomies: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      description: 'Slugs of the taxonomies whose terms its entries have.',
      maxItems: 20,
    }),
  ),
  feed: flag('Whether its entries have a feed, with date and author.'),
  list: listRulesSchema,
}

export type GivenDefinition = Partial<Pick<OwnPart, Exclude<keyof typeof definitionProperties, 'list'>>> & {
  readonly list?: GivenListRules
}

/**
 * Returns a definition with the given parts replaced.
 * @throws Failure `invalid`, `refused`, `too_large`
 */
export async function changedDefinition(context: WriteContext, before: OwnPart, given: GivenDefinition): Promise<OwnPart> {
  const { db, site } = context
  const finder = { timeZone: site.settings.values.time_zone, ...referenceFinder(context) }
  const fields = given.fields === undefined ? before.fields : await checkFields(given.fields, finder)
  const after: OwnPart = {
    slug: before.slug,
    name: given.name === undefined ? before.name : checkName(given.name),
    path: given.path ?? before.path,
    fields,
    dropped: before.dropped,
    taxonomies: given.taxonomies === undefined ? before.taxonomies : [...new Set(given.taxonomies.map(wellFormed))],
    feed: given.feed ?? before.feed,
    list: changedListRules(before.list, given.list, fields),
  }
  checkOneKind(after, await typesIn(db))
  return after
}

const wellFormed = (slug: string, place: number): string => checkText(slug, `taxonomies.${place}`, 100)

function checkName(name: string): string {
  const checked = checkText(name, 'name', 100).trim()
  // oxlint-disable-next-line no-control-regex
  if (checked !== '' && !/[\u0001-\u001f\u007f]/.test(checked)) return checked
  throw invalid('name', '"name" must be one line of text, and not empty.', 'one line of text')
}

/**
 * Checks that a path pattern is possible, and that no entry, route, other type, language or taxonomy has its path.
 * @throws Failure `invalid`, `refused`, naming the owner of the path
 */
export async function checkPath(context: WriteContext, definition: OwnPart): Promise<void> {
  const type = typeOf(definition)
  if (type.hierarchical && definition.path !== type.path)
    throw refused(`Entries of the type ${type.slug} are below their parents, so the type has no path of its own.`)
  checkPattern(definition.path)
  const base = basePathOf(type)
  if (base === '') return
  const [first = ''] = base.slice(1).split('/')
  if (context.site.release.reservedSlugs && isReservedSlug(first))
    throw refused(`/${first} is a path that the service itself needs.`)
  const types = await typesIn(context.db)
  const other = types.all.find((one) => one.slug !== type.slug && basePathOf(one) === base)
  if (other) throw refused(`${base} is the path of the type ${other.slug}.`)
  const owner = await findTopOwner(context.db, first, 'type')
  if (owner !== undefined) throw refused(`/${first} is the path of ${owner}.`)
  const entry = await context.db.selectFrom('entry').select(['id', 'title', 'path']).where('path', '=', base).executeTakeFirst()
  if (entry) throw refused(`${base} is the path of the entry ${JSON.stringify(entry.title)}.`, entry)
}

const refused = (sentence: string, by?: object): Failure =>
  new Failure('refused', sentence, {
    field: 'path',
    rule: 'a path belongs to one thing',
    ...(by && { by }),
    hint: 'Give the type another path, such as /shop/{slug}.',
  })
