// Folds texts for the search index, and a search to the phrases that it looks for, so that they are compared without case and accents. All of that is
// done here and nothing is left to the database, which folds letters by the locale that it was created with.

/** Scripts that are written without spaces between words, and Hangul, whose particles stick to the words. */
export const unspacedRuns =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+/gu

/** Accents of Latin and Greek letters. In other scripts, marks tell letters apart. */
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu
/** Accents for which no letter with the accent exists, such as the stress of a Cyrillic vowel. */
const looseAccents = /[\u0300-\u036f]/g
/** Words, in folded text. */
export const searchedWords = /[\p{L}\p{M}\p{N}]+/gu
const mayNeedFolding = /[^ -~\s]/

/** True if a text has nothing to fold but the case of its letters. Most words of most texts are such. */
export const isPlain = (text: string): boolean => !mayNeedFolding.test(text)

/**
 * Folds a text for the index. Runs of unspaced scripts become overlapping pairs, so that each part of two letters or more is found as a phrase;
 * the last letter follows by itself, so that every single letter is the beginning of a word.
 */
export function foldForSearch(text: string): string {
  if (isPlain(text)) return text.toLowerCase()
  return spell(text).replace(unspacedRuns, (run) => ` ${[...pairsOf(run), [...run].at(-1)].join(' ')} `)
}

/** Lower-case letters that have the same upper-case form as other letters. NUL ends a text for some databases. */
const otherSpellings: Readonly<Record<string, string>> = { ß: 'ss', ς: 'σ', ı: 'i', '\0': ' ' }

/** One spelling for what people consider the same text. Upper-case letters may come from the compatibility forms, so they are folded after those. */
export function spell(text: string): string {
  if (isPlain(text)) return text.toLowerCase()
  const plain = text.toWellFormed().normalize('NFKD').replace(accents, '').normalize('NFC').replace(looseAccents, '')
  return plain.toLowerCase().replace(/[ßςı\0]/g, (letter) => otherSpellings[letter] ?? letter)
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

/** The different words of phrases, at most so many. The last word of a phrase may be the beginning of a word. */
export function wordsOfPhrases(phrases: readonly string[], most: number): readonly string[] {
  const words = phrases.flatMap((phrase) => {
    const found = phrase.match(searchedWords) ?? []
    const isOpen = (at: number) => phrase.endsWith(prefixSign) && at === found.length - 1
    return found.map((word, at) => (isOpen(at) ? `${word}${prefixSign}` : word))
  })
  return [...new Set(words)].slice(0, most)
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
