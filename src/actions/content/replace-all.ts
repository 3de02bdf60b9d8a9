// SVC_Content.replace-all: replaces an exact text in many entries. Matches are counted before the transaction, in batches.

import { entryWrite } from './writing.ts'
import { type Static, Type } from 'typebox'
import { follow } from '../../content/types/followed-schemas.ts'
import { countInEntry, replacedParts, replaceInEntry, type ReplacingIn } from '../../content/entries/replace-in-entry.ts'
import { Failure } from '../../base/failure.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { fitting } from '../../activity/diff.ts'
import { action, type Context } from '../call/action.ts'
import { checkExpected, expectProperty } from '../shared/expect.ts'
import { entriesWait, waitsProperty } from '../call/waits.ts'
import { fullProperty, nullable, sampleOf, writeProperties } from '../call/write-answer.ts'
import { referenceFinder } from './fields.ts'
import { checkMany, listChosen, readEntries, whereProperty } from './chosen.ts'
import { elsewhereProperty, findElsewhere } from './elsewhere.ts'
import { sideOf, writeSide } from './side.ts'
import { boundedText, closed, flag, nonEmptyText } from '../../base/schema.ts'

/** The limits of one call: entries that it searches, entries that it changes, and characters that it writes. */
const maxSearched = 100_000
const maxChanged = 1000
const maxWritten = 32 * 1024 ** 2
const maxShownBytes = 32 * 1024

/** The default parts to search. */
const usualParts = replacedParts.filter((part) => part !== 'seo')

const request = closed({
  find: nonEmptyText('Exact text; no patterns.', 10_000),
  replace: boundedText('The text in its place.', 10_000),
  expect: expectProperty('matches in all entries together'),
  where: whereProperty('Conditions as in `list`. The default is every entry that is not in the trash.'),
  in: Type.Optional(
    Type.Array(Type.Enum([...replacedParts] as string[], follow('edited')), {
      description: `What to search; \`fields\` means all texts in fields of types. The default is ${usualParts.join(', ')}.`,
      minItems: 1,
      maxItems: 100,
    }),
  ),
  match_case: flag('Whether upper and lower case differ. The default is true.'),
  full: fullProperty,
})

export const replaceAll = action('SVC_Content.replace-all', {
  title: 'Replace a text in [{title}|an entry]',
  summary:
    'Replaces an exact text in the texts of all entries, or of those that `where` chooses: title, excerpt, body and the fields of their types.',
  did: 'replaced a text in [{title}|an entry]',
  ...entryWrite,
  effect: 'write',
  failures: ['not_found', 'conflict', 'exists', 'in_use', 'unprocessable'],
  input: request,
  output: Type.Object({
    done: Type.Array(Type.String(), { description: 'Ids of the entries that changed: the first ten, with `full` all.' }),
    matches: Type.Integer(),
    entries: Type.Array(
      Type.Object({
        id: Type.String(),
        path: nullable(Type.String()),
        matches: Type.Integer(),
        live: Type.Boolean({ description: 'Whether the public sees the change now.' }),
        excerpts: Type.Array(Type.String(), { description: 'The first matches, as they were.' }),
      }),
      { description: 'The first ten; with `full` as many as fit into an answer.' },
    ),
    elsewhere: elsewhereProperty,
    ...waitsProperty,
    counts: Type.Object({ done: Type.Integer(), elsewhere: Type.Integer() }),
    ...writeProperties,
  }),
  examples: [
    { title: 'A telephone number', input: { find: '555 0100', replace: '555 0199', expect: 0 } },
    {
      title: 'A word in titles, in any case',
      input: { find: 'tuesday fair', replace: 'Monday fair', in: ['title'], match_case: false, expect: 0 },
    },
  ],
  async prepare(context, input) {
    return { types: context.site.types.current, counted: await countAll(context, searchOf(input), input.where) }
  },
  async run(context, input, prepared) {
    const search = searchOf(input)
    const chosen = await listChosen(context, { where: input.where ?? {} }, maxSearched)
    checkMany(chosen.length, maxSearched)
    // In a batch, an earlier call may have changed the types.
    const counted = prepared.types === context.site.types.current ? prepared.counted : []
    const known = new Map(counted.map((one) => [one.id, one]))
    const matching = chosen.filter(({ id, revision }) => {
      const before = known.get(id)
      return before === undefined || before.revision !== revision || before.matches > 0
    })
    const entries: { id: string; path: string | null; matches: number; live: boolean; excerpts: string[] }[] = []
    const waiting = new Set<string>()
    let written = 0
    for await (const rows of readEntries(context, matching))
      for (const row of rows) {
        const side = await sideOf(context, row, undefined)
        const made = await naming(row, () => replaceIn(context, side.row, search))
        if (made.matches === 0) continue
        checkMany(entries.length + 1, maxChanged)
        written += Object.values(made.patch).reduce((sum, text) => sum + (text?.length ?? 0), 0)
        if (written > maxWritten) throw tooMuch()
        const { staged } = await naming(row, () => writeSide(context, side, made.patch, { whole: false }))
        if (staged) waiting.add(row.id)
        const live = !staged && row.status === 'published'
        entries.push({ id: row.id, path: row.path, matches: made.matches, live, excerpts: [...made.excerpts] })
      }
    const matches = entries.reduce((sum, one) => sum + one.matches, 0)
    checkExpected(matches, input.expect, 'matches')
    const elsewhere = await findElsewhere(context, search, waiting)
    return {
      done: sampleOf(entries, input.full).map(({ id }) => id),
      matches,
      entries: fitting(sampleOf(entries, input.full), maxShownBytes),
      ...(elsewhere.length > 0 && { elsewhere: fitting(sampleOf(elsewhere, input.full), maxShownBytes / 2) }),
      counts: { done: entries.length, elsewhere: elsewhere.length },
      ...(waiting.size > 0 && !context.dryRun && { waits: entriesWait(context, waiting.size) }),
      warnings: [],
      activity_id: null,
    }
  },
})

const searchOf = ({
  find,
  replace,
  in: parts = usualParts,
  match_case: matchCase = true,
}: Static<typeof request>): ReplacingIn => ({
  find,
  replace,
  parts: new Set(parts),
  matchCase,
})

/** Counts the matches in each entry, before the transaction. */
async function countAll(context: Context, search: ReplacingIn, where: Readonly<Record<string, unknown>> = {}) {
  const chosen = await listChosen(context, { where }, maxSearched)
  const types = context.site.types.current
  const counted: { id: string; revision: number; matches: number }[] = []
  for await (const rows of readEntries(context, chosen))
    for (const row of rows) {
      const { row: shown } = await sideOf(context, row, undefined)
      counted.push({ id: row.id, revision: row.revision, matches: countInEntry(shown, types.of(shown.type), search) })
    }
  return counted
}

function replaceIn(context: Context, row: EntryRow, search: ReplacingIn) {
  const { settings, types } = context.site
  const values = { timeZone: settings.values.time_zone, ...referenceFinder(context) }
  return replaceInEntry(row, types.current.of(row.type), search, values)
}

/** Names the entry in a failure, because the call concerns many entries. */
async function naming<T>({ id, path, title }: EntryRow, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const hint = error.detail.hint ?? 'Nothing was replaced. `where` can leave this entry out, and `in` this field.'
    const detail = { by: { id, path, title }, ...error.detail, hint }
    throw new Failure(error.code, `${path ?? id}: ${error.message}`, detail, { cause: error })
  }
}

const tooMuch = () =>
  new Failure('refused', `One call writes at most ${maxWritten / 1024 ** 2} million characters.`, {
    field: 'where',
    rule: 'one call writes a bounded amount of text',
    hint: 'Narrow `where`, and make several calls.',
  })
