// Finds the lines of a Markdown text that are headings of the text itself, by CommonMark's block rules, reading each line once.
// It knows just enough of lists, quotations, fences and raw HTML to stay out of them.

/** A heading as it stands in the source: where it begins, where its last line ends (line end excluded), and its words in Markdown. */
export interface HeadingLine {
  readonly level: number
  readonly source: string
  readonly start: number
  readonly end: number
}

/** Says whether a line ends what is open. */
type Closes = (line: string) => boolean

/** What is open while the lines go by. */
interface State {
  readonly found: HeadingLine[]
  inside: Closes | undefined
  /** Lines of a paragraph of the text itself, which a line of `=` or `-` may yet make a heading. */
  paragraph: { readonly words: string; readonly start: number }[]
  /** A paragraph in a list or quotation is open, so that a line may belong to it without looking so. */
  lazy: boolean
  /** Least indent of what belongs to the open list item; 0 with none open. */
  listIndent: number
  /** The open item has no words yet. */
  bareItem: boolean
}

const thematicBreak = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/
const atx = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/
const setext = /^ {0,3}(?:(=+)|-+)[ \t]*$/
const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
const listItem = /^( {0,3}(?:[*+-]|\d{1,9}[.)]))(?:([ \t]+)(\S.*)?)?$/
const htmlStarts: readonly (readonly [RegExp, RegExp])[] = [
  [/^ {0,3}<(?:script|pre|style|textarea)(?=\s|>|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<![A-Za-z]/, />/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
]
const linkDefinition = /^\[[^[\]]*[^\s[\]][^[\]]*\]:\s*\S+$/
/** Opens something in a list item that a line below, with no indent, can't go on with. */
const noWords = /^(?:#{1,6}(?:[ \t]|$)|```|~~~|<[a-z/!?]|[-*+]$|-{3}|\*{3})/i
const blank = /^[ \t]*$/
const htmlBlock =
  /^ {0,3}<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?=\s|\/?>|$)/i
const htmlTagAlone =
  /^ {0,3}<(?:[a-z][a-z0-9-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?|\/[a-z][a-z0-9-]*\s*)>[ \t]*$/i

/** The headings of a text in order. */
export function headingLines(markdown: string): readonly HeadingLine[] {
  const state: State = {
    found: [],
    inside: undefined,
    paragraph: [],
    lazy: false,
    listIndent: 0,
    bareItem: false,
  }
  let start = 0
  while (start <= markdown.length) {
    const lineEnd = endOfLine(markdown, start)
    readLine(state, markdown.slice(start, lineEnd), start)
    start = lineEnd + (markdown.startsWith('\r\n', lineEnd) ? 2 : 1)
  }
  return state.found
}

function endOfLine(text: string, from: number): number {
  const newline = text.indexOf('\n', from)
  const end = newline === -1 ? text.length : newline
  return text[end - 1] === '\r' && end > from ? end - 1 : end
}

function readLine(state: State, line: string, start: number): void {
  if (state.inside !== undefined) {
    if (state.inside(line)) state.inside = undefined
    return
  }
  if (blank.test(line)) return readBlank(state)
  if (state.listIndent > 0 && indentOf(line) >= state.listIndent) return readItemLine(state, line)
  const inParagraph = state.paragraph.length > 0
  if (inParagraph && setextHeading(state, line, start)) return
  if (indentOf(line) >= 4) return inParagraph ? void state.paragraph.push({ words: line.trim(), start }) : undefined
  if (atxHeading(state, line, start) || opensBlock(state, line, inParagraph)) return
  if (opensContainer(state, line, inParagraph) || state.lazy) return
  state.listIndent = 0
  if (!inParagraph && linkDefinition.test(line.trim())) return
  state.paragraph.push({ words: line.trim(), start })
}

/** A bullet with nothing on its line and nothing on the next is an item by itself. */
function readBlank(state: State): void {
  if (state.bareItem) state.listIndent = 0
  state.bareItem = false
  endParagraph(state)
}

/** Whatever stands in an item stays in it; a line of words there may go on without indent. */
function readItemLine(state: State, line: string): void {
  state.lazy = !noWords.test(line.trim())
  state.bareItem = false
}

function endParagraph(state: State): void {
  state.paragraph = []
  state.lazy = false
}

function indentOf(line: string): number {
  let columns = 0
  for (const char of line) {
    if (char === ' ') columns += 1
    else if (char === '\t') columns += 4 - (columns % 4)
    else break
  }
  return columns
}

function setextHeading(state: State, line: string, start: number): boolean {
  const match = setext.exec(line)
  if (match === null) return false
  const [first] = state.paragraph
  if (first === undefined) return false
  const source = state.paragraph.map(({ words }) => words).join('\n')
  state.found.push({
    level: match[1] === undefined ? 2 : 1,
    source,
    start: first.start,
    end: start + line.length,
  })
  endParagraph(state)
  return true
}

function atxHeading(state: State, line: string, start: number): boolean {
  const match = atx.exec(line)
  if (match === null) return false
  const source = withoutClosingMarks((match[2] ?? '').trim())
  state.found.push({ level: (match[1] ?? '#').length, source, start, end: start + line.length })
  endParagraph(state)
  state.listIndent = 0
  return true
}

/** `## a ##` is `a`; `## a#` is `a#`. */
function withoutClosingMarks(words: string): string {
  let end = words.length
  while (words[end - 1] === '#') end -= 1
  return end === 0 ? '' : /[ \t]/.test(words[end - 1] ?? '') ? words.slice(0, end).trimEnd() : words
}

/** Fences, breaks and raw HTML; they end what was open. */
function opensBlock(state: State, line: string, inParagraph: boolean): boolean {
  const open = (inside: Closes | undefined) => {
    endParagraph(state)
    state.listIndent = 0
    state.inside = inside
    return true
  }
  const marker = fence.exec(line)?.[1]
  if (marker !== undefined) return open((later) => closesFence(later, marker))
  if (thematicBreak.test(line)) return open(undefined)
  const html = htmlStarts.find(([opening]) => opening.test(line))?.[1]
  if (html !== undefined) return open(html.test(line) ? undefined : (later) => html.test(later))
  if (htmlBlock.test(line) || (!inParagraph && !state.lazy && htmlTagAlone.test(line))) return open((later) => blank.test(later))
  return false
}

/** At least as many of the same marks, alone on a line. */
function closesFence(line: string, marker: string): boolean {
  const marks = line.trim()
  return marks.length >= marker.length && indentOf(line) < 4 && marks === marks[0]?.repeat(marks.length) && marks[0] === marker[0]
}

/** List items and quotations. A list may break into a paragraph only by a bullet or `1`, and with words. */
function opensContainer(state: State, line: string, inParagraph: boolean): boolean {
  if (/^ {0,3}>/.test(line)) {
    endParagraph(state)
    state.lazy = !/^ {0,3}>[ \t]*$/.test(line)
    state.listIndent = 0
    return true
  }
  const item = listItem.exec(line)
  if (item === null) return false
  const [, marker = '', gap = '', words] = item
  if (inParagraph && (words === undefined || (/\d/.test(marker) && !/^ *1[.)]/.test(marker)))) return false
  endParagraph(state)
  const gapColumns = indentOf(gap)
  state.listIndent = marker.length + (words === undefined || gapColumns > 4 ? 1 : gapColumns)
  state.bareItem = words === undefined
  state.lazy = words !== undefined && !noWords.test(words)
  return true
}
