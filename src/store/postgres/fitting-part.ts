// How much of a text goes into the search index. PostgreSQL refuses a text with more words than a `tsvector` holds.

/**
 * A `tsvector` holds at most 1 MiB. A third of it is used here, because PostgreSQL keeps compounds, such as an address, beside their parts.
 * @see https://www.postgresql.org/docs/15/textsearch-limitations.html
 */
const maxVectorBytes = 2 ** 20 / 3
/** PostgreSQL leaves out longer words, and further positions of a word. */
const maxWordBytes = 2046
const maxPositions = 256
/** A text of this length always fits. */
const shortLength = 50_000

/** The beginning of a text whose words fit into a `tsvector`; all of most texts, because a word is kept once. */
export function fittingPart(text: string): string {
  if (text.length <= shortLength) return text
  const times = new Map<string, number>()
  let bytes = 0
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const before = times.get(word) ?? 0
    const length = before === 0 ? Buffer.byteLength(word) : 0
    if (before === maxPositions || length > maxWordBytes) continue
    times.set(word, before + 1)
    // A new word needs the number of its positions, too, and both are aligned.
    bytes += before === 0 ? length + 5 : 2
    if (bytes > maxVectorBytes) return text.slice(0, index)
  }
  return text
}
