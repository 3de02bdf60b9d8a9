// SVC_Content.check: looks through entries for what an editor would mend. It changes nothing; many findings come with the call that mends them.

import { Type } from 'typebox'
import { fitting } from '../../../activity/diff.ts'
import { checkRules, type CheckRule, entryChecks, type EntryFinding } from '../../../content/check-entry.ts'
import { publicOnly } from '../../../content/entry.ts'
import { findLinkedEntries } from '../../../content/linked-entries.ts'
import { linksIn } from '../../../content/link-sources.ts'
import type { EntryRow } from '../../../store/schema.ts'
import { action, type Context } from '../../action.ts'
import { checkChosen, checkMany, chosenProperties, listChosen, readEntries } from './chosen.ts'
import { linkContextOf } from './links.ts'

const maxEntries = 20_000
const maxFindings = 1000
const maxShownBytes = 60 * 1024

export const check = action({
  class: 'SVC_Content',
  name: 'check',
  summary:
    'Finds what an editor would mend: broken links, missing descriptions of images, headings, lengths, orphans, double titles.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found', 'refused', 'unprocessable'],
  touches: 'nothing',
  job: true,
  input: Type.Object(
    {
      ...chosenProperties,
      rules: Type.Optional(
        Type.Array(Type.Enum([...checkRules]), {
          description: 'What to look for. The default is everything.',
          minItems: 1,
          maxItems: checkRules.length,
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    items: Type.Array(
      Type.Object({
        id: Type.String(),
        rule: Type.Enum([...checkRules]),
        place: Type.String(),
        message: Type.String(),
        fix: Type.Union([Type.Object({ call: Type.String(), arguments: Type.Unknown() }), Type.Null()], {
          description: 'The call that mends it; null where somebody has to decide how.',
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
    const findings: EntryFinding[] = []
    let done = 0
    for await (const rows of readEntries(
      context,
      chosen.map(({ id }) => id),
    )) {
      for (const row of rows)
        if (findings.length < maxFindings) findings.push(...(await findingsOf(context, row, wanted, linked)))
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
  linked: ReadonlySet<string>,
): Promise<readonly EntryFinding[]> {
  const { site, db, now } = context
  const paths = rules.includes('links') ? (await linksIn(linkContextOf(context), entry.body)).paths : []
  const checked = {
    entry,
    now,
    paths,
    targets: await findLinkedEntries(db, paths),
    sections: rules.includes('headings') ? await site.renderer.outline(entry.body) : [],
    summary:
      rules.includes('lengths') && entry.body !== ''
        ? ((await site.excerpts.of([entry], site.settings.values.language)).texts[0] ?? '')
        : '',
    isLinked: linked.has(entry.path ?? ''),
    sameTitle: rules.includes('titles') ? await othersNamed(context, entry) : [],
  }
  return rules.flatMap((rule) => entryChecks[rule](checked).map((finding) => ({ id: entry.id, rule, ...finding })))
}

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

/** All paths to which public entries link. */
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
  for await (const page of readEntries(
    context,
    rows.map(({ id }) => id),
  ))
    for (const row of page) for (const path of (await linksIn(linking, row.body)).paths) if (path !== row.path) linked.add(path)
  return linked
}
