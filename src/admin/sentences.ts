// The sentences of failures and findings in the language of a page. Actions word them once, in English, with values in them. A
// table of each language has the sentence by the English one with `{}` for each value (`messages/de/sentences/`). English has an
// entry only where the sentence is worded for programs.

import * as de from './messages/de/sentences/index.ts'
import * as en from './messages/en/sentences/index.ts'

const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = { de: de.sentences, en: en.sentences }

/** A sentence with values, split at them, and its text for people, with `{1}` for the first value. */
interface Pattern {
  readonly parts: readonly string[]
  readonly text: string
}

/** The patterns of a language. Those with more text of their own come first, because they say more. */
const patterns = new Map<string, readonly Pattern[]>()

function patternsOf(language: string): readonly Pattern[] {
  const made = patterns.get(language)
  if (made) return made
  const rows = Object.entries(tables[language] ?? {}).map(([english, text]) => ({ parts: english.split('{}'), text }))
  const own = ({ parts }: Pattern): number => parts.join('').length
  const sorted = rows.sort((a, b) => own(b) - own(a))
  patterns.set(language, sorted)
  return sorted
}

/** Words between the alternatives of a phrase. */
const joints: Readonly<Record<string, Readonly<Record<string, string>>>> = { de: { ' or ': ' oder ' } }

/** The longest sentence that is looked up. A longer one holds a text of somebody. */
const maxChars = 2000
/** The look-ups of parts and values for one sentence. A text of somebody could have any number of seams. */
const maxLookUps = 60

/** One look-up with those of its parts. */
interface Search {
  readonly language: string
  left: number
}

/** Returns the sentence in a language, or undefined if the language has none of its own for it. */
export function sentenceIn(language: string, english: string): string | undefined {
  return english.length > maxChars ? undefined : lookUp({ language, left: maxLookUps }, english)
}

function lookUp(search: Search, english: string): string | undefined {
  if (search.left-- <= 0) return undefined
  const { language } = search
  const table = tables[language] ?? {}
  if (Object.hasOwn(table, english) && !english.includes('{}')) return table[english]
  for (const { parts, text } of patternsOf(language)) {
    const values = valuesOf(english, parts)
    if (!values) continue
    // A value with a full stop may be the end of a sentence, and a second one.
    const inParts = values.some((value) => value.includes('. ')) ? inTwo(search, english) : undefined
    if (inParts !== undefined) return inParts
    return text.replace(/\{(\d)\}/g, (_all, place: string) => shownValue(search, values[Number(place) - 1] ?? ''))
  }
  return inTwo(search, english)
}

/**
 * The values of a text that has the parts of a pattern in their order; undefined for another text. Of values without text between
 * them, the first has all.
 */
function valuesOf(text: string, parts: readonly string[]): readonly string[] | undefined {
  const [first = '', ...rest] = parts
  if (!text.startsWith(first)) return undefined
  const values: string[] = []
  let at = first.length
  let joined = 0
  for (const [place, part] of rest.entries()) {
    if (part === '' && place < rest.length - 1) {
      joined++
      continue
    }
    const isLast = place === rest.length - 1
    const next = !isLast ? text.indexOf(part, at) : text.endsWith(part) ? text.length - part.length : -1
    if (next < at) return undefined
    values.push(text.slice(at, next), ...Array.from({ length: joined }, () => ''))
    joined = 0
    at = next + part.length
  }
  return at === text.length ? values : undefined
}

/** Two sentences one after the other, or two alternatives. */
function inTwo(search: Search, english: string): string | undefined {
  const seams = { '. ': '. ', ...joints[search.language] }
  for (const [seam, joint] of Object.entries(seams)) {
    const end = seam === '. ' ? '.' : ''
    for (let at = english.indexOf(seam); at >= 0 && search.left > 0; at = english.indexOf(seam, at + 1)) {
      const first = lookUp(search, english.slice(0, at) + end)
      const second = first === undefined ? undefined : lookUp(search, english.slice(at + seam.length))
      if (first !== undefined && second !== undefined) return end === '' ? first + joint + second : `${first} ${second}`
    }
  }
  return undefined
}

/** A value in a sentence: what the table has for it, a quoted text with the quotation marks of the language, or as it is. */
function shownValue(search: Search, value: string): string {
  const found = value === '' ? undefined : lookUp(search, value)
  if (found !== undefined) return found
  return search.language === 'de' ? value.replace(/"([^"\\]{0,1000})"/g, '„$1“') : value
}
