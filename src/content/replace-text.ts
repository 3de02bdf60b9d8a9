// Replaces an exact text wherever it occurs, and shows where it did. A pure function of its inputs.

/** Where a text occurs, and the text with the replacement. */
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

/** Finds a text and replaces it. Without `matchCase`, letters match whatever their case is; nothing else is a pattern. */
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

/** How often a text occurs. */
export const countMatches = (text: string, { find, matchCase }: Replacing): number => placesOf(text, find, matchCase).length

interface Place {
  readonly start: number
  readonly end: number
}

function placesOf(text: string, find: string, matchCase: boolean): readonly Place[] {
  if (!matchCase)
    return [...text.matchAll(new RegExp(escaped(find), 'giu'))].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
    }))
  const places: Place[] = []
  for (let at = text.indexOf(find); at >= 0; at = text.indexOf(find, at + find.length))
    places.push({ start: at, end: at + find.length })
  return places
}

/** With the flag `u`, only signs of the syntax may be escaped. */
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

function excerptOf(text: string, { start, end }: Place): string {
  const [from, to] = [Math.max(0, start - aroundChars), Math.min(text.length, Math.min(end, start + 200) + aroundChars)]
  const cut = text.slice(from, to).toWellFormed().replace(/\s+/g, ' ')
  return `${from > 0 ? '…' : ''}${cut}${to < text.length ? '…' : ''}`
}
