// Escapes text for Markdown, exactly where Markdown would read it as something else.

/** Stands for something that isn't text in the text of a line: a mark that begins or ends, a picture, code. */
export const other = '\ufffc'

/** As `other`, for something that begins with a bracket. */
export const bracket = '\ufffb'

/** Facts about the paragraph around the text. */
export interface EscapeContext {
  /** True if the paragraph has bold, italic or struck text. */
  readonly hasMarks: boolean
  readonly hasCode: boolean
  /** True if the character at this place is in a link. */
  isLinked(place: number): boolean
}

const none: ReadonlySet<number> = new Set()

type Rule = (text: string, around: EscapeContext) => readonly number[]

/** The places at which a pattern is found. */
const at =
  (pattern: RegExp): Rule =>
  (text) =>
    [...text.matchAll(pattern)].map(({ index }) => index)

/** Every character of the runs that aren't alone. */
function runs(pattern: RegExp, isHarmless: (before: string, after: string) => boolean): Rule {
  return (text, { hasMarks }) => {
    const found = [...text.matchAll(pattern)].filter(({ 0: run, index }) => {
      const before = index === 0 ? ' ' : (text.at(index - 1) ?? ' ')
      return !isHarmless(before, text.charAt(index + run.length) || ' ')
    })
    if (found.length === 0 || (!hasMarks && found.length === 1 && found[0]?.[0].length === 1)) return []
    return found.flatMap(({ 0: run, index }) => Array.from({ length: run.length }, (_, place) => index + place))
  }
}

const isSpace = (character: string): boolean => /\s/.test(character)
const isWord = (character: string): boolean => /[\p{L}\p{N}]/u.test(character)

const rules: readonly Rule[] = [
  at(/\\(?=[!-/:-@[-`{-~\n\ufffb\ufffc]|$)/g),
  (text, { hasCode }) => {
    const found = [...text.matchAll(/`/g)].map(({ index }) => index)
    return hasCode || found.length > 1 ? found : []
  },
  runs(/\*+/g, (before, after) => isSpace(before) && isSpace(after)),
  runs(/_+/g, (before, after) => (isSpace(before) && isSpace(after)) || (isWord(before) && isWord(after))),
  runs(/~{2,}/g, (before, after) => isSpace(before) && isSpace(after)),
  (text) => {
    const first = text.indexOf('[')
    return first < 0 ? [] : [...text.matchAll(/\](?=[([\ufffb])/g)].map(({ index }) => index).filter((index) => index > first)
  },
  (text, { isLinked }) => [...text.matchAll(/[[\]]/g)].map(({ index }) => index).filter(isLinked),
  at(/\[(?=\^[^\s[\]^]{1,60}\])/g),
  at(/<(?=[A-Za-z/!?])/g),
  at(/&(?=#?[A-Za-z0-9]{1,31};)/g),
  at(/!(?=\ufffb)/g),
]

/** The characters without which a text needs no backslash. */
const special = /[!-/:>=[\]_`~|\\<\d\ufffb]/

interface LineRule {
  readonly form: RegExp
  /** True if the backslash belongs before the last character of the match, as in `1\\.`. */
  readonly atEnd?: boolean
  /** True if the line must be below another one of its paragraph. */
  readonly below?: boolean
}

/** Lines at which a block would begin. */
const lineRules: readonly LineRule[] = [
  { form: /^#{1,6}(?=\s|$)/ },
  { form: /^[-+*](?=\s|$)/ },
  { form: /^\d{1,9}[.)](?=\s|$)/, atEnd: true },
  { form: /^>/ },
  { form: /^[:~](?=\s|$)/ },
  { form: /^(?::{3}|~{3}|`{3})/ },
  { form: /^-(?:\s*-){2,}\s*$/ },
  { form: /^_(?:\s*_){2,}\s*$/ },
  { form: /^\*(?:\s*\*){2,}\s*$/ },
  { form: /^(?:=+|-+)\s*$/, below: true },
  { form: /^(?=[ :|-]+$)[ :|]*-/, below: true },
  { form: /^\[[^\]]{1,200}\]:/ },
  { form: /^\[(?:!|[ xX]\]\s)/ },
]

/**
 * The places before which a paragraph needs a backslash.
 * @param text of a paragraph, with `\n` for line breaks
 * @param isBare true if no mark begins at this place; after a mark, nothing begins a block
 */
export function findEscapes(text: string, around: EscapeContext, isBare: (place: number) => boolean): ReadonlySet<number> {
  if (!special.test(text)) return none
  const places = new Set(rules.flatMap((rule) => rule(text, around)))
  let start = 0
  for (const line of text.split('\n')) {
    if (isBare(start)) {
      const [found] = lineRules.flatMap(({ form, atEnd = false, below = false }) => {
        const match = below && start === 0 ? null : form.exec(line)
        return match ? [start + (atEnd ? match[0].length - 1 : 0)] : []
      })
      if (found !== undefined) places.add(found)
    }
    start += line.length + 1
  }
  return places
}
