import { Type } from 'typebox'
import { partsOfQuery, phrasesOfQuery } from '../../store/search/search-text.ts'
import { action } from '../call/action.ts'
import { listOutput, listProperties } from '../lists/list.ts'
import { maxWords } from '../lists/search-words.ts'
import { nullable } from '../call/write-answer.ts'
import { entryFilters, entryList } from '../content/list.ts'
import { suggestQuery } from './did-you-mean.ts'
import { foundAnswer, foundItem, listFound } from './found-entries.ts'
import { closed, flag, nonEmptyText } from '../../base/schema.ts'

/** The longest query. Of a shorter one, the first ten words and phrases count. */
const maxQueryLength = 20_000

const { where, limit, cursor } = listProperties(entryList)
const { items, next_cursor, searched } = listOutput(foundItem).properties

export const query = action('SVC_Search.query', {
  title: 'Search the entries',
  summary: 'Finds entries by the words in them, the best match first, with a snippet of each text.',
  tier: 'any',
  effect: 'read',
  input: closed({
    query: nonEmptyText(
      `Words to look for: an entry must contain each of them, as a whole word; case and accents don't matter. Words in quotation marks must follow each other. At most the first ${maxWords} words and phrases count.`,
      maxQueryLength,
    ),
    typing: flag('Whether the last word may be the beginning of a word, for results as a person types.'),
    ...entryFilters,
    where,
    limit,
    cursor,
  }),
  output: Type.Object({
    items,
    next_cursor,
    did_you_mean: nullable(
      Type.String(),
      'The query in a spelling that finds more, on the first page of a search with few results; otherwise null.',
    ),
    searched,
  }),
  examples: [
    { title: 'Entries about opening hours', input: { query: 'opening hours' } },
    { title: 'A phrase', input: { query: '"opening hours"', limit: 5 } },
    { title: 'Results as a person types', input: { query: 'open', typing: true } },
  ],
  async run(context, input) {
    const { query: text, typing = false } = input
    const phrases = phrasesOfQuery(partsOfQuery(text, maxWords), typing)
    const page = await listFound(context, input, { phrases })
    const answered = await foundAnswer(context, input, page, phrases)
    const isFirst = input.cursor === undefined
    const meant = isFirst && phrases.length > 0 ? await suggestQuery(context, input, text, page.rows.length) : null
    return { ...answered, did_you_mean: meant }
  },
})
