// The words of a document as the text of a `tsvector`, and a search as the text of a `tsquery`. PostgreSQL uses both unchanged. Its
// own parser and dictionaries would split and fold words by the locale of the database.
// @see https://www.postgresql.org/docs/15/datatype-textsearch.html

import type { SearchDocument, Searching } from '../search/search.ts'
import { prefixSign, searchedWords } from '../search/search-text.ts'

/** A `tsvector` has at most 1 MiB. Of a longer document, the first part is indexed. */
const maxVectorBytes = 1_000_000
/** PostgreSQL refuses longer words, ignores further positions of a word, and has no higher position. */
const maxWordBytes = 2046
const maxPositions = 256
const maxPosition = 16_383

/** Returns the words of a document with their positions. Words of the title have the weight A. */
export function vectorOf({ title, text }: Pick<SearchDocument, 'title' | 'text'>): string {
  const words = new Map<string, string[]>()
  let [bytes, position] = [0, 0]
  for (const [part, weight] of [[title, 'A'] as const, [text, ''] as const]) {
    for (const [word] of part.matchAll(searchedWords)) {
      const at = `${Math.min((position += 1), maxPosition)}${weight}`
      const known = words.get(word)
      if (known) {
        if (known.length === maxPositions || known.at(-1) === at) continue
        bytes += 2
      } else {
        const length = Buffer.byteLength(word)
        if (length > maxWordBytes) continue
        // For the number of positions, and the alignment of both.
        bytes += length + 5
      }
      if (bytes > maxVectorBytes) return textOf(words)
      if (known) known.push(at)
      else words.set(word, [at])
    }
    // The gap prevents a phrase from beginning in the title and ending in the text.
    position += 1
  }
  return textOf(words)
}

/** Words contain neither quotation marks nor backslashes. */
function textOf(words: ReadonlyMap<string, readonly string[]>): string {
  let text = ''
  for (const [word, positions] of words) text += `'${word}':${positions.join(',')} `
  return text
}

/** Returns the text of a query for all phrases, or for any of them. */
export function vectorQuery({ phrases, which }: Pick<Searching, 'phrases' | 'which'>): string {
  const queries = phrases.flatMap((phrase) => {
    const words = (phrase.match(searchedWords) ?? []).map((word) => `'${word}'`)
    return words.length === 0 ? [] : [`(${words.join(' <-> ')}${phrase.endsWith(prefixSign) ? ':*' : ''})`]
  })
  return queries.join(which === 'all' ? ' & ' : ' | ')
}
