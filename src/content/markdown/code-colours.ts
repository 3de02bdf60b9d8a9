// Colours the code of a block: text in, HTML with classes out. Each language is a row of `code-languages.ts`, all linear.
// highlight.js (its issue 4529), Lezer's parsers and CodeMirror's modes each need 20 seconds or more for blocks of 20 to 60 KB.

import { type CodeColour, type CodeLanguage, codeLanguages } from './code-languages.ts'
import { escapeHtml } from './escape-html.ts'

const byName: ReadonlyMap<string, CodeLanguage> = new Map(
  codeLanguages.flatMap((language) => language.names.map((name) => [name, language] as const)),
)

/** Longer blocks stay in one colour: spans make a page several times as large. */
const maxChars = 100_000

/** The code as HTML, coloured if the language is known. */
export function colouredCode(code: string, name: string): string {
  const language = byName.get(name.toLowerCase())
  return language === undefined || code.length > maxChars ? escapeHtml(code) : coloured(code, language)
}

/** A name: letters, digits, `_` and `$`. */
const word = /[\p{L}_$][\p{L}\p{N}_$]*/uy
const spaces = /\s+/y

function coloured(code: string, language: CodeLanguage): string {
  let html = ''
  let plainFrom = 0
  let at = 0
  const put = (end: number, colour: CodeColour | undefined) => {
    if (colour !== undefined) {
      html += `${escapeHtml(code.slice(plainFrom, at))}<span class="code-${colour}">${escapeHtml(code.slice(at, end))}</span>`
      plainFrom = end
    }
    at = end
  }
  while (at < code.length) {
    const space = endOf(spaces, code, at)
    if (space !== undefined) {
      at = space
      continue
    }
    const rule = ruleAt(code, at, language)
    if (rule !== undefined) put(rule.end, rule.colour)
    else {
      const end = endOf(word, code, at) ?? at + 1
      put(end, colourOfWord(code.slice(at, end), code.charAt(end), language))
    }
  }
  return html + escapeHtml(code.slice(plainFrom))
}

function ruleAt(code: string, at: number, { rules }: CodeLanguage): { end: number; colour: CodeColour } | undefined {
  for (const [colour, pattern] of rules) {
    const end = endOf(pattern, code, at)
    if (end !== undefined) return { end, colour }
  }
  return undefined
}

/** Returns the end of a match at this place; undefined if there is none, or an empty one. */
function endOf(pattern: RegExp, code: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(code) && pattern.lastIndex > at ? pattern.lastIndex : undefined
}

function colourOfWord(found: string, next: string, { keywords, values, anyCase, calls }: CodeLanguage): CodeColour | undefined {
  const known = anyCase ? found.toLowerCase() : found
  if (keywords.has(known)) return 'keyword'
  if (values.has(known)) return 'number'
  return calls && next === '(' && /^[\p{L}_$]/u.test(found) ? 'name' : undefined
}
