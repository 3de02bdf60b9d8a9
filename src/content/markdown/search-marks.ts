// Finds the phrases of a search in a text, to mark them. The words are compared in the folded form of the search index. The places
// refer to the original text. The time is linear in the length of the text.

import { isPlain, prefixSign, searchedWords, spell, unspacedRuns } from '../../store/search/search-text.ts'

/** A part of a text in UTF-16 units: its start, and its exclusive end. */
export type Mark = readonly [start: number, end: number]

/** A mark, and the number of the phrase at that place. */
export interface Found {
  readonly start: number
  readonly end: number
  readonly phrase: number
}

interface Word {
  readonly folded: string
  readonly start: number
  readonly end: number
  /** The end of the first letter of a pair; otherwise the end of the word. */
  readonly prefixEnd: number
}

interface Phrase {
  readonly words: readonly string[]
  readonly isPrefix: boolean
}

/** The most places that are found in one text. */
const maxFound = 200

/** Finds the places of phrases from `phrasesOfQuery`, in the order of the text. They may overlap. */
export function findPhrases(text: string, phrases: readonly string[]): readonly Found[] {
  const wanted = phrases.map(toPhrase)
  const words = [...wordsOf(text)]
  const found: Found[] = []
  for (let at = 0; at < words.length && found.length < maxFound; at++)
    wanted.forEach((one, phrase) => {
      const end = endOf(one, words, at)
      if (end !== undefined) found.push({ start: words[at]?.start ?? 0, end, phrase })
    })
  return found
}

/** Joins places that touch or overlap. */
export function toMarks(found: readonly Pick<Found, 'start' | 'end'>[]): readonly Mark[] {
  const marks: [number, number][] = []
  for (const { start, end } of found) {
    const last = marks.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else marks.push([start, end])
  }
  return marks
}

function toPhrase(phrase: string): Phrase {
  const isPrefix = phrase.endsWith(prefixSign)
  return { words: phrase.match(searchedWords) ?? [], isPrefix }
}

/** Returns the end of a phrase that begins with a word of the text; undefined if it isn't there. */
function endOf({ words: wanted, isPrefix }: Phrase, words: readonly Word[], at: number): number | undefined {
  if (wanted.length === 0) return undefined
  for (let place = 0; place < wanted.length; place++) {
    const [want = '', word] = [wanted[place], words[at + place]]
    const isLast = place === wanted.length - 1
    if (!word || (word.folded !== want && !(isLast && isPrefix && word.folded.startsWith(want)))) return undefined
    if (isLast) return isPrefix ? word.prefixEnd : word.end
  }
  return undefined
}

/** The words of a text in the form of the index. Runs of unspaced scripts become overlapping pairs and the last letter. */
function* wordsOf(text: string): Generator<Word> {
  for (const { 0: whole, index } of text.matchAll(searchedWords)) {
    if (isPlain(whole)) {
      yield wordOf(whole, index)
      continue
    }
    let from = 0
    for (const { 0: run, index: at } of whole.matchAll(unspacedRuns)) {
      if (at > from) yield wordOf(whole.slice(from, at), index + from)
      yield* pairsOf(run, index + at)
      from = at + run.length
    }
    if (from < whole.length) yield wordOf(whole.slice(from), index + from)
  }
}

function wordOf(word: string, start: number): Word {
  const end = start + word.length
  return { folded: spell(word), start, end, prefixEnd: end }
}

function* pairsOf(run: string, start: number): Generator<Word> {
  const letters = [...run]
  let at = start
  for (const [place, letter] of letters.entries()) {
    const next = letters[place + 1] ?? ''
    const prefixEnd = at + letter.length
    yield { folded: spell(letter + next), start: at, end: prefixEnd + next.length, prefixEnd }
    at = prefixEnd
  }
}
