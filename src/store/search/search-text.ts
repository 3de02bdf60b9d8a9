// Folds texts for the search index, and queries to phrases, so that case and accents don't matter. The database folds nothing,
// because its folding depends on the locale that it was created with.

/** Scripts without spaces between words, and Hangul, whose particles are attached to words. */
export const unspacedRuns =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+/gu

/** Accents of Latin and Greek letters. In other scripts, marks distinguish letters. */
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu
/** Accents that no precomposed letter has, such as the stress of a Cyrillic vowel. */
const looseAccents = /[\u0300-\u036f]/g
/** Words in folded text. */
export const searchedWords = /[\p{L}\p{M}\p{N}]+/gu
const mayNeedFolding = /[^ -~\s]/

/** True if only the case of a text needs folding, as in most words of most texts. */
export const isPlain = (text: string): boolean => !mayNeedFolding.test(text)

/**
 * Folds a text for the index. A run of an unspaced script becomes overlapping pairs, so that each part of two or more letters is
 * found as a phrase. The last letter follows alone, so that every single letter begins a word.
 */
export function foldForSearch(text: string): string {
  if (isPlain(text)) return text.toLowerCase()
  return spell(text).replace(unspacedRuns, (run) => ` ${[...pairsOf(run), [...run].at(-1)].join(' ')} `)
}

/** Lower-case letters that share their upper-case form with others. NUL ends a text in some databases. */
const otherSpellings: Readonly<Record<string, string>> = { ß: 'ss', ς: 'σ', ı: 'i', '\0': ' ' }

/**
 * Folds different spellings of the same text to one. Case is folded last, because compatibility forms may become upper-case
 * letters.
 */
export function spell(text: string): string {
  if (isPlain(text)) return text.toLowerCase()
  const plain = text.toWellFormed().normalize('NFKD').replace(accents, '').normalize('NFC').replace(looseAccents, '')
  return plain.toLowerCase().replace(/[ßςı\0]/g, (letter) => otherSpellings[letter] ?? letter)
}

function pairsOf(run: string): readonly string[] {
  const letters = [...run]
  return letters.slice(1).map((letter, before) => `${letters[before]}${letter}`)
}

/** Marks a phrase as the beginning of a word: a single letter of an unspaced script. */
export const prefixSign = '*'

/**
 * Returns the phrases that an entry must contain. A phrase is a sequence of words; with `prefixSign` at its end, its last word is a
 * prefix. Words without a letter or digit are omitted.
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

/** The longest part of a query, in UTF-16 units. */
const maxPartLength = 200

/** A part of a query with its place: a word, or a phrase in quotation marks. */
export interface QueryPart {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly quoted: boolean
}

const queryParts = /["“”„]([^"“”„]+)["“”„]|[^\s"“”„]+/gu

/** Returns the first parts of a query. Unpaired quotation marks are ignored. */
export function partsOfQuery(query: string, most: number): readonly QueryPart[] {
  const parts: QueryPart[] = []
  for (const { 0: whole, 1: quoted, index } of query.toWellFormed().replaceAll('\0', ' ').matchAll(queryParts)) {
    if (parts.length === most) break
    const text = (quoted ?? whole).slice(0, maxPartLength)
    if (text.trim() !== '') parts.push({ text, start: index, end: index + whole.length, quoted: quoted !== undefined })
  }
  return parts
}

/** Returns the different words of phrases, at most `most`. The last word of a phrase may be a prefix. */
export function wordsOfPhrases(phrases: readonly string[], most: number): readonly string[] {
  const words = phrases.flatMap((phrase) => {
    const found = phrase.match(searchedWords) ?? []
    const isOpen = (at: number) => phrase.endsWith(prefixSign) && at === found.length - 1
    return found.map((word, at) => (isOpen(at) ? `${word}${prefixSign}` : word))
  })
  return [...new Set(words)].slice(0, most)
}

/** The shortest prefix that is searched for. A single letter begins too many words. */
const minPrefixLength = 2

/**
 * Returns the phrases of the parts of a query.
 * @param typing true if the last word may be a prefix, because somebody is still typing it
 */
export function phrasesOfQuery(parts: readonly QueryPart[], typing = false): readonly string[] {
  return parts.flatMap(({ text, quoted }, place) => {
    const phrases = quoted ? quotedPhrase(text) : phrasesIn([text])
    if (!typing || place < parts.length - 1) return phrases
    const isLong = (phrase: string) => [...phrase].length >= minPrefixLength && !phrase.endsWith(prefixSign)
    return phrases.map((phrase, at) => (at === phrases.length - 1 && isLong(phrase) ? `${phrase}${prefixSign}` : phrase))
  })
}

/**
 * Returns one phrase. If it ends in an unspaced script, its last word may continue in the text, so the single letter at the end of
 * the folded run is left out.
 */
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
