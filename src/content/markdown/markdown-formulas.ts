// Formulas between `$…$` and `$$…$$`, where the site has them. By the rule of pandoc, prices stay text: a character that is no
// space follows the opening sign, one stands before the closing sign, and no digit follows that. Rendering puts a mark in place of
// each formula, because MathML is no markup that a text may contain; `formulas.ts` exchanges the marks after cleaning.

import type MarkdownIt from 'markdown-it'
import type { StateBlock, StateInline } from 'markdown-it'
import { notice, type RenderState } from './markdown-state.ts'

export function addFormulas(parser: MarkdownIt): void {
  parser.inline.ruler.before('escape', 'postern_formula', readInline)
  parser.block.ruler.before('fence', 'postern_formulas', readBlock, { alt: ['paragraph', 'reference', 'blockquote', 'list'] })
  parser.renderer.rules['formula'] = (tokens, index, _options, { formulas }: RenderState) => {
    const token = tokens[index]
    if (!formulas || !token) return ''
    const line = typeof token.meta === 'number' ? token.meta : (token.map?.[0] ?? 0) + 1
    formulas.found.push({ source: token.content, line })
    const mark = markOf(formulas.key, formulas.found.length - 1)
    return token.block ? `<p>${mark}</p>\n` : mark
  }
}

/** The mark of a formula. Nobody can write one, because the key is made for one rendering. */
export const markOf = (key: string, place: number): string => `<var>${key}-${place}</var>`

const formulasIn = (env: unknown): RenderState['formulas'] => (env as Partial<RenderState>).formulas

/** The places of signs that are not escaped, by the length of the sign. */
interface Ends {
  readonly src: string
  readonly 1: readonly number[]
  readonly 2: readonly number[]
}

/** The signs in the latest line of text of each parse, so that many signs cost no more than one pass. */
const endsOf = new WeakMap<object, Ends>()

function readInline(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state
  if (src[pos] !== '$' || !formulasIn(state.env)) return false
  const length = src[pos + 1] === '$' ? 2 : 1
  const start = pos + length
  if (length === 1 && isSpace(src[start])) return false
  const end = firstAfter(findEnds(state)[length], start)
  // The next sign ends the formula, or there is none. Otherwise two prices and a formula would be one long formula.
  if (end === undefined || (length === 1 && !mayEnd(src, end)) || end + length > posMax || src.slice(start, end).trim() === '')
    return false
  if (!mayRead(state.env as RenderState, silent)) return false
  if (!silent) state.push('formula', '', 0).content = src.slice(pos, end + length)
  state.pos = end + length
  return true
}

const mayEnd = (src: string, at: number): boolean => !isSpace(src[at - 1]) && !/\d/.test(src[at + 1] ?? '')

/** The most formulas of a text. */
const maxFormulas = 500

/** Counts a formula. False beyond the limit. */
function mayRead(env: RenderState, silent: boolean): boolean {
  const { formulas } = env
  if (!formulas || formulas.read > maxFormulas) return false
  if (silent) return true
  formulas.read += 1
  if (formulas.read <= maxFormulas) return true
  notice(env, 1, `A text has at most ${maxFormulas} formulas. The others appear as they are written.`)
  return false
}

const isSpace = (character: string | undefined): boolean => character === undefined || /\s/.test(character)

function findEnds({ src, env }: StateInline): Ends {
  const known = endsOf.get(env as object)
  if (known?.src === src) return known
  const [one, two]: [number[], number[]] = [[], []]
  for (let at = src.indexOf('$'), seen = 0; at >= 0; at = src.indexOf('$', at + 1)) {
    let slashes = 0
    while (at - slashes > seen && src[at - slashes - 1] === '\\') slashes += 1
    seen = at
    if (slashes % 2 === 1) continue
    if (src[at + 1] === '$') two.push(at)
    one.push(at)
  }
  const ends: Ends = { src, 1: one, 2: two }
  endsOf.set(env as object, ends)
  return ends
}

/** Returns the first of ascending numbers that is greater than another one. */
function firstAfter(ends: readonly number[], start: number): number | undefined {
  let [low, high] = [0, ends.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ends[middle] as number) > start) high = middle
    else low = middle + 1
  }
  return ends[low]
}

/** A formula of whole lines: from a line that begins with `$$` to one that ends with it, without an empty line between. */
function readBlock(state: StateBlock, first: number, end: number, silent: boolean): boolean {
  if (!formulasIn(state.env) || (state.sCount[first] ?? 0) - state.blkIndent >= 4) return false
  const lineAt = (line: number) =>
    state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]).trimEnd()
  if (!lineAt(first).startsWith('$$')) return false
  let last = first
  let text = lineAt(first).slice(2)
  while (!text.includes('$$')) {
    last += 1
    if (last >= end || last - first > maxLines || state.isEmpty(last) || (state.sCount[last] ?? 0) < state.blkIndent) return false
    text = lineAt(last)
  }
  // Words behind the end make it a part of a paragraph.
  if (text.indexOf('$$') !== text.length - 2) return false
  const source = Array.from({ length: last - first + 1 }, (_, at) => lineAt(first + at)).join('\n')
  if (source.slice(2, -2).trim() === '') return false
  if (!mayRead(state.env as RenderState, silent)) return false
  if (silent) return true
  const token = state.push('formula', '', 0)
  token.block = true
  token.content = source
  token.map = [first, last + 1]
  state.line = last + 1
  return true
}

/** The most lines of a formula. */
const maxLines = 200
