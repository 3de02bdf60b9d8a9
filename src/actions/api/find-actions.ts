// Finds the actions that a query is about. Any of its words may match; the action that most words speak of comes first.

import { type Action, callName } from '../call/action.ts'
import { classMatch, tellingWords, verbMatch, wordsOf } from '../call/vocabulary.ts'

const mostShown = 12
/** Actions with less than this part of the best score are left out. */
const leastPart = 0.5

/** Returns the actions that match, best first. A query without a word matches all of them. */
export function findActions(query: string, actions: readonly Action[]): readonly Action[] {
  const words = tellingWords(query)
  if (words.length === 0) return actions
  const asked: Asked = {
    words,
    whole: query.trim().toLowerCase(),
    namesClass: actions.some((one) => words.some((word) => classMatch(word, one.class) > 0)),
    hasVerb: actions.some((one) => words.some((word) => verbMatch(word, one.name) > 0)),
  }
  const scored = actions.map((one) => ({ one, score: scoreOf(asked, one) }))
  const best = Math.max(...scored.map(({ score }) => score))
  if (best <= 0) return []
  // A class without a verb, such as "themes", asks for all that can be done with it.
  const isAsked = ({ class: ofClass }: Action) => !asked.hasVerb && isMeant(words, ofClass)
  const all = scored.filter(({ one }) => isAsked(one)).length
  return scored
    .filter(({ one, score }) => score > 0 && (score >= best * leastPart || isAsked(one)))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, Math.max(mostShown, all))
    .map(({ one }) => one)
}

const isMeant = (words: readonly string[], className: string): boolean => words.some((word) => classMatch(word, className) > 0)

interface Asked {
  readonly words: readonly string[]
  readonly whole: string
  /** True if a word names a class, so that other classes are hardly meant. Without one, entries are meant first. */
  readonly namesClass: boolean
  /** True if a word says what to do. Without one, the list is meant first. */
  readonly hasVerb: boolean
}

function scoreOf({ words, whole, namesClass, hasVerb }: Asked, one: Action): number {
  if (callName(one).toLowerCase() === whole) return 100
  const said = {
    title: wordsOf(one.title),
    summary: wordsOf(one.summary),
    arguments: wordsOf(Object.keys(one.input.properties).join(' ')),
  }
  const ofAction = Math.max(...words.map((word) => verbMatch(word, one.name)))
  const ofWords = words.reduce((sum, word) => sum + wordScore(word, said, one.class), 0)
  const score = 3 * ofAction + ofWords
  if (score === 0) return 0
  const listed = !hasVerb && one.name === 'list' ? 1.6 : 0
  if (namesClass) return isMeant(words, one.class) ? score + listed : score / 3
  return score + listed + (one.class === 'SVC_Content' ? 2 : 0)
}

interface Said {
  readonly title: readonly string[]
  readonly summary: readonly string[]
  readonly arguments: readonly string[]
}

function wordScore(word: string, said: Said, className: string): number {
  const ofClass = [0, 2, 3][classMatch(word, className)] ?? 0
  const ofText = said.title.includes(word) ? 2 : said.summary.includes(word) ? 1.5 : said.arguments.includes(word) ? 0.7 : 0
  return ofClass + ofText
}
