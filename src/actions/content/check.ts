// SVC_Content.check: finds problems in entries. It changes nothing; many findings include the call that fixes them.

import { Type } from 'typebox'
import { fitting } from '../../activity/diff.ts'
import {
  checkRules,
  type CheckRule,
  type DeadAnchor,
  entryChecks,
  type EntryRule,
  isEntryRule,
} from '../../content/entries/check-entry.ts'
import { publicOnly } from '../../content/entries/entry.ts'
import { type FieldLinks, linksOf } from '../../content/entries/entry-links.ts'
import { linkedAnchors } from '../../content/markdown/internal-links.ts'
import { findLinkEnds, type LinkEnd } from '../../content/markdown/link-ends.ts'
import { undescribedImages } from '../../content/markdown/undescribed-images.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { nearest } from '../../base/nearest.ts'
import { action, type Context, type Shown } from '../call/action.ts'
import { suggestPaths } from '../redirects/suggest-path.ts'
import { checkShared, finding, type CheckFinding, type LostFinding } from './check-shared.ts'
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
    'Finds what an editor would fix: broken links in texts, menus, theme and redirects, missing descriptions, headings, orphans.',
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
    items: Type.Array(finding),
    checked: Type.Integer({ description: 'How many entries were looked through.' }),
    total: Type.Integer({
      description: `How many findings there are, at most ${maxFindings}. \`items\` has as many as fit into an answer.`,
    }),
  }),
  examples: [
    { title: 'One page', input: { ids: ['/about'] } },
    { title: 'Broken links on the whole site', input: { where: { status: 'published' }, rules: ['links'] } },
  ],
  async run(context, input) {
    const { findings, checked } = await checkSite(context, input)
    const found = findings.slice(0, maxFindings)
    return { items: fitting(found, maxShownBytes), checked, total: found.length }
  },
})

/** The choice of entries and rules of a check. */
interface CheckInput {
  readonly ids?: readonly string[] | undefined
  readonly where?: Shown | undefined
  readonly rules?: readonly CheckRule[] | undefined
}

/**
 * Checks the chosen entries, and what the whole site shares if all entries or its rules are chosen.
 * @throws Failure as `listChosen` does
 */
export async function checkSite(
  context: Context,
  { ids, where, rules }: CheckInput,
): Promise<{ readonly findings: readonly CheckFinding[]; readonly checked: number }> {
  checkChosen({ ids, where })
  const isWhole = ids === undefined && Object.keys(where ?? {}).length === 0
  const wanted = [...new Set(rules ?? (isWhole ? checkRules : checkRules.filter(isEntryRule)))]
  const ofSite = await checkShared(context, wanted)
  const ofEntries = wanted.filter(isEntryRule)
  if (ofEntries.length === 0) return { findings: await withNearest(context, ofSite), checked: 0 }
  const chosen = await listChosen(context, { ids, where }, maxEntries)
  checkMany(chosen.length, maxEntries)
  const linked = ofEntries.includes('orphans') ? await linkedFromPublic(context) : new Set<string>()
  const known = { linked, ends: new Map<string, LinkEnd>(), headings: new Map<string, readonly string[]>() }
  const findings: LostFinding[] = [...ofSite]
  let checked = 0
  for await (const rows of readEntries(context, chosen)) {
    for (const row of rows)
      if (findings.length < maxFindings) findings.push(...(await findingsOf(context, row, ofEntries, known)))
    checked += rows.length
    context.progress?.({ done: checked, total: chosen.length, note: 'entries' })
  }
  return { findings: await withNearest(context, findings), checked }
}

/** Names a similar public page for each path to which nothing leads. */
async function withNearest({ db, now }: Context, findings: readonly LostFinding[]): Promise<readonly CheckFinding[]> {
  const lost = [...new Set(findings.flatMap(({ lost: path }) => path ?? []))]
  const near = await suggestPaths(db, lost, now)
  return findings.map(({ lost: path, ...one }) => {
    const nearest = path === undefined ? undefined : near.get(path)
    return nearest === undefined ? one : { ...one, nearest }
  })
}

async function findingsOf(
  context: Context,
  entry: EntryRow,
  rules: readonly EntryRule[],
  { linked, ends, headings }: Known,
): Promise<readonly LostFinding[]> {
  const { site, db, now, origin } = context
  const links = rules.includes('links') ? await linksOf(linkContextOf(context), entry) : []
  await readEnds(context, links, ends)
  const checked = {
    entry,
    now,
    links,
    ends,
    deadAnchors: rules.includes('fragments') ? await findDeadAnchors(context, entry, headings) : [],
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
  const { id, title, path } = entry
  return rules.flatMap((rule) =>
    entryChecks[rule](checked).map((found) => ({ id, kind: 'entry' as const, title, path, rule, ...found })),
  )
}

interface Known {
  /** Paths and ids of the entries to which public entries and menus link. */
  readonly linked: ReadonlySet<string>
  /** The target of each path that was looked up so far. */
  readonly ends: Map<string, LinkEnd>
  /** The ids of the headings of each page to which a link leads, by path. */
  readonly headings: Map<string, readonly string[]>
}

/** Places that themes have on each page. */
const ofThemes: ReadonlySet<string> = new Set(['top', 'content', 'main'])

async function findDeadAnchors(
  { site, db, origin }: Context,
  { body }: EntryRow,
  headings: Map<string, readonly string[]>,
): Promise<readonly DeadAnchor[]> {
  // Without this there is no link to a heading in Markdown or HTML.
  if (!/\(<?[^\s()]*#|href=/i.test(body)) return []
  const { html } = await site.renderer.render(body, { origin })
  const idsOf = async (text: string) => (await site.renderer.outline(text)).map(({ id }) => id)
  const dead: DeadAnchor[] = []
  for (const { path, id } of linkedAnchors(html, origin)) {
    if (ofThemes.has(id) || html.includes(`id="${id}"`)) continue
    let known = path === '' ? await idsOf(body) : headings.get(path)
    if (known === undefined) {
      const target = await db.selectFrom('entry').select('body').where('path', '=', path).executeTakeFirst()
      // A link to a missing page is a finding of its own.
      if (!target) continue
      headings.set(path, (known = await idsOf(target.body)))
    }
    if (!known.includes(id)) dead.push({ path, id, nearest: nearest(id, known)[0] })
  }
  return dead
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
