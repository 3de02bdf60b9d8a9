// Markdown to HTML as its writer meant it, raw HTML included. The result is NOT safe to show: `sanitize.ts` makes it so.
import type MarkdownIt from 'markdown-it'
import type { Token } from 'markdown-it'
import { createHeadingIds, headingIdPrefix, headingTitle } from './heading-id.ts'

/** A heading of the text itself, not of a list item or quotation in it. Offsets are UTF-16 units of the source. */
export interface Heading {
  /** 1 to 6. */
  readonly level: number
  /** Its words in Markdown. */
  readonly source: string
  /** Where its first line begins. */
  readonly start: number
  /** Where its last line ends, without the line end. */
  readonly end: number
}

/** CommonMark with tables, strikethrough and bare addresses as links. */
export interface Markdown {
  toHtml(markdown: string): string
  /** Finds the headings by the parser's own block rules, so that they are those of the page. */
  headings(markdown: string): readonly Heading[]
}

/** Loads the parser, which is why this takes a moment the first time. */
export async function createMarkdown(): Promise<Markdown> {
  const { default: Parser } = await import('markdown-it')
  const parser = new Parser({
    html: true,
    linkify: true,
    typographer: false,
    langPrefix: 'language-',
  })
  // Left to the sanitizer, which tells the writer; refused here, the link would stand on the page as source.
  parser.validateLink = () => true
  // Only what is written out as an address: `README.md` and `//comment` are no links.
  parser.linkify.set({ fuzzyLink: false, fuzzyIP: false }).add('//', null).add('ftp:', null)
  parser.core.ruler.push('postern_headings', (state) => nameHeadings(state.tokens))
  parser.core.ruler.push('postern_alignment', (state) => alignByAttribute(state.tokens))
  keepFragments(parser)
  return {
    toHtml: (markdown) => parser.render(onlyCharacters(markdown)),
    headings: (markdown) => headingsOf(parser, onlyCharacters(markdown)),
  }
}

/** Markup that HTML readers treat unlike each other starts with what isn't text at all. Offsets stay what they are. */
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

/** Where each line begins and ends, by the line ends that the parser knows. */
function linesOf(text: string): readonly { readonly start: number; readonly end: number }[] {
  const lines: { start: number; end: number }[] = []
  let start = 0
  for (const { index, 0: found } of text.matchAll(lineEnd)) {
    lines.push({ start, end: index })
    start = index + found.length
  }
  return [...lines, { start, end: text.length }]
}

/** Headings of the text itself get ids, those inside a list or quotation none: `headings` finds the same ones. */
function nameHeadings(tokens: readonly Token[]): void {
  const idOf = createHeadingIds()
  tokens.forEach((token, index) => {
    if (token.type !== 'heading_open' || token.level !== 0) return
    token.attrSet('id', headingIdPrefix + idOf(headingTitle(tokens[index + 1]?.content ?? '')))
  })
}

/** Tables say their alignment in `style`, which no text may carry; the old attribute says it as well. */
function alignByAttribute(tokens: readonly Token[]): void {
  for (const token of tokens) {
    if (token.type !== 'th_open' && token.type !== 'td_open') continue
    const align = /^text-align:(left|center|right)$/.exec(token.attrGet('style') ?? '')?.[1]
    token.attrs = align === undefined ? null : [['align', align]]
  }
}

/** `[see](#prices)` finds the heading whose id is `h-prices`. */
function keepFragments(parser: MarkdownIt): void {
  const normalize = parser.normalizeLink.bind(parser)
  parser.normalizeLink = (address) =>
    normalize(
      address.startsWith('#') && !address.startsWith(`#${headingIdPrefix}`) ? `#${headingIdPrefix}${address.slice(1)}` : address,
    )
}
