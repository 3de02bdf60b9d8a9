// SVC_Search.everything: one query for the searches of all classes. Each kind is searched by the action of its class, and only if
// the caller may call that, so it shows only what the caller may list. A kind without results is left out, like one
// that the caller may not list.

import { type Static, Type } from 'typebox'
import { boundedInteger, closed, flag, nonEmptyText } from '../../base/schema.ts'
import { wordsIn, maxWords } from '../lists/search-words.ts'
import { action } from '../call/action.ts'
import { adoptThemes } from '../shared/adopt-files.ts'
import { checkDeadline } from '../call/deadline.ts'
import { isVisible } from '../call/registry.ts'
import { nullable } from '../call/write-answer.ts'
import { type FoundOfKind, type KindAsked, kinds, type SearchedKind } from './kinds.ts'
import { foundItem } from './found-entries.ts'

const kindNames = Object.keys(kinds) as (keyof typeof kinds)[]

/** The longest query. */
const maxQueryLength = 200

const item = Type.Object({
  kind: Type.Enum(kindNames),
  id: Type.String(),
  title: Type.String(),
  path: nullable(Type.String(), 'Its path on the site; of a theme file, the one in the theme. Null where it has none.'),
  snippet: Type.String({ description: 'Plain text beside what was found; never markup.' }),
  marks: Type.Optional(foundItem.properties.marks),
  call: Type.String({ description: 'Reads it.' }),
})

const count = Type.Object({
  kind: Type.Enum(kindNames),
  total: Type.Integer(),
  total_at_least: Type.Optional(Type.Boolean({ description: 'True if there may be more.' })),
  call: nullable(Type.String(), 'Lists all of the kind; null where there is no such action.'),
})

const output = Type.Object({
  items: Type.Array(item, { description: 'By kind, the best first.' }),
  counts: Type.Array(count, { description: 'How many there are of each kind that has any.' }),
  did_you_mean: nullable(Type.String(), 'The query in a spelling that finds more entries.'),
})

export const everything = action('SVC_Search.everything', {
  title: 'Search everything',
  summary:
    'Finds entries, media, terms, people, settings and theme files by words: a few of each kind, with the call that reads it.',
  tier: 'read',
  effect: 'read',
  input: closed({
    query: nonEmptyText(`Words that must all be there; the first ${maxWords} count.`, maxQueryLength),
    kinds: Type.Optional(
      Type.Array(Type.Enum(kindNames), { description: 'The default is all.', minItems: 1, maxItems: kindNames.length }),
    ),
    limit: Type.Optional(boundedInteger('Items of each kind; the default is 5.', 1, 20)),
    typing: flag('True if the last word may be the beginning of a word of an entry.'),
  }),
  output,
  examples: [
    { title: 'Where something stands', input: { query: 'opening hours' } },
    { title: 'A setting or a file of the theme', input: { query: 'logo', kinds: ['setting', 'theme_file'], limit: 3 } },
  ],
  async prepare(context, { kinds: wanted = kindNames }) {
    // Adopts files that were changed in the folder of themes.
    if (wanted.includes('theme_file') && isVisible(kinds.theme_file.action, context.caller)) await adoptThemes(context)
  },
  async run(context, { query, kinds: wanted = kindNames, limit = 5, typing = false }) {
    const asked = { query, words: wordsIn(query).slice(0, maxWords), limit, typing }
    // `select` applies to this answer, not to the searches in it.
    const own = { ...context, db: context.db, signal: context.signal, select: undefined }
    const answer: Static<typeof output> = { items: [], counts: [], did_you_mean: null }
    for (const kind of kindNames) {
      if (!wanted.includes(kind) || !isVisible(kinds[kind].action, context.caller)) continue
      checkDeadline(context)
      const found = await kinds[kind].find(own, asked)
      answer.items.push(...found.items.map((one) => ({ kind, ...one })))
      if (found.total > 0) answer.counts.push(countOf(kind, found, asked))
      if (found.meant !== undefined) answer.did_you_mean = found.meant
    }
    return answer
  },
})

function countOf(kind: keyof typeof kinds, { total, isAtLeast }: FoundOfKind, asked: KindAsked): Static<typeof count> {
  const searched: SearchedKind = kinds[kind]
  return { kind, total, ...(isAtLeast && { total_at_least: true }), call: searched.all?.(asked) ?? null }
}
