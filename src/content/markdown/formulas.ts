// Makes MathML of formulas, and puts it in place of their marks in cleaned HTML. The library is loaded with the first formula. A
// formula that it does not understand, or that may be an attack, stays as it is written, and its writer is told.

import { randomUUID } from 'node:crypto'
import { errorMessage } from '../../base/error-message.ts'
import { trimEndOf } from '../../base/trim-text.ts'
import { escapeHtml } from './escape-html.ts'
import { markOf } from './markdown-formulas.ts'
import { type FoundFormulas, notice, type Notice, shown } from './markdown-state.ts'
import { createFormulaSanitizer } from './sanitize.ts'

/** The most characters of a formula, and of all formulas of a text. */
const maxChars = 2000
const maxCharsInAll = 40_000
/** The most braces, brackets and environments within each other. */
const maxDepth = 40

/** Commands that define others, lead elsewhere or write attributes. */
const refused =
  'def gdef edef xdef let futurelet global long newcommand renewcommand providecommand newenvironment href url includegraphics ' +
  'style class id data cssId htmlClass htmlId htmlStyle htmlData label ref eqref expandafter noexpand'
/** Commands whose result needs the style of an element. Without it, the formula would say something else. */
const unshown = 'color textcolor colorbox fcolorbox definecolor boxed fbox cancel bcancel xcancel sout rule'

const forbidden: ReadonlySet<string> = new Set(`${refused} ${unshown}`.split(' '))

/** Begins an empty list of formulas, with a key that no text contains. */
export const noFormulas = (): FoundFormulas => ({ key: `formula-${randomUUID()}`, found: [], read: 0 })

/** Returns cleaned HTML with the formulas of a text in place of their marks. Their mistakes are added to the notices. */
export async function withFormulas(html: string, { key, found }: FoundFormulas, notices: Notice[]): Promise<string> {
  if (found.length === 0) return html
  const toMathMl = await mathMlMaker()
  let chars = 0
  return exchangeMarks(
    html,
    key,
    found.map(({ source, line }) => {
      chars += source.length
      const made =
        chars <= maxCharsInAll
          ? toMathMl(source)
          : { fault: `the formulas of a text have at most ${maxCharsInAll} characters together` }
      if ('html' in made) return made.html
      notice({ notices }, line, `The formula “${shown(source)}” appears as it is written: ${made.fault}.`)
      return escapeHtml(source)
    }),
  )
}

/**
 * Puts marks in place of the formulas of a rendered text, so that the text can be cleaned again, and returns how to put them back.
 * @param known the text as it was rendered; markup that is not a whole formula of it stays
 */
export function hideFormulas(html: string, known: string): { readonly html: string; show(cleaned: string): string } {
  const { key } = noFormulas()
  const formulas = known.split('<math').slice(1).flatMap(wholeFormula)
  const all = [...new Set(formulas.map((one) => (known.includes(scrolling(one)) ? scrolling(one) : one)))]
  const hidden = all.reduce((text, formula, place) => text.replaceAll(formula, markOf(key, place)), html)
  return { html: hidden, show: (cleaned) => exchangeMarks(cleaned, key, all) }
}

function wholeFormula(part: string): readonly string[] {
  const end = part.indexOf(closing)
  return end < 0 ? [] : [`<math${part.slice(0, end + closing.length)}`]
}

const closing = '</math>'

/** A formula that stands by itself may be wider than a phone, so it scrolls and is focusable by keyboard. */
const scrolling = (formula: string): string => `<span class="formula" tabindex="0">${formula}</span>`

const mark = /<var>(formula-[0-9a-f-]{36})-(\d{1,6})<\/var>/g

/** A mark within an attribute is escaped, so it is none. */
const exchangeMarks = (html: string, key: string, by: readonly string[]): string =>
  html.replace(mark, (text, found: string, place: string) => (found === key ? (by[Number(place)] ?? '') : text))

type Made = { readonly html: string } | { readonly fault: string }

async function mathMlMaker(): Promise<(source: string) => Made> {
  const [{ default: temml }, clean] = await Promise.all([import('temml'), createFormulaSanitizer()])
  return (source) => {
    const isDisplay = source.startsWith('$$')
    const tex = (isDisplay ? source.slice(2, -2) : source.slice(1, -1)).trim()
    const fault = faultOf(tex)
    if (fault !== undefined) return { fault }
    try {
      const options = { displayMode: isDisplay, annotate: true, throwOnError: true, trust: false, maxExpand: 500 }
      const html = clean(temml.renderToString(tex, options))
      return { html: isDisplay ? scrolling(html) : html }
    } catch (error) {
      return { fault: error instanceof RangeError ? 'it is nested too deeply' : wordsOf(errorMessage(error)) }
    }
  }
}

/** The first line of a message of the library, without the line that points at the place. */
const wordsOf = (message: string): string => shown(trimEndOf(message.split('\n', 1)[0] ?? '', ': '))

function faultOf(tex: string): string | undefined {
  if (tex.length > maxChars) return `a formula has at most ${maxChars} characters`
  let depth = 0
  for (const [part, , command = ''] of tex.matchAll(/\\(([a-zA-Z@]+)|[^])|[{}]/g)) {
    if (forbidden.has(command)) return `\\${command} isn't supported in formulas`
    if (part === '{' || command === 'left' || command === 'begin') depth += 1
    if (part === '}' || command === 'right' || command === 'end') depth -= 1
    if (depth > maxDepth) return 'it is nested too deeply'
  }
  return undefined
}
