// Markdown to HTML as its writer meant it, raw HTML included. The result is NOT safe to show: `sanitize.ts` makes it so.
import type MarkdownIt from 'markdown-it'
import type { Token } from 'markdown-it'
import { createHeadingIds, headingIdPrefix, headingTitle } from './heading-id.ts'

/** CommonMark with tables, strikethrough and bare addresses as links, to HTML. */
export type MarkdownToHtml = (markdown: string) => string

/** Loads the parser, which is why this takes a moment the first time. */
export async function createMarkdown(): Promise<MarkdownToHtml> {
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
  return (markdown) => parser.render(markdown)
}

/** Headings of the text itself get ids, those inside a list or quotation none: `outline.ts` counts the same ones. */
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
