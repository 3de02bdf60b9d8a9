// Renders Markdown, which may contain raw HTML, to HTML. The result is NOT safe to show until `sanitize.ts` has cleaned it.
import type MarkdownIt from 'markdown-it'
import type { Token } from 'markdown-it'
import { createHeadingIds, headingIdPrefix, headingTitle } from './heading-id.ts'

/** A heading at the top level of a text, not inside a list item or quotation. Offsets are UTF-16 units of the source. */
export interface Heading {
  /** 1 to 6. */
  readonly level: number
  /** Its Markdown source. */
  readonly source: string
  /** Where its first line begins. */
  readonly start: number
  /** Where its last line ends, without the line end. */
  readonly end: number
}

/** CommonMark with tables, strikethrough, and links for bare addresses. */
export interface Markdown {
  toHtml(markdown: string): string
  /** Finds headings with the parser's own block rules, so that they are the same as on the page. */
  headings(markdown: string): readonly Heading[]
}

/** Loads the parser, so the first call takes a moment. */
export async function createMarkdown(): Promise<Markdown> {
  const { default: Parser } = await import('markdown-it')
  const parser = new Parser({
    html: true,
    linkify: true,
    typographer: false,
    langPrefix: 'language-',
  })
  // The sanitizer removes bad links and tells the writer. A link that is refused here would show up on the page as Markdown source.
  parser.validateLink = () => true
  // Only full addresses become links: not `README.md`, and not `//comment`.
  parser.linkify.set({ fuzzyLink: false, fuzzyIP: false }).add('//', null).add('ftp:', null)
  parser.core.ruler.push('postern_headings', (state) => nameHeadings(state.tokens))
  parser.core.ruler.push('postern_alignment', (state) => alignByAttribute(state.tokens))
  keepFragments(parser)
  return {
    toHtml: (markdown) => parser.render(onlyCharacters(markdown)),
    headings: (markdown) => headingsOf(parser, onlyCharacters(markdown)),
  }
}

/** Replaces lone surrogates and NUL, which HTML parsers treat in different ways. Offsets don't change. */
export const onlyCharacters = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

const lineEnd = /\r\n?|\n/g

function headingsOf(parser: MarkdownIt, markdown: string): readonly Heading[] {
  const tokens: Token[] = []
  parser.block.parse(markdown.replace(lineEnd, '\n'), parser, {}, tokens)
  const lines = linesOf(markdown)
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open' || token.level !== 0) return []
    const [first, next] = token.map ?? [0, 1]
    return {
      level: Number(token.tag.slice(1)),
      source: tokens[index + 1]?.content ?? '',
      start: lines[first]?.start ?? 0,
      end: lines[next - 1]?.end ?? markdown.length,
    }
  })
}

/** Where each line begins and ends, with the line ends that the parser recognizes. */
function linesOf(text: string): readonly { readonly start: number; readonly end: number }[] {
  const lines: { start: number; end: number }[] = []
  let start = 0
  for (const { index, 0: found } of text.matchAll(lineEnd)) {
    lines.push({ start, end: index })
    start = index + found.length
  }
  return [...lines, { start, end: text.length }]
}

/** Gives ids to top-level headings, the same that `headings` finds; headings inside a list or quotation get none. */
function nameHeadings(tokens: readonly Token[]): void {
  const idOf = createHeadingIds()
  tokens.forEach((token, index) => {
    if (token.type !== 'heading_open' || token.level !== 0) return
    token.attrSet('id', headingIdPrefix + idOf(headingTitle(tokens[index + 1]?.content ?? '')))
  })
}

/** The parser writes the alignment of cells as `style`, which is not allowed in texts; `align` does the same. */
function alignByAttribute(tokens: readonly Token[]): void {
  for (const token of tokens) {
    if (token.type !== 'th_open' && token.type !== 'td_open') continue
    const align = /^text-align:(left|center|right)$/.exec(token.attrGet('style') ?? '')?.[1]
    token.attrs = align === undefined ? null : [['align', align]]
  }
}

/** Makes `[see](#prices)` lead to the heading with the id `h-prices`. */
function keepFragments(parser: MarkdownIt): void {
  const normalize = parser.normalizeLink.bind(parser)
  parser.normalizeLink = (address) =>
    normalize(
      address.startsWith('#') && !address.startsWith(`#${headingIdPrefix}`) ? `#${headingIdPrefix}${address.slice(1)}` : address,
    )
}
