// Finds Markdown of other programs that has no meaning here, for the warnings of a write. Each sentence tells the effect.

import type { StateCore, Token } from 'markdown-it'
import { isToldSection } from './markdown-sections.ts'
import { notice, type RenderState, shown } from './markdown-state.ts'

/** A place of the source with raw HTML or an address: the sanitizer may remove a part of it. */
export interface Markup {
  readonly line: number
  readonly text: string
}

/** Constructs of other programs in the text of a paragraph. */
const unsupported: readonly (readonly [pattern: RegExp, message: (found: string, env: RenderState) => string])[] = [
  [/^:{3,}$/, () => 'This ::: closes no section: it appears as text.'],
  [
    /^:{3,}[ \t]*\w.*/,
    (found) =>
      `“${found}” opens no section: it appears as text. A section begins at the start of a line, has a kind that SVC_Content.sections lists, and ends with a line of :::.`,
  ],
  [/\{[%{<][^\n]{0,200}/, (found) => `The tag “${found}” isn't supported in a text: it appears as it is written.`],
  [
    /!?\[\[[^[\]\n]{1,200}\]\]/,
    (found) => `“${found}” appears as text. A link is written [words](/path), an image ![description](/address).`,
  ],
  [
    /^\$\$/,
    (_found, { formulas }) =>
      formulas
        ? 'This $$ is no formula: it appears as text. A formula ends with $$ on the same line or a later one, without an empty line between.'
        : 'Formulas between $$ are off, so this appears as text. The setting `formulas` turns them on.',
  ],
  [/^\[toc\]$/i, () => '[TOC] isn’t supported: it appears as text.'],
  [
    /\[\^[^\s[\]^]{1,60}\]/,
    (found) => `The footnote ${found} is used but not defined: it needs a line that begins with ${found}:.`,
  ],
  [
    /\^\[[^[\]\n]{1,200}\]/,
    (found) => `The note “${found}” within the line appears as text: write [^1], and define it on a line [^1]: ….`,
  ],
]

/** Languages of code blocks that other programs draw. */
const drawn = /^(?:mermaid|plantuml|graphviz|dot|math|katex|latex-math)$/i

/** Reports unsupported constructs, and returns the places of raw HTML and addresses. It runs after all other parsing. */
export function inspect(state: StateCore): readonly Markup[] {
  const env = state.env as RenderState
  const markup: Markup[] = []
  let line = 1
  for (const token of state.tokens) {
    if (token.map) line = token.map[0] + 1
    if (token.type === 'fence') inspectFence(token, line, env)
    else if (token.type === 'html_block') {
      markup.push(...linesOf(token.content, line))
      if (/^\s*<!--/.test(token.content) && !token.content.includes('-->'))
        notice(env, line, 'The comment that begins with <!-- has no end, so the page leaves out everything behind it.')
    } else if (token.type === 'inline') inspectInline(token, line, env, markup)
  }
  return markup
}

const linesOf = (text: string, first: number): Markup[] =>
  text.split('\n').map((part, index) => ({ line: first + index, text: part }))

/** The parser closes an open fence at the end of the text, or of the list or quotation around it. */
function inspectFence({ map, content, info, markup }: Token, line: number, env: RenderState): void {
  const ends = content.split('\n').length - (content.endsWith('\n') || content === '' ? 1 : 0)
  if (map && map[1] - map[0] < ends + 2)
    notice(env, line, `The code block that begins with ${markup.slice(0, 10)} is not closed, so everything behind it is code.`)
  const language = info.trim().split(/\s/, 1)[0] ?? ''
  if (drawn.test(language)) notice(env, line, `A block of ${language} isn't drawn: it appears as code.`)
}

function inspectInline(token: Token, first: number, env: RenderState, markup: Markup[]): void {
  let line = first
  let text = ''
  const flush = () => {
    inspectText(text, line, env)
    text = ''
  }
  for (const child of token.children ?? []) {
    if (child.type === 'softbreak' || child.type === 'hardbreak') {
      flush()
      line += 1
    } else if (child.type === 'text') text += child.content
    else if (child.type === 'html_inline') {
      markup.push(...linesOf(child.content, line))
      line += child.content.split('\n').length - 1
    } else if (child.type === 'link_open' || child.type === 'image')
      markup.push({ line, text: child.attrGet('href') ?? child.attrGet('src') ?? '' })
    else if (child.type === 'formula') {
      child.meta = line
      line += child.content.split('\n').length - 1
      text += '\ufffc'
    }
    // Escaped characters and code have no meaning as markup, and end the construct before them.
    else if (child.type === 'code_inline' || child.type === 'text_special') text += '\ufffc'
  }
  flush()
}

function inspectText(text: string, line: number, env: RenderState): void {
  if (!/[:{[$^]/.test(text)) return
  if (text.startsWith(':::') && isToldSection(env, line)) return
  for (const [pattern, message] of unsupported) {
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) notice(env, line, message(shown(found), env))
  }
}

/** Returns the first line with a name that the sanitizer reported; undefined if it isn't found. */
export function lineOfRemoved(name: string, markup: readonly Markup[]): number | undefined {
  const [sign = ''] = name.split(' ')
  const wanted = sign.replace(/>$/, '').toLowerCase()
  if (wanted === 'protocol-relative' || wanted === 'unreadable') return undefined
  return markup.find(({ text }) => text.toLowerCase().includes(wanted))?.line
}
