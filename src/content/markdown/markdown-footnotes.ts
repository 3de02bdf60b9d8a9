// Footnotes: `[^1]` in a text, and `[^1]: The note` on separate lines. The notes are at the end, in the order of first use.
// markdown-it-footnote takes quadratic time; its fork @mdit/plugin-footnote doesn't report missing, duplicate or unused notes.

import type MarkdownIt from 'markdown-it'
import type { StateBlock, StateCore, StateInline, Token } from 'markdown-it'
import { notice, type Footnote, type RenderState, shown } from './markdown-state.ts'

/** The prefix of the ids of notes and references. No heading has an id with two hyphens in a row. */
const noteId = 'h--note-'
const useId = 'h--use-'

/** The most links from a note back to its references. */
const maxBackLinks = 20

/** The label of a note. It is short, so that the search for its end takes constant time. */
const label = /\[\^([^\s[\]^]{1,60})\]/y
const labelOfNote = /\[\^([^\s[\]^]{1,60})\]:/y

export function addFootnotes(parser: MarkdownIt): void {
  parser.block.ruler.before('reference', 'postern_footnote', readNote, { alt: ['paragraph', 'reference'] })
  parser.inline.ruler.after('image', 'postern_footnote_use', readUse)
  parser.core.ruler.after('inline', 'postern_footnotes', gatherNotes)
  parser.renderer.rules['footnote_use'] = (tokens, index) => useHtml(tokens[index]?.meta as Use)
  parser.renderer.rules['footnotes_open'] = (_tokens, _index, _options, env: RenderState) =>
    `<section class="footnotes" aria-label="${env.words.footnotes}">\n<ol>\n`
  parser.renderer.rules['footnotes_close'] = () => '</ol>\n</section>\n'
  parser.renderer.rules['footnote_back'] = (tokens, index, _options, env: RenderState) =>
    backLinks(tokens[index]?.meta as Footnote, env)
}

/** One place that refers to a note. `use` counts from 1. */
interface Use {
  readonly number: number
  readonly use: number
}

const idOfUse = ({ number, use }: Use): string => `${useId}${number}${use === 1 ? '' : `-${use}`}`

const useHtml = (use: Use): string =>
  `<sup class="footnote"><a href="#${noteId}${use.number}" id="${idOfUse(use)}">${use.number}</a></sup>`

function backLinks({ number, uses }: Footnote, { words }: RenderState): string {
  const count = Math.min(uses, maxBackLinks)
  const links = Array.from({ length: count }, (_, index) => {
    const name = count === 1 ? words.backToText : `${words.backToText} (${index + 1})`
    return ` <a class="back" href="#${idOfUse({ number, use: index + 1 })}" aria-label="${name}">↩\ufe0e</a>`
  })
  return links.join('')
}

/** Reads a note. Lines that are indented by four spaces belong to it. */
function readNote(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0)
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false
  labelOfNote.lastIndex = start
  const found = labelOfNote.exec(state.src)
  if (found === null) return false
  if (silent) return true
  const open = state.push('footnote_open', 'li', 1)
  open.meta = found[1]
  open.map = [startLine, startLine + 1]
  readBlocks(state, startLine, endLine, start + found[0].length)
  open.map[1] = state.line
  state.push('footnote_close', 'li', -1)
  return true
}

/** Parses the blocks of a note like those of a list item that begins after the label. */
function readBlocks(state: StateBlock, line: number, endLine: number, from: number): void {
  const { blkIndent, parentType, tight } = state
  const [bMark, tShift, sCount] = [state.bMarks[line] ?? 0, state.tShift[line] ?? 0, state.sCount[line] ?? 0]
  const text = state.skipSpaces(from)
  state.blkIndent = sCount + 4
  state.bMarks[line] = from
  state.tShift[line] = text - from
  state.sCount[line] = state.blkIndent
  state.parentType = 'list'
  state.md.block.tokenize(state, line, endLine)
  Object.assign(state, { blkIndent, parentType, tight })
  state.bMarks[line] = bMark
  state.tShift[line] = tShift
  state.sCount[line] = sCount
}

/** Reads a reference. A reference without a note stays as written, and `markdown-notices.ts` reports it to the writer. */
function readUse(state: StateInline, silent: boolean): boolean {
  label.lastIndex = state.pos
  const found = label.exec(state.src)
  const note = found && notesOf(state.env as Partial<RenderState>).get(normalized(found[1] ?? ''))
  if (!found || !note) return false
  if (!silent) {
    const env = state.env as RenderState
    if (note.number === 0) {
      env.usedFootnotes.push(note)
      note.number = env.usedFootnotes.length
    }
    note.uses += 1
    state.push('footnote_use', '', 0).meta = { number: note.number, use: note.uses } satisfies Use
  }
  state.pos += found[0].length
  return true
}

const notesOf = ({ footnotes }: Partial<RenderState>): ReadonlyMap<string, Footnote> => footnotes ?? new Map<string, Footnote>()
const normalized = (name: string): string => name.toLowerCase()

/** Collects the definitions, before the references are read. */
export function listNotes(tokens: readonly Token[], env: RenderState): void {
  for (const { type, meta, map } of tokens) {
    if (type !== 'footnote_open') continue
    const name = String(meta)
    const line = (map?.[0] ?? 0) + 1
    if (env.footnotes.has(normalized(name)))
      notice(env, line, `The footnote [^${shown(name)}] is defined a second time; the first definition counts.`)
    else env.footnotes.set(normalized(name), { label: name, line, number: 0, uses: 0 })
  }
}

/** Moves the notes to the end. A note without a reference is left out and reported to the writer. */
function gatherNotes(state: StateCore): void {
  const env = state.env as RenderState
  if (env.footnotes.size === 0) return
  const kept: Token[] = []
  const bodies = new Map<number, Token[]>()
  const open = [kept]
  for (const token of state.tokens) {
    if (token.type === 'footnote_open') {
      const body: Token[] = []
      open.push(body)
      const note = env.footnotes.get(normalized(String(token.meta)))
      // The first definition counts.
      if (note !== undefined && note.line === (token.map?.[0] ?? 0) + 1) bodies.set(note.number, body)
    } else if (token.type === 'footnote_close') open.pop()
    else open.at(-1)?.push(token)
  }
  for (const { number, line, label: name } of env.footnotes.values())
    if (number === 0) notice(env, line, `Nothing refers to the footnote [^${shown(name)}], so the page leaves it out.`)
  if (env.usedFootnotes.length > 0) kept.push(new state.Token('footnotes_open', '', 1))
  for (const note of env.usedFootnotes) pushNote(state, kept, note, bodies.get(note.number) ?? [])
  if (env.usedFootnotes.length > 0) kept.push(new state.Token('footnotes_close', '', -1))
  state.tokens = kept
}

function pushNote(state: StateCore, kept: Token[], note: Footnote, body: readonly Token[]): void {
  const open = new state.Token('list_item_open', 'li', 1)
  open.block = true
  open.attrs = [['id', noteId + note.number]]
  const back = new state.Token('footnote_back', '', 0)
  back.meta = note
  kept.push(open)
  for (const token of body) kept.push(token)
  // The link back is at the end of the last paragraph.
  const inline = body.at(-1)?.type === 'paragraph_close' ? body.at(-2) : undefined
  if (inline?.children) inline.children.push(back)
  else kept.push(back)
  const close = new state.Token('list_item_close', 'li', -1)
  close.block = true
  kept.push(close)
}
