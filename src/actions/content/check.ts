// SVC_Content.check: finds problems in entries, and links to nothing in what the whole site shares. It changes nothing; many
// findings include the call that fixes them.

import { Type } from 'typebox'
import { fitting } from '../../activity/diff.ts'
import {
  checkRules,
  type CheckRule,
  entryChecks,
  type EntryRule,
  isEntryRule,
  siteRules,
} from '../../content/entries/check-entry.ts'
import { publicOnly } from '../../content/entries/entry.ts'
import { type FieldLinks, linksOf } from '../../content/entries/entry-links.ts'
import { findLinkEnds, type LinkEnd } from '../../content/markdown/link-ends.ts'
import { undescribedImages } from '../../content/markdown/undescribed-images.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { action, type Context, type Shown } from '../call/action.ts'
import { checkShared } from './check-shared.ts'
import { checkChosen, checkMany, chosenProperties, listChosen, readEntries } from './chosen.ts'
import { finding, type FreshFinding, type LostFinding, shownFinding, withNearest } from './finding.ts'
import { isServedPath } from '../redirects/served-path.ts'
import { linkContextOf } from './links.ts'
import { createPageHeadings, findDeadAnchors, type PageHeadings } from './page-headings.ts'
import { sideOf } from './side.ts'
import { invalid } from '../../base/failure.ts'
import { closed, severalOf } from '../../base/schema.ts'

const maxEntries = 20_000
const maxFindings = 1000
const maxShownBytes = 60 * 1024

export const check = action('SVC_Content.check', {
  title: 'Check the entries',
  summary:
    'Finds what an editor would fix: broken links in texts, menus, theme and redirects, missing descriptions, headings, orphans.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found', 'refused', 'unprocessable'],
  job: true,
  input: closed({
    ...chosenProperties,
    rules: Type.Optional(
      severalOf(
        Type.Enum([...checkRules]),
        'What to look for. The default is everything; menus, themes and redirects only with `where: {}`.',
        checkRules.length,
      ),
    ),
  }),
  output: Type.Object({
    items: Type.Array(finding),
    checked: Type.Integer({ description: 'How many entries were looked through.' }),
    total: Type.Integer({
      description: `How many findings there are, at most ${maxFindings}. \`items\` has as many as fit into an answer.`,
    }),
    fixable: Type.Integer({ description: 'How many of them have a `fix`.' }),
  }),
  examples: [
    { title: 'One page', input: { ids: ['/about'] } },
    { title: 'Broken links on the whole site', input: { where: {}, rules: ['links', 'fragments', 'menus', 'redirects'] } },
  ],
  async run(context, input) {
    const { findings, checked } = await checkSite(context, input)
    const found = findings.slice(0, maxFindings).map((one) => shownFinding(context, one))
    const fixable = found.filter(({ fix }) => fix !== null).length
    return { items: fitting(found, maxShownBytes), checked, total: found.length, fixable }
  },
})

/** The choice of entries and rules of a check. */
interface CheckInput {
  readonly ids?: readonly string[] | undefined
  readonly where?: Shown | undefined
  readonly rules?: readonly CheckRule[] | undefined
  /** True to check the side of each entry that the caller would write: with its staged changes, if the write would be staged. */
  readonly asWritten?: boolean
}

/**
 * Checks the chosen entries, and what the whole site shares if all entries or its rules are chosen.
 * @throws Failure as `listChosen` does
 */
export async function checkSite(
  context: Context,
  { ids, where, rules, asWritten = false }: CheckInput,
): Promise<{ readonly findings: readonly FreshFinding[]; readonly checked: number }> {
  checkChosen({ ids, where })
  const isWhole = ids === undefined && Object.keys(where ?? {}).length === 0
  const shared = isWhole ? undefined : rules?.find((rule) => !isEntryRule(rule))
  if (shared !== undefined)
    throw invalid('rules', `"${shared}" is about the whole site, and goes with \`where: {}\` only.`, 'rules for entries')
  const wanted = [...new Set(rules ?? (isWhole ? checkRules : checkRules.filter(isEntryRule)))]
  const headings = createPageHeadings(context)
  const findings: LostFinding[] = []
  const ofSite = siteRules.filter((rule) => wanted.includes(rule))
  findings.push(...(await checkShared(context, ofSite, headings)))
  const ofEntries = wanted.filter(isEntryRule)
  if (ofEntries.length === 0) return { findings: await withNearest(context, findings), checked: 0 }
  const chosen = await listChosen(context, { ids, where }, maxEntries)
  checkMany(chosen.length, maxEntries)
  const linked = ofEntries.includes('orphans') ? await linkedFromPublic(context) : new Set<string>()
  const known = { linked, ends: new Map<string, LinkEnd>(), headings }
  let checked = 0
  for await (const rows of readEntries(context, chosen)) {
    for (const row of rows) {
      if (findings.length >= maxFindings) break
      const side = asWritten ? (await sideOf(context, row, undefined)).row : row
      findings.push(...(await findingsOf(context, side, ofEntries, known)))
    }
    checked += rows.length
    context.progress?.({ done: checked, total: chosen.length, note: 'entries' })
  }
  return { findings: await withNearest(context, findings), checked }
}

async function findingsOf(
  context: Context,
  entry: EntryRow,
  rules: readonly EntryRule[],
  { linked, ends, headings }: Known,
): Promise<readonly LostFinding[]> {
  const { site, db, now, origin } = context
  const linking = rules.includes('links') || rules.includes('fragments')
  const links = linking ? await linksOf(linkContextOf(context), entry) : []
  await readEnds(context, links, ends)
  const checked = {
    entry,
    now,
    links,
    ends,
    deadAnchors: rules.includes('fragments') ? await findDeadAnchors(headings, entry, links, ends) : [],
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
  const { id, title, path, revision } = entry
  const of = { id, kind: 'entry', title, path, revision } as const
  return rules.flatMap((rule) => entryChecks[rule](checked).map((found) => ({ ...of, rule, ...found })))
}

interface Known {
  /** Paths and ids of the entries to which public entries and menus link. */
  readonly linked: ReadonlySet<string>
  /** The target of each path that was looked up so far. */
  readonly ends: Map<string, LinkEnd>
  readonly headings: PageHeadings
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
