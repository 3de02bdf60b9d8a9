// Finds the lines of a Markdown text that are headings of the text itself, by CommonMark's block rules, reading each line once.
// It knows just enough of lists, quotations, fences and raw HTML to stay out of them.

/** A heading as it stands in the source: where it begins, where its last line ends (line end excluded), and its words in Markdown. */
export interface HeadingLine {
  readonly level: number
  readonly source: string
  readonly start: number
  readonly end: number
}

type Inside =
  | { readonly kind: 'fence'; readonly closing: RegExp }
  | { readonly kind: 'html'; readonly closing: RegExp }
  | undefined

/** What is open while the lines go by. */
interface State {
  readonly found: HeadingLine[]
  inside: Inside
  /** Where a paragraph of the text itself began, which a line of `=` or `-` may yet make a heading. */
  paragraphStart: number | undefined
  paragraph: string[]
  /** A paragraph in a list or quotation is open, so that a line may belong to it without looking so. */
  lazy: boolean
  /** Least indent of what belongs to the open list item; 0 with none open. */
  listIndent: number
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
const blank = /^[ \t]*$/
const htmlBlock =
  /^ {0,3}<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?=\s|\/?>|$)/i
const htmlTagAlone =
  /^ {0,3}<(?:[a-z][a-z0-9-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?|\/[a-z][a-z0-9-]*\s*)>[ \t]*$/i

/** The headings of a text in order. */
export function headingLines(markdown: string): readonly HeadingLine[] {
  const state: State = { found: [], inside: undefined, paragraphStart: undefined, paragraph: [], lazy: false, listIndent: 0 }
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
    if (state.inside.closing.test(line)) state.inside = undefined
    return
  }
  if (blank.test(line)) return endParagraph(state)
  if (state.listIndent > 0 && indentOf(line) >= state.listIndent) return void (state.lazy = true)
  const inParagraph = state.paragraphStart !== undefined
  if (inParagraph && setextHeading(state, line, start)) return
  if (indentOf(line) >= 4) return inParagraph ? void state.paragraph.push(line) : undefined
  if (atxHeading(state, line, start) || opensBlock(state, line, inParagraph)) return
  if (opensContainer(state, line, inParagraph) || state.lazy) return
  state.listIndent = 0
  state.paragraphStart ??= start
  state.paragraph.push(line)
}

function endParagraph(state: State): void {
  state.paragraphStart = undefined
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
  if (match === null || state.paragraphStart === undefined) return false
  const source = state.paragraph.map((part) => part.trim()).join('\n')
  state.found.push({ level: match[1] === undefined ? 2 : 1, source, start: state.paragraphStart, end: start + line.length })
  endParagraph(state)
  return true
}

function atxHeading(state: State, line: string, start: number): boolean {
  const match = atx.exec(line)
  if (match === null) return false
  const source = (match[2] ?? '').replace(/(?:^|[ \t]+)#+[ \t]*$/, '').trim()
  state.found.push({ level: (match[1] ?? '#').length, source, start, end: start + line.length })
  endParagraph(state)
  state.listIndent = 0
  return true
}

/** Fences, breaks and raw HTML; they end what was open. */
function opensBlock(state: State, line: string, inParagraph: boolean): boolean {
  const open = (inside: Inside) => {
    endParagraph(state)
    state.listIndent = 0
    state.inside = inside
    return true
  }
  const marker = fence.exec(line)?.[1]
  if (marker !== undefined) {
    return open({ kind: 'fence', closing: new RegExp(`^ {0,3}\\${marker[0]}{${marker.length},}[ \\t]*$`) })
  }
  if (thematicBreak.test(line)) return open(undefined)
  const html = htmlStarts.find(([opening]) => opening.test(line))?.[1]
  if (html !== undefined) return open(html.test(line) ? undefined : { kind: 'html', closing: html })
  if (htmlBlock.test(line) || (!inParagraph && !state.lazy && htmlTagAlone.test(line)))
    return open({ kind: 'html', closing: blank })
  return false
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
  state.lazy = words !== undefined
  return true
}
