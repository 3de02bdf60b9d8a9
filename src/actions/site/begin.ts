// SVC_Site.begin: the first pages of an empty site. Until somebody has changed them, they can be made again in another kind, or
// thrown away.

import { Type } from 'typebox'
import { Failure } from '../../base/failure.ts'
import { closed, nonEmptyText } from '../../base/schema.ts'
import { beginningOf, exampleLanguageOf, themeOfKind } from '../../content/examples/beginnings.ts'
import { type Beginning, type ExampleEntry, examplePath, siteKinds } from '../../content/examples/example.ts'
import { legalDrafts, legalPaths } from '../../content/examples/legal.ts'
import { datedType, usualType } from '../../content/types/entry-types.ts'
import { findMenu } from '../../content/menus/menus.ts'
import type { BatchCall } from '../api/batch-plan.ts'
import { prepareCalls, runCalls } from '../api/batch.ts'
import { action, type Context } from '../call/action.ts'
import { writeProperties } from '../call/write-answer.ts'
import { findExamples, noteExamples } from './examples.ts'
import { removalCalls } from './removal.ts'

/** The slug of the main menu. */
const mainMenu = 'main'

export const begin = action('SVC_Site.begin', {
  title: 'Begin the site with examples',
  summary: 'Fills a site without entries: example pages, menu, home page, theme, and drafts of imprint and privacy page.',
  did: 'began the site with examples',
  tier: 'admin',
  effect: 'write',
  touches: 'site',
  failures: ['refused', 'exists', 'unprocessable'],
  runs: () => [
    'SVC_Content.create',
    'SVC_Content.delete',
    'SVC_Menus.create',
    'SVC_Menus.delete',
    'SVC_Settings.update',
    'SVC_Themes.activate',
  ],
  input: closed({
    kind: Type.Enum([...siteKinds], { description: 'blog: posts; business: a home page of sections; manual: pages in a tree.' }),
    locale: Type.Optional(nonEmptyText('Language of the examples: English or German. The default is that of the site.', 50)),
  }),
  output: Type.Object({
    kind: Type.Enum([...siteKinds]),
    pages: Type.Array(Type.String(), { description: 'Paths of the examples, which are public.' }),
    drafts: Type.Array(Type.String(), { description: 'Paths of the drafts, for a person to fill in.' }),
    theme: Type.String(),
    ...writeProperties,
  }),
  examples: [{ title: 'A blog', input: { kind: 'blog' } }],
  prepares: ['kind', 'locale'],
  async prepare(context, { kind, locale }) {
    const made = madeOf(context, kind, locale)
    const calls = await callsOf(context, made)
    return { made, calls, prepared: await prepareCalls(context, calls) }
  },
  async run(context, { kind }, { made: { entries, drafts, theme }, calls, prepared }) {
    const known = context.change.records.length
    await runCalls(context, calls, prepared)
    await noteExamples(context.change.db, context.change.records.slice(known))
    return { kind, pages: entries.map(examplePath), drafts: drafts.map(examplePath), theme, warnings: [], activity_id: null }
  },
})

type Kind = (typeof siteKinds)[number]

interface Made extends Beginning {
  readonly drafts: readonly ExampleEntry[]
  /** The id of the theme. */
  readonly theme: string
}

/** Returns what a beginning consists of, in the language of the site unless another is asked for. */
function madeOf({ site, origin }: Context, kind: Kind, locale: string | undefined): Made {
  const { site_title: title, language, allowed_sources: sources } = site.settings.values
  const used = exampleLanguageOf(locale ?? language)
  const drafts = legalDrafts(used, { title, url: origin, sources })
  return { ...beginningOf(kind, used), drafts, theme: themeOfKind[kind] }
}

/** @throws Failure `refused` for a site that has entries of its own */
async function callsOf(context: Context, { entries, drafts, home, menu, theme }: Made): Promise<readonly BatchCall[]> {
  const { db } = context
  const { unchanged } = await findExamples(db)
  const free = await checkEmpty(context, new Set(unchanged.map(({ id }) => id)), drafts)
  const removal = await removalCalls(context, unchanged)
  const oldMenu = await findMenu(db, mainMenu)
  const keepsMenu = oldMenu !== undefined && !removal.some(({ arguments: given }) => given?.['id'] === oldMenu.id)
  const create = (entry: ExampleEntry, status: string): BatchCall => {
    const { slug, isPost, title, body, excerpt, parent, position } = entry
    const given = {
      type: isPost ? datedType : usualType,
      slug,
      title,
      body,
      status,
      ...(excerpt && { excerpt }),
      ...(parent && { parent }),
      ...(position && { position }),
    }
    return { action: 'SVC_Content.create', arguments: given }
  }
  return [
    ...removal,
    ...entries.map((entry) => create(entry, 'published')),
    ...free.map((entry) => create(entry, 'draft')),
    ...(menu.length === 0 || keepsMenu
      ? []
      : [
          {
            action: 'SVC_Menus.create',
            arguments: { slug: mainMenu, name: 'Main', location: mainMenu, items: menu.map((entry) => ({ entry })) },
          },
        ]),
    ...(home === undefined ? [] : [{ action: 'SVC_Settings.update', arguments: { set: { home } } }]),
    { action: 'SVC_Themes.activate', arguments: { id: theme } },
  ]
}

/**
 * Checks that the site has no entries but examples and these drafts.
 * @returns the drafts that it does not have yet
 */
async function checkEmpty(
  { db }: Context,
  examples: ReadonlySet<string>,
  drafts: readonly ExampleEntry[],
): Promise<readonly ExampleEntry[]> {
  const rows = await db
    .selectFrom('entry')
    .select(['id', 'title', 'path'])
    .where('status', '!=', 'trash')
    .orderBy('path')
    .limit(examples.size + 10)
    .execute()
  const own = rows.filter(({ id }) => !examples.has(id))
  const other = own.find(({ path }) => !legalPaths.includes(path ?? ''))
  if (other)
    throw new Failure('refused', `The site has entries already, such as ${JSON.stringify(other.title)}.`, {
      rule: 'only an empty site begins with examples',
      by: { id: other.id, path: other.path },
      hint: 'SVC_Content.create adds a page.',
    })
  return drafts.filter((draft) => !own.some(({ path }) => path === examplePath(draft)))
}
