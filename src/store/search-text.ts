// Folds texts for the search index, and a search to the phrases that it looks for, so that they are compared without accents. The database splits
// folded text into words and ignores their case.

/** Scripts that are written without spaces between words, and Hangul, whose particles stick to the words. */
const unspacedRuns =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+/gu

/** Accents of Latin and Greek letters. In other scripts, marks tell letters apart. */
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu
const mayNeedFolding = /[^ -~\s]/

/**
 * Folds a text for the index. Runs of unspaced scripts become overlapping pairs, so that each part of two letters or more is found as a phrase;
 * the last letter follows by itself, so that every single letter is the beginning of a word.
 */
export function foldForSearch(text: string): string {
  if (!mayNeedFolding.test(text)) return text
  return spell(text).replace(unspacedRuns, (run) => ` ${[...pairsOf(run), [...run].at(-1)].join(' ')} `)
}

/** One spelling for what people consider the same text. NUL ends a text for some databases. */
function spell(text: string): string {
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
