// Facts about a place in the text: what the parser says that it is in, and what another line there begins with.

import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'

/** The most time for parsing up to the place, in milliseconds. */
const parseMs = 50

/** The names of all nodes around a place. */
function nodesAt(state: EditorState, place: number): readonly string[] {
  const tree = ensureSyntaxTree(state, place, parseMs) ?? syntaxTree(state)
  const names: string[] = []
  for (let node: { name: string; parent: unknown } | null = tree.resolveInner(place, -1); node; node = node.parent as typeof node)
    names.push(node.name)
  return names
}

const code: ReadonlySet<string> = new Set(['FencedCode', 'CodeBlock', 'InlineCode', 'CodeText', 'CodeInfo'])

/** True in code and in front matter, where every character stands for itself. */
export const isVerbatim = (state: EditorState, place: number): boolean =>
  isInFrontMatter(state, place) || isInFence(state, place) || nodesAt(state, place).some((name) => code.has(name))

/** The empty last line of a block of code that is still open isn't in a node. */
function isInFence(state: EditorState, place: number): boolean {
  const line = state.doc.lineAt(place)
  if (line.text.trim() !== '' || line.number === 1) return false
  return (
    nodesAt(state, line.from - 1).includes('FencedCode') && !/^\s*(?:`{3,}|~{3,})\s*$/.test(state.doc.line(line.number - 1).text)
  )
}

/** Front matter is between two lines of three hyphens, of which one is the first line. */
function isInFrontMatter({ doc }: EditorState, place: number): boolean {
  if (doc.line(1).text.trimEnd() !== '---') return false
  const last = doc.lineAt(place).number
  for (let number = 2; number < Math.min(last, 200); number++) if (doc.line(number).text.trimEnd() === '---') return false
  return true
}

export const isInTable = (state: EditorState, place: number): boolean =>
  state.doc.lineAt(place).text.trimStart().startsWith('|') || nodesAt(state, place).some((name) => /^Table$/.test(name))

const notProse =
  /^(?:ATXHeading\d|SetextHeading\d|BulletList|OrderedList|Blockquote|Table|HTMLBlock|CommentBlock|LinkReference|HorizontalRule)$/

/** True in a paragraph that is in no list, quotation or table. */
export const isProse = (state: EditorState, place: number): boolean =>
  !isVerbatim(state, place) &&
  !nodesAt(state, place).some((name) => notProse.test(name)) &&
  !beginsBlock(state.doc.lineAt(place).text)

/** A line across the page, or the line below a heading. */
const rule = /^\s{0,3}(?:-[-\s]*-|\*[*\s]*\*|_[_\s]*_|=+)\s*$/

export const isRule = (line: string): boolean => rule.test(line)

const blockStarts: readonly RegExp[] = [
  /^\s{0,3}(?:[-+*]|\d{1,9}[.)])\s/,
  /^\s{0,3}#{1,6}\s/,
  /^\s{0,3}(?:>|\||<|`{3}|~{3}|:{3})/,
  rule,
  /^\s{0,3}: /,
  /^\[\^?[^\]]{1,100}\]:/,
]

/** True for a line that is more than text: an item of a list, a heading, a row of a table. */
export const beginsBlock = (line: string): boolean => blockStarts.some((start) => start.test(line))

/** The beginning of another line in the same item or quotation: spaces in place of its mark. */
export function prefixAt(state: EditorState, place: number): string {
  const line = state.doc.lineAt(place).text
  const quotes = /^\s{0,3}(?:>\s?)*/.exec(line)?.[0] ?? ''
  const item = /^\s*(?:[-+*]|\d{1,9}[.)])\s+/.exec(line.slice(quotes.length))?.[0]
  if (item !== undefined) return quotes + ' '.repeat(item.length)
  return quotes + (/^\s*/.exec(line.slice(quotes.length))?.[0] ?? '')
}
