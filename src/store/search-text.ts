// Folds texts for the search index, and a search to the phrases that it looks for, so that they are compared without accents. The database splits
// folded text into words and ignores their case.

/** Scripts that are written without spaces between words, and Hangul, whose particles stick to the words. */
export const unspacedRuns =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+/gu

/** Accents of Latin and Greek letters. In other scripts, marks tell letters apart. */
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu
const mayNeedFolding = /[^ -~\s]/

/** Whether a text has nothing to fold but the case of its letters. Most words of most texts are such. */
export const isPlain = (text: string): boolean => !mayNeedFolding.test(text)

/**
 * Folds a text for the index. Runs of unspaced scripts become overlapping pairs, so that each part of two letters or more is found as a phrase;
 * the last letter follows by itself, so that every single letter is the beginning of a word.
 */
export function foldForSearch(text: string): string {
  if (isPlain(text)) return text
  return spell(text).replace(unspacedRuns, (run) => ` ${[...pairsOf(run), [...run].at(-1)].join(' ')} `)
}

/** One spelling for what people consider the same text. NUL ends a text for some databases. */
export function spell(text: string): string {
  if (isPlain(text)) return text
  const plain = text.toWellFormed().normalize('NFKD').replace(accents, '').normalize('NFC')
  return plain.replaceAll('\0', ' ').replaceAll('ß', 'ss').replaceAll('ẞ', 'SS')
}

function pairsOf(run: string): readonly string[] {
  const letters = [...run]
  return letters.slice(1).map((letter, before) => `${letters[before]}${letter}`)
}

/** The beginning of a word: a single letter of an unspaced script. */
export const prefixSign = '*'

/**
 * The phrases that an entry must contain. A phrase is a sequence of words; one that ends with `prefixSign` is the beginning of a word.
 * Words without a letter or digit are left out.
 */
export function phrasesIn(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => {
    const parts: string[] = []
    const spaced = spell(word).replace(unspacedRuns, (run) => {
      const pairs = pairsOf(run)
      parts.push(pairs.length > 0 ? pairs.join(' ') : `${run}${prefixSign}`)
      return ' '
    })
    return [...spaced.split(/\s+/u), ...parts].filter((part) => /[\p{L}\p{N}]/u.test(part))
  })
}

/** The longest part of a query that is looked for, in UTF-16 units. */
const maxPartLength = 200

/** A part of a query, with its place in it: a word, or a phrase between two quotation marks. */
export interface QueryPart {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly quoted: boolean
}

const queryParts = /["“”„]([^"“”„]+)["“”„]|[^\s"“”„]+/gu

/** The first parts of a query. Quotation marks without a partner are ignored. */
export function partsOfQuery(query: string, most: number): readonly QueryPart[] {
  const parts: QueryPart[] = []
  for (const { 0: whole, 1: quoted, index } of query.toWellFormed().replaceAll('\0', ' ').matchAll(queryParts)) {
    if (parts.length === most) break
    const text = (quoted ?? whole).slice(0, maxPartLength)
    if (text.trim() !== '') parts.push({ text, start: index, end: index + whole.length, quoted: quoted !== undefined })
  }
  return parts
}

/** The fewest letters of which the beginning of a word is looked for. A single letter begins too many words. */
const minPrefixLength = 2

/**
 * The phrases of the parts of a query.
 * @param typing whether the last word may be the beginning of a word, because it is still being typed
 */
export function phrasesOfQuery(parts: readonly QueryPart[], typing = false): readonly string[] {
  return parts.flatMap(({ text, quoted }, place) => {
    const phrases = quoted ? quotedPhrase(text) : phrasesIn([text])
    if (!typing || place < parts.length - 1) return phrases
    const isLong = (phrase: string) => [...phrase].length >= minPrefixLength && !phrase.endsWith(prefixSign)
    return phrases.map((phrase, at) => (at === phrases.length - 1 && isLong(phrase) ? `${phrase}${prefixSign}` : phrase))
  })
}

/** One phrase. Its last word may go on in the text if it is of an unspaced script, so the letter that ends the folded run is left out. */
function quotedPhrase(text: string): readonly string[] {
  const spelt = spell(text).trim()
  const lastRun = [...spelt.matchAll(unspacedRuns)].at(-1)
  const endsUnspaced = lastRun !== undefined && lastRun.index + lastRun[0].length === spelt.length
  const words = foldForSearch(spelt)
    .split(/\s+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
  const last = words.at(-1)
  if (last === undefined) return []
  if (!endsUnspaced) return [words.join(' ')]
  return [[...lastRun[0]].length > 1 ? words.slice(0, -1).join(' ') : `${words.join(' ')}${prefixSign}`]
}
