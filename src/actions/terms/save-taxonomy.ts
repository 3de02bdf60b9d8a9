import { Type } from 'typebox'
import { checkSlug } from '../../content/entries/slug.ts'
import { findTaxonomy, findTaxonomyRow } from '../../content/terms/taxonomies.ts'
import { closed, flag, nonEmptyText } from '../../base/schema.ts'
import { Failure, invalid } from '../../base/failure.ts'
import { findTopOwner } from '../../content/entries/top-names.ts'
import type { Db } from '../../store/core/database.ts'
import { nullable, itemOutput } from '../call/write-answer.ts'
import { action } from '../call/action.ts'
import { taxonomyItem, taxonomyItemOf } from './taxonomy-item.ts'

export const output = itemOutput(taxonomyItem)

const slug = nonEmptyText('Slug of the taxonomy. Its archives are at `/slug/term`.', 60)

export const saveTaxonomy = action('SVC_Terms.save-taxonomy', {
  title: 'Save [the group {title}|a group of categories or tags]',
  summary: 'Adds a taxonomy, or changes the one with this slug. A field that is left out stays.',
  did: 'saved [the group {title}|a group of categories or tags]',
  tier: 'admin',
  effect: 'write',
  failures: ['in_use'],
  touches: 'site',
  input: closed({
    slug,
    name: Type.Optional(nonEmptyText('Its name in the plural, such as `Regions`.', 100)),
    types: Type.Optional(
      nullable(
        Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 50 }),
        'The types of entries that may have its terms; null for all types.',
      ),
    ),
    tree: flag('Whether a term may be below another.'),
  }),
  output,
  examples: [
    { title: 'A tree of seasons', input: { slug: 'season', name: 'Seasons', tree: true } },
    { title: 'Another name for tags', input: { slug: 'tag', name: 'Topics' } },
  ],
  async run({ change, db, site }, given) {
    checkSlug(given.slug, { top: true, guarded: true })
    const row = await findTaxonomyRow(db, given.slug)
    const before = await findTaxonomy(db, given.slug)
    if (!before) await checkFree(db, given.slug)
    checkTypes(given.types, site.types.current.slugs)
    if (before?.tree && given.tree === false) await checkFlat(db, given.slug)
    const after = {
      slug: given.slug,
      name: given.name?.trim().toWellFormed() ?? before?.name ?? given.slug,
      types: given.types === undefined ? (before?.types ?? null) : given.types && [...new Set(given.types)],
      tree: given.tree ?? before?.tree ?? false,
    }
    const columns = { ...after, types: after.types && JSON.stringify(after.types), tree: after.tree ? 1 : 0, deleted: 0 }
    const answered = { item: taxonomyItemOf(after), warnings: [], activity_id: null }
    if (row) {
      const { changed } = await change.update('taxonomy', row, columns)
      return { ...answered, changed: changed.filter((column) => column !== 'deleted') }
    }
    const changed = (['name', 'types', 'tree'] as const).filter(
      (name) => JSON.stringify(before?.[name]) !== JSON.stringify(after[name]),
    )
    if (before && changed.length === 0) return { ...answered, changed: [] }
    await change.insert('taxonomy', columns)
    return { ...answered, changed: before ? [...changed] : ['slug', ...changed] }
  },
})

/** @throws Failure `refused` if an entry, a type or a language has the path of the archives */
async function checkFree(db: Db, taxonomy: string): Promise<void> {
  const path = `/${taxonomy}`
  const owner = await findTopOwner(db, taxonomy, 'taxonomy')
  if (owner !== undefined)
    throw new Failure('refused', `${path} is the path of ${owner}.`, {
      field: 'slug',
      rule: 'path is taken',
      hint: 'Choose another slug.',
    })
  const entry = await db
    .selectFrom('entry')
    .select(['id', 'title', 'path'])
    .where((eb) => eb.or([eb('path', '=', path), eb.and([eb('path', '>', `${path}/`), eb('path', '<', `${path}0`)])]))
    .orderBy('path')
    .limit(1)
    .executeTakeFirst()
  if (!entry) return
  throw new Failure(
    'refused',
    `The entry ${JSON.stringify(entry.title)} is at ${entry.path}, where the archives of ${taxonomy} would be.`,
    {
      field: 'slug',
      rule: 'path is taken',
      by: entry,
      hint: 'Move the entry, or choose another slug.',
    },
  )
}

function checkTypes(types: readonly string[] | null | undefined, known: readonly string[]): void {
  const unknown = types?.findIndex((type) => !known.includes(type)) ?? -1
  if (unknown < 0) return
  throw invalid(
    `types.${unknown}`,
    `There is no type of entry ${JSON.stringify(types?.[unknown]?.slice(0, 100).toWellFormed())}.`,
    [...known],
  )
}

/** @throws Failure `in_use` if a term of the taxonomy has a parent */
async function checkFlat(db: Db, taxonomy: string): Promise<void> {
  const below = await db
    .selectFrom('term')
    .select(['ref', 'name'])
    .where('taxonomy', '=', taxonomy)
    .where('parent_id', 'is not', null)
    .limit(20)
    .execute()
  if (below.length === 0) return
  throw new Failure('in_use', `Terms of ${taxonomy} are below others.`, {
    field: 'tree',
    by: below,
    hint: 'Move them to the top first: SVC_Terms.update with `parent: null`.',
  })
}
