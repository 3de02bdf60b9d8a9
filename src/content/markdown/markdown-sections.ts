// Sections: `::: hero {…}` … `:::`. Each known kind becomes a `<section>` around its text. Anything else between such lines is
// text, and the writer is told.

import type MarkdownIt from 'markdown-it'
import type { StateBlock, StateCore, Token } from 'markdown-it'
import { readAttributes } from '../sections/attributes.ts'
import { maxItems, maxSections, sectionKind } from '../sections/kinds.ts'
import { sectionHtml, type SectionHtml } from '../sections/section-html.ts'
import { findSections, type SectionLines } from '../sections/section-lines.ts'
import { faultOfPlace } from '../sections/section-place.ts'
import { findEmbed } from './embeds.ts'
import type { calloutKinds } from './markdown-callouts.ts'
import { notice, type RenderState, shown } from './markdown-state.ts'

type Found = ReadonlyMap<number, SectionLines>

/** The sections of a text, found once. Texts of table cells and notes are parsed by themselves, and have none. */
const foundIn = new WeakMap<object, { readonly src: string; readonly found: Found }>()

const htmlAt = (token: Token | undefined): SectionHtml => token?.meta as SectionHtml

export function addSections(parser: MarkdownIt): void {
  parser.block.ruler.before('fence', 'postern_section', openSection, { alt: ['paragraph', 'list'] })
  parser.core.ruler.after('block', 'postern_answers', ({ tokens }) => {
    makeAnswers(tokens)
    makeButtons(tokens)
  })
  parser.core.ruler.after('inline', 'postern_gallery', linkPictures)
  const { rules } = parser.renderer
  rules['section_open'] = (tokens, index) => htmlAt(tokens[index]).open
  rules['section_close'] = (tokens, index) => htmlAt(tokens[index]).close
  rules['answer_open'] = () => '<details>\n<summary>'
  rules['answer_text'] = () => '</summary>\n'
  rules['answer_close'] = () => '</details>\n'
}

function sectionsOf({ env, src }: StateBlock): Found {
  const known = foundIn.get(env as object)
  if (known?.src === src) return known.found
  const found = findSections(src)
  foundIn.set(env as object, { src, found })
  return found
}

function openSection(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const start = state.bMarks[startLine] ?? 0
  // In a quotation or a list, something stands before it in the line.
  const isFirst = (start === 0 || state.src.charAt(start - 1) === '\n') && state.blkIndent === 0
  if (state.src.charAt(start) !== ':' || !isFirst || (state.tShift[startLine] ?? 0) > 0) return false
  const section = sectionsOf(state).get(startLine)
  if (!section || section.end >= endLine || !isAtHome(section, state, startLine)) return false
  if (silent) return true
  const env = state.env as RenderState
  const kind = sectionKind(section.kind)
  const html = kind ? htmlOf(section, startLine, env) : calloutHtml(section.kind, env)
  const open = state.push('section_open', 'section', 1)
  open.map = [startLine, section.end + 1]
  open.meta = html
  open.info = section.kind
  open.block = true
  const { parentType, lineMax } = state
  state.parentType = 'root'
  state.lineMax = section.end
  state.md.block.tokenize(state, startLine + 1, section.end)
  state.parentType = parentType
  state.lineMax = lineMax
  const close = state.push('section_close', 'section', -1)
  close.meta = html
  close.info = section.kind
  close.block = true
  state.line = section.end + 1
  return true
}

/** Counts of the sections of a rendering, and of those within the present one. */
const counts = new WeakMap<RenderState, { all: number; within: number }>()

/** True for a section of a known kind at a place that takes it. For any other it tells why it is text. */
function isAtHome(section: SectionLines, { env: state }: StateBlock, line: number): boolean {
  const env = state as RenderState
  const { kind, depth, end } = section
  const tell = (message: string): false => {
    tellOnce(env, line, message)
    toldLines.set(env, new Set([...(toldLines.get(env) ?? []), line + 1, end + 1].slice(-100)))
    return false
  }
  const fault = faultOfPlace(section)
  if (fault !== undefined) return tell(fault)
  if (!sectionKind(kind)) return true
  const count = counts.get(env) ?? { all: 0, within: 0 }
  counts.set(env, depth === 0 ? { all: count.all + 1, within: 0 } : { ...count, within: count.within + 1 })
  if (count.all >= maxSections) return tell(`A text has ${maxSections} sections at most: the others appear as text.`)
  if (depth > 0 && count.within >= maxItems) return tell(`A section has ${maxItems} parts at most: the others appear as text.`)
  return true
}

const toldLines = new WeakMap<RenderState, ReadonlySet<number>>()

/** True for a line of a section that is text, and about which the writer was told. @param line from 1 */
export const isToldSection = (env: RenderState, line: number): boolean => toldLines.get(env)?.has(line) === true

/** A rule may look at a line several times. */
function tellOnce(env: RenderState, line: number, message: string): void {
  if (!env.notices.some((one) => one.line === line + 1 && one.message === message)) notice(env, line + 1, message)
}

function htmlOf({ kind, attributes }: SectionLines, line: number, env: RenderState): SectionHtml {
  const { values, faults } = readAttributes(attributes, kind, sectionKind(kind)?.attributes ?? {})
  for (const fault of faults) tellOnce(env, line, shownSentence(fault))
  const { address, button, href } = values
  if (address !== undefined && !findEmbed(address))
    tellOnce(env, line, `“${shown(address)}” is no page of a video or map that can be shown here: it appears as a link.`)
  if (button !== undefined && href === undefined) tellOnce(env, line, 'The button has no address: give `href`.')
  return sectionHtml(kind, values)
}

const maxSentenceChars = 300
const shownSentence = (text: string): string =>
  text
    .slice(0, maxSentenceChars)
    .replace(/[^\P{C}]/gu, ' ')
    .toWellFormed()

/** `::: note` is the callout `> [!NOTE]`. */
function calloutHtml(kind: string, { words }: RenderState): SectionHtml {
  const title = words[kind as (typeof calloutKinds)[number]]
  return { open: `<div class="callout ${kind}" role="note">\n<p class="callout-title">${title}</p>\n`, close: '</div>\n' }
}

/** Turns the headings of a `faq` into questions, each of which opens its answer. */
function makeAnswers(tokens: Token[]): void {
  let isInside = false
  let isOpen = false
  const made: Token[] = []
  for (const token of tokens) {
    if (token.type === 'section_open' && token.info === 'faq') isInside = true
    const ends = isInside && isOpen && (token.type === 'heading_open' || (token.type === 'section_close' && token.info === 'faq'))
    if (ends)
      made.push(
        Object.assign(Object.create(Object.getPrototypeOf(token) as object) as Token, token, {
          type: 'answer_close',
          tag: '',
          attrs: null,
          hidden: false,
        }),
      )
    if (token.type === 'section_close' && token.info === 'faq') isInside = isOpen = false
    if (isInside && token.type === 'heading_open') {
      token.type = 'answer_open'
      isOpen = true
    } else if (isInside && token.type === 'heading_close') token.type = 'answer_text'
    made.push(token)
  }
  tokens.splice(0, tokens.length, ...made)
}

/** Takes the paragraph from the words of a button: they stand in a link. */
function makeButtons(tokens: readonly Token[]): void {
  let isInside = false
  for (const token of tokens) {
    if (token.info === 'button' && token.type.startsWith('section_')) isInside = token.type === 'section_open'
    if (isInside && (token.type === 'paragraph_open' || token.type === 'paragraph_close')) token.hidden = true
  }
}

/** Makes each picture of a gallery a link to its full size. Without a description, its number is the name of the link. */
function linkPictures({ tokens, env, Token: Made }: StateCore): void {
  const { words } = env as RenderState
  let isInside = false
  let count = 0
  for (const { type, info, children } of tokens) {
    if (info === 'gallery' && type === 'section_open') [isInside, count] = [true, 0]
    if (info === 'gallery' && type === 'section_close') isInside = false
    if (!isInside || type !== 'inline' || !children || children.some((child) => child.type === 'link_open')) continue
    const linked = children.flatMap((child) => {
      if (child.type !== 'image') return [child]
      const open = new Made('link_open', 'a', 1)
      count += 1
      open.attrs = [['href', child.attrGet('src') ?? '']]
      if (child.content.trim() === '') open.attrSet('aria-label', words.picture.replace('{number}', String(count)))
      return [open, child, new Made('link_close', 'a', -1)]
    })
    children.splice(0, children.length, ...linked)
  }
}
