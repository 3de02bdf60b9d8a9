// SVC_Content.check: finds problems in entries. It changes nothing; many findings include the call that fixes them.

import { Type } from 'typebox'
import { fitting } from '../../activity/diff.ts'
import { checkRules, type CheckRule, entryChecks, type EntryFinding } from '../../content/entries/check-entry.ts'
import { publicOnly } from '../../content/entries/entry.ts'
import { type FieldLinks, linksOf } from '../../content/entries/entry-links.ts'
import { findLinkEnds, type LinkEnd } from '../../content/markdown/link-ends.ts'
import { undescribedImages } from '../../content/markdown/undescribed-images.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { action, type Context } from '../call/action.ts'
import { checkChosen, checkMany, chosenProperties, listChosen, readEntries } from './chosen.ts'
import { isServedPath } from '../redirects/served-path.ts'
import { linkContextOf } from './links.ts'
import { closed, severalOf } from '../../base/schema.ts'

const maxEntries = 20_000
const maxFindings = 1000
const maxShownBytes = 60 * 1024

export const check = action('SVC_Content.check', {
  title: 'Check the entries',
  summary:
    'Finds what an editor would fix: broken links, missing descriptions of images, headings, lengths, orphans, double titles.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found', 'refused', 'unprocessable'],
  job: true,
  input: closed({
    ...chosenProperties,
    rules: Type.Optional(
      severalOf(Type.Enum([...checkRules]), 'What to look for. The default is everything.', checkRules.length),
    ),
  }),
  output: Type.Object({
    items: Type.Array(
      Type.Object({
        id: Type.String(),
        rule: Type.Enum([...checkRules]),
        place: Type.String(),
        message: Type.String(),
        fix: Type.Union([Type.Object({ call: Type.String(), arguments: Type.Unknown() }), Type.Null()], {
          description: 'The call that fixes it; null where a person has to decide how.',
        }),
      }),
    ),
    checked: Type.Integer({ description: 'How many entries were looked through.' }),
    total: Type.Integer({
      description: `How many findings there are, at most ${maxFindings}. \`items\` has as many as fit into an answer.`,
    }),
  }),
  examples: [
    { title: 'One page', input: { ids: ['/about'] } },
    { title: 'Broken links on the whole site', input: { where: { status: 'published' }, rules: ['links'] } },
  ],
  async run(context, { ids, where, rules = checkRules }) {
    checkChosen({ ids, where })
    const chosen = await listChosen(context, { ids, where }, maxEntries)
    checkMany(chosen.length, maxEntries)
    const wanted = [...new Set(rules)]
    const linked = wanted.includes('orphans') ? await linkedFromPublic(context) : new Set<string>()
    const ends = new Map<string, LinkEnd>()
    const findings: EntryFinding[] = []
    let done = 0
    for await (const rows of readEntries(context, chosen)) {
      for (const row of rows)
        if (findings.length < maxFindings) findings.push(...(await findingsOf(context, row, wanted, { linked, ends })))
      done += rows.length
      context.progress?.({ done, total: chosen.length, note: 'entries' })
    }
    const found = findings.slice(0, maxFindings)
    return { items: fitting(found, maxShownBytes), checked: done, total: found.length }
  },
})

async function findingsOf(
  context: Context,
  entry: EntryRow,
  rules: readonly CheckRule[],
  { linked, ends }: Known,
): Promise<readonly EntryFinding[]> {
  const { site, db, now, origin } = context
  const links = rules.includes('links') ? await linksOf(linkContextOf(context), entry) : []
  await readEnds(context, links, ends)
  const checked = {
    entry,
    now,
    links,
    ends,
    undescribed: rules.includes('alt') ? await undescribedImages(db, entry.body, origin) : [],
    undescribedCover: rules.includes('alt') && entry.cover !== null ? await coverWithoutAlt(context, entry.cover) : undefined,
    sections: rules.includes('headings') ? await site.renderer.outline(entry.body) : [],
    summary:
      rules.includes('lengths') && entry.body !== ''
        ? ((await site.excerpts.of([entry], site.settings.values.language)).texts[0] ?? '')
        : '',
    isLinked: linked.has(entry.path ?? '') || linked.has(entry.id),
    sameTitle: rules.includes('titles') ? await othersNamed(context, entry) : [],
  }
  return rules.flatMap((rule) => entryChecks[rule](checked).map((finding) => ({ id: entry.id, rule, ...finding })))
}

interface Known {
  /** Paths and ids of the entries to which public entries and menus link. */
  readonly linked: ReadonlySet<string>
  /** The target of each path that was looked up so far. */
  readonly ends: Map<string, LinkEnd>
}

/** The most paths in memory. */
const maxEnds = 20_000

async function readEnds({ db, now }: Context, links: readonly FieldLinks[], ends: Map<string, LinkEnd>): Promise<void> {
  if (ends.size > maxEnds) ends.clear()
  const unknown = (name: 'paths' | 'media' | 'entries') => links.flatMap((one) => one[name]).filter((ref) => !ends.has(ref))
  const met = { paths: unknown('paths'), media: unknown('media'), entries: unknown('entries') }
  for (const [ref, end] of await findLinkEnds({ db, now, isServed: (path) => isServedPath(db, path) }, met)) ends.set(ref, end)
}

const coverWithoutAlt = ({ db }: Context, id: string) =>
  db.selectFrom('media').select(['id', 'path']).where('id', '=', id).where('alt', 'is', null).executeTakeFirst()

async function othersNamed({ db }: Context, { id, title, locale }: EntryRow): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('entry')
    .select(['id', 'path'])
    .where('title', '=', title)
    .where('status', '!=', 'trash')
    .where('id', '!=', id)
    .where('locale', locale === null ? 'is' : '=', locale)
    .orderBy('id')
    .limit(20)
    .execute()
  return rows.map((row) => row.path ?? row.id)
}

/** Returns all paths to which public entries link, and the ids of entries in their fields and in menus. */
async function linkedFromPublic(context: Context): Promise<ReadonlySet<string>> {
  const linking = linkContextOf(context)
  const rows = await context.db
    .selectFrom('entry')
    .select(['id', 'revision'])
    .where((eb) => publicOnly(eb, context.now))
    .orderBy('id')
    .limit(maxEntries)
    .execute()
  const linked = new Set<string>()
  for await (const page of readEntries(context, rows))
    for (const row of page)
      for (const { paths, entries } of await linksOf(linking, row))
        for (const ref of [...paths, ...entries]) if (ref !== row.path) linked.add(ref)
  const inMenus = context.db.selectFrom('menu_reference').select('target_id').where('kind', '=', 'entry')
  for (const { target_id: id } of await inMenus.execute()) linked.add(id)
  return linked
}
