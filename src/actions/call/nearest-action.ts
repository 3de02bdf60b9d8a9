// Suggests actions for a name that is none: by its spelling, and by the words of other systems for classes and verbs.

import { editDistance } from '../../base/edit-distance.ts'
import { nearest } from '../../base/nearest.ts'
import { classMatch, verbMatch, wordsOf } from './vocabulary.ts'

/** The longest name that is compared. */
const maxNameLength = 100
const mostShown = 3
/** The largest distance at which a name counts as misspelt, and not as another word. */
const maxSlips = 2

/**
 * Returns up to three names, nearest first.
 * @param names the actions that the caller may run, as `SVC_Content.get`
 */
export function nearestActions(asked: string, names: readonly string[]): readonly string[] {
  if (asked.length > maxNameLength) return []
  const words = wordsOf(asked).filter((word) => word !== 'svc')
  const namesClass = names.some((name) => classOf(words, name) > 0)
  const scored = names.map((name) => ({ name, score: Math.max(spelling(asked, name), meaning(words, name, namesClass)) }))
  const best = Math.max(0, ...scored.map(({ score }) => score))
  if (best < leastScore) return nearest(asked, names)
  return scored
    .filter(({ score }) => score >= Math.max(leastScore, best - range))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, mostShown)
    .map(({ name }) => name)
}

/** The score below which the words have told nothing, and the difference to the best one at which others are left out. */
const leastScore = 2
const range = 1.5

/** From 6 down for names that differ in a letter or two, else 0. */
function spelling(asked: string, name: string): number {
  const [one, other] = [bare(asked), bare(name)]
  if (Math.abs(one.length - other.length) > maxSlips) return 0
  const distance = editDistance(one, other)
  return distance > maxSlips ? 0 : 6.5 - distance
}

const bare = (name: string): string => name.toLowerCase().replace(/^svc_/, '')

const classOf = (words: readonly string[], name: string): number =>
  Math.max(0, ...words.map((word) => classMatch(word, name.slice(0, name.indexOf('.')))))

/** The sum of how well the words name the class, at most 2, and the action, at most 3. */
function meaning(words: readonly string[], name: string, namesClass: boolean): number {
  const action = name.slice(name.indexOf('.') + 1)
  const ofClass = classOf(words, name)
  // "post" in "get_posts" is another word for the class, and not for the verb "create".
  const isOther = (word: string) => classMatch(word, name.slice(0, name.indexOf('.'))) !== 1 || verbMatch(word, action) === 1
  const verbs = words.some(isOther) ? words.filter(isOther) : words
  const ofAction = Math.max(0, ...verbs.map((word) => verbMatch(word, action)))
  // An action of the same name in another class is not meant where a class is.
  // An action may be named in place of a class: SVC_Revisions.list.
  if (ofClass === 0) return ofAction !== 1 || namesClass ? 0 : verbMatch(words[0] ?? '', action) === 1 ? 3 : 2.5
  return ofClass === 2 ? 2.2 + 3 * ofAction : 2 + 3 * ofAction
}
