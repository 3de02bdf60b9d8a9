// Replaces every occurrence of an exact text, and shows where it occurred. A pure function.

/** The number of occurrences, their surroundings, and the new text. */
export interface Replaced {
  readonly text: string
  readonly matches: number
  /** The surroundings of the first matches. */
  readonly excerpts: readonly string[]
}

export interface Replacing {
  readonly find: string
  readonly replace: string
  readonly matchCase: boolean
}

const maxExcerpts = 3
const aroundChars = 40

/** Finds a text and replaces it. Without `matchCase`, letters match in any case. There are no patterns. */
export function replaceText(text: string, { find, replace, matchCase }: Replacing): Replaced {
  const places = placesOf(text, find, matchCase)
  if (places.length === 0) return { text, matches: 0, excerpts: [] }
  const parts: string[] = []
  let from = 0
  for (const place of places) {
    parts.push(text.slice(from, place.start), replace)
    from = place.end
  }
  parts.push(text.slice(from))
  return {
    text: parts.join(''),
    matches: places.length,
    excerpts: places.slice(0, maxExcerpts).map((place) => excerptOf(text, place)),
  }
}

export const countMatches = (text: string, { find, matchCase }: Replacing): number => placesOf(text, find, matchCase).length

interface Place {
  readonly start: number
  readonly end: number
}

function placesOf(text: string, find: string, matchCase: boolean): readonly Place[] {
  const [within, wanted] = matchCase ? [text, find] : [lowered(text), lowered(find)]
  const places: Place[] = []
  for (let at = within.indexOf(wanted); at >= 0; at = within.indexOf(wanted, at + wanted.length))
    places.push({ start: at, end: at + wanted.length })
  return places
}

/**
 * A text in lower case with the same length, so that offsets stay valid. A pattern that ignores case would take quadratic time on
 * a hostile text. The form of a sigma depends on its place in a word, so all forms become one.
 */
function lowered(text: string): string {
  const lower = text.toLowerCase()
  const kept = lower.length === text.length ? lower : Array.from(text, sameLength).join('')
  return kept.replaceAll('ς', 'σ')
}

/** Some letters, such as İ, are longer in lower case. They stay unchanged. */
function sameLength(letter: string): string {
  const lower = letter.toLowerCase()
  return lower.length === letter.length ? lower : letter
}

function excerptOf(text: string, { start, end }: Place): string {
  const [from, to] = [Math.max(0, start - aroundChars), Math.min(text.length, Math.min(end, start + 200) + aroundChars)]
  const cut = text.slice(from, to).toWellFormed().replace(/\s+/g, ' ')
  return `${from > 0 ? '…' : ''}${cut}${to < text.length ? '…' : ''}`
}
