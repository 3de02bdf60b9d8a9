// SVC_Content.replace-all: replaces an exact text in many entries at once. The matches are counted before the transaction, some entries at a time; the
// transaction reads again only entries with matches, and those that changed meanwhile.

import { Type } from 'typebox'
import { editedFields } from '../../../content/edits.ts'
import { checkBody, checkText, checkTitle, maxExcerptChars } from '../../../content/entry-text.ts'
import { countMatches, type Replacing, replaceText } from '../../../content/replace-text.ts'
import { Failure } from '../../../failure.ts'
import type { EntryRow } from '../../../store/schema.ts'
import { fitting } from '../../../activity/diff.ts'
import { action, type Context } from '../../action.ts'
import { checkExpected } from '../../expect.ts'
import { writeProperties } from '../../write-answer.ts'
import { checkMany, listChosen, readEntries, whereProperty } from './chosen.ts'
import { elsewhereProperty, findElsewhere } from './elsewhere.ts'
import { sideOf, writeSide } from './side.ts'

/** The entries that one call searches, those that it changes, and the characters that it writes. */
const maxSearched = 100_000
const maxChanged = 1000
const maxWritten = 32 * 1024 ** 2
const maxShownBytes = 32 * 1024

type SearchedField = (typeof editedFields)[number]

export const replaceAll = action({
  class: 'SVC_Content',
  name: 'replace-all',
  summary: 'Replaces an exact text in title, excerpt and body of all entries, or of those that `where` chooses.',
  tier: 'content',
  effect: 'write',
  failures: ['not_found', 'conflict', 'exists', 'in_use', 'unprocessable'],
  touches: 'entries',
  input: Type.Object(
    {
      find: Type.String({ description: 'Exact text; no patterns.', minLength: 1, maxLength: 10_000 }),
      replace: Type.String({ description: 'The text in its place.', maxLength: 10_000 }),
      expect: Type.Integer({
        minimum: 0,
        description: 'How many matches you mean to replace, in all entries together. Where the number differs, nothing is done.',
      }),
      where: whereProperty('Conditions as in `list`. The default is every entry that is not in the trash.'),
      in: Type.Optional(
        Type.Array(Type.Enum([...editedFields]), {
          description: 'The fields to search. The default is all of these.',
          minItems: 1,
          maxItems: editedFields.length,
        }),
      ),
      match_case: Type.Optional(Type.Boolean({ description: 'Whether upper and lower case differ. The default is true.' })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    done: Type.Array(Type.String(), { description: 'Ids of the entries that changed.' }),
    matches: Type.Integer(),
    entries: Type.Array(
      Type.Object({
        id: Type.String(),
        path: Type.Union([Type.String(), Type.Null()]),
        matches: Type.Integer(),
        live: Type.Boolean({ description: 'Whether the public sees the change now.' }),
        excerpts: Type.Array(Type.String(), { description: 'The first matches, as they were.' }),
      }),
      { description: 'As many as fit into an answer.' },
    ),
    elsewhere: elsewhereProperty,
    ...writeProperties,
  }),
  examples: [
    { title: 'A telephone number', input: { find: '555 0100', replace: '555 0199', expect: 0 } },
    {
      title: 'A word in titles, in any case',
      input: { find: 'tuesday fair', replace: 'Monday fair', in: ['title'], match_case: false, expect: 0 },
    },
  ],
  prepare: (context, input) => countAll(context, searchOf(input), input.where),
  async run(context, input, counted) {
    const search = searchOf(input)
    const chosen = await listChosen(context, { where: input.where ?? {} }, maxSearched)
    checkMany(chosen.length, maxSearched)
    const known = new Map(counted.map((one) => [one.id, one]))
    const matching = chosen.filter(({ id, revision }) => {
      const before = known.get(id)
      return before === undefined || before.revision !== revision || before.matches > 0
    })
    const entries: { id: string; path: string | null; matches: number; live: boolean; excerpts: string[] }[] = []
    let written = 0
    for await (const rows of readEntries(
      context,
      matching.map(({ id }) => id),
    ))
      for (const row of rows) {
        const side = await sideOf(context, row, undefined)
        const made = replaceIn(side.row, search)
        if (made.matches === 0) continue
        checkMany(entries.length + 1, maxChanged)
        written += Object.values(made.patch).reduce((sum, text) => sum + text.length, 0)
        if (written > maxWritten) throw tooMuch()
        const { staged } = await writeSide(context, side, checked(made.patch), { whole: false })
        const live = !staged && row.status === 'published'
        entries.push({ id: row.id, path: row.path, matches: made.matches, live, excerpts: [...made.excerpts] })
      }
    const matches = entries.reduce((sum, one) => sum + one.matches, 0)
    checkExpected(matches, input.expect, 'matches')
    const elsewhere = await findElsewhere(context.db, search)
    return {
      done: entries.map(({ id }) => id),
      matches,
      entries: fitting(entries, maxShownBytes),
      ...(elsewhere.length > 0 && { elsewhere }),
      warnings: [],
      activity_id: null,
    }
  },
})

interface Search extends Replacing {
  readonly fields: readonly SearchedField[]
}

interface Given {
  readonly find: string
  readonly replace: string
  readonly in?: readonly SearchedField[]
  readonly match_case?: boolean
}

const searchOf = ({ find, replace, in: fields = editedFields, match_case: matchCase = true }: Given): Search => ({
  find,
  replace,
  fields: [...new Set(fields)],
  matchCase,
})

/** How many matches each entry has, before the transaction. */
async function countAll(context: Context, search: Search, where: Readonly<Record<string, unknown>> = {}) {
  const chosen = await listChosen(context, { where }, maxSearched)
  const counted: { id: string; revision: number; matches: number }[] = []
  for await (const rows of readEntries(
    context,
    chosen.map(({ id }) => id),
  ))
    for (const row of rows) {
      const { row: shown } = await sideOf(context, row, undefined)
      const matches = search.fields.reduce((sum, field) => sum + countMatches(shown[field] ?? '', search), 0)
      counted.push({ id: row.id, revision: row.revision, matches })
    }
  return counted
}

function replaceIn(row: EntryRow, search: Search) {
  const patch: Partial<Record<SearchedField, string>> = {}
  const excerpts: string[] = []
  let matches = 0
  for (const field of search.fields) {
    const made = replaceText(row[field] ?? '', search)
    if (made.matches === 0) continue
    matches += made.matches
    patch[field] = made.text
    excerpts.push(...made.excerpts)
  }
  return { patch, matches, excerpts: excerpts.slice(0, 3) }
}

/** @throws Failure `invalid` or `too_large` for a text that no entry may have */
function checked({ title, body, excerpt }: Partial<Record<SearchedField, string>>): Partial<EntryRow> {
  return {
    ...(title === undefined ? {} : { title: checkTitle(title) }),
    ...(body === undefined ? {} : { body: checkBody(body) }),
    ...(excerpt === undefined ? {} : { excerpt: checkText(excerpt, 'excerpt', maxExcerptChars) }),
  }
}

const tooMuch = () =>
  new Failure('refused', `One call writes at most ${maxWritten / 1024 ** 2} million characters.`, {
    field: 'where',
    rule: 'one call writes a bounded amount of text',
    hint: 'Narrow `where`, and make several calls.',
  })
