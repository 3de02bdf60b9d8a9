// Renders Markdown, which may contain raw HTML, to HTML. The result is NOT safe to show until `sanitize.ts` has cleaned it. Each
// construct beyond CommonMark has a file `markdown-….ts`; the document `markdown` describes all of them.
import type MarkdownIt from 'markdown-it'
import type { Token } from 'markdown-it'
import { colouredCode } from './code-colours.ts'
import { escapeHtml } from './escape-html.ts'
import { createHeadingIds, headingIdPrefix, headingTitle } from './heading-id.ts'
import { keepAlts } from './markdown-alts.ts'
import { addCallouts } from './markdown-callouts.ts'
import { addFigures } from './markdown-figures.ts'
import { addFormulas } from './markdown-formulas.ts'
import { addFootnotes, listNotes } from './markdown-footnotes.ts'
import { inspect, type Markup } from './markdown-notices.ts'
import { addSections } from './markdown-sections.ts'
import { addNewTabs } from './markdown-new-tab.ts'
import type { FoundFormulas, Notice, RenderState } from './markdown-state.ts'
import { addTasks } from './markdown-tasks.ts'
import { wordsFor } from './markdown-words.ts'
import { typographyOf } from './quotation-marks.ts'
import { smarten } from './smart-punctuation.ts'

/** A heading at the top level of a text, not inside a list item or quotation. Offsets are UTF-16 units of the source. */
export interface Heading {
  /** The level, from 1 to 6. */
  readonly level: number
  /** Its Markdown source. */
  readonly source: string
  /** The place at which its first line begins. */
  readonly start: number
  /** The place at which its last line ends, without the line end. */
  readonly end: number
}

export interface RenderSettings {
  /** BCP 47; the default is `en`. */
  readonly language?: string
  /** The site's origin and base path without a slash at the end. Links to audio and video below it become players. */
  readonly origin?: string
  /** True to read formulas between `$…$`. */
  readonly formulas?: boolean
}

export interface RenderedMarkdown {
  readonly html: string
  /** Unsupported constructs, in the order of lines. */
  readonly notices: readonly Notice[]
  /** The places of raw HTML and addresses in the source. */
  readonly markup: readonly Markup[]
}

/** CommonMark with tables, strikethrough, links for bare addresses, and the constructs of the document `markdown`. */
export interface Markdown {
  /** @param formulas the list to which formulas are added; without it they are text */
  render(markdown: string, settings?: RenderSettings, formulas?: FoundFormulas): RenderedMarkdown
  /** Finds headings with the parser's own block rules, so that they are the same as on the page. */
  headings(markdown: string): readonly Heading[]
}

/** Loads the parser, so the first call takes a moment. */
export async function createMarkdown(): Promise<Markdown> {
  const [{ default: Parser }, { default: definitionLists }] = await Promise.all([
    import('markdown-it'),
    import('markdown-it-deflist'),
  ])
  const parser = new Parser({
    html: true,
    linkify: true,
    typographer: false,
    langPrefix: 'language-',
  })
  // The sanitizer removes and reports bad links. A link that is refused here would appear on the page as Markdown.
  parser.validateLink = () => true
  // Only full addresses become links: not `README.md`, and not `//comment`.
  parser.linkify.set({ fuzzyLink: false, fuzzyIP: false }).add('//', null).add('ftp:', null)
  parser.use(definitionLists)
  addFootnotes(parser)
  addTasks(parser)
  addNewTabs(parser)
  addCallouts(parser)
  addSections(parser)
  addFormulas(parser)
  parser.core.ruler.after('block', 'postern_notes', (state) => listNotes(state.tokens, state.env as RenderState))
  keepAlts(parser)
  addFigures(parser)
  const markups = new WeakMap<RenderState, readonly Markup[]>()
  parser.core.ruler.before('text_join', 'postern_notices', (state) => void markups.set(state.env as RenderState, inspect(state)))
  parser.core.ruler.before('text_join', 'postern_punctuation', (state) => punctuate(state.tokens, state.env as RenderState))
  parser.core.ruler.push('postern_headings', (state) =>
    nameHeadings(state.tokens, (type, nesting) => new state.Token(type, 'a', nesting)),
  )
  parser.core.ruler.push('postern_cells', (state) => tidyCells(state.tokens))
  addBlocks(parser)
  keepFragments(parser)
  return {
    render(markdown, settings = {}, formulas) {
      const state = stateFor(settings, formulas)
      const html = parser.render(onlyCharacters(markdown), state)
      return { html, notices: state.notices.toSorted((a, b) => a.line - b.line), markup: markups.get(state) ?? [] }
    },
    headings: (markdown) => headingsOf(parser, onlyCharacters(markdown)),
  }
}

function stateFor({ language = 'en', origin }: RenderSettings, formulas: FoundFormulas | undefined): RenderState {
  const [words, typography] = [wordsFor(language), typographyOf(language)]
  return { words, typography, origin, notices: [], footnotes: new Map(), usedFootnotes: [], formulas }
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

/** Returns the beginning and end of each line, with the line ends that the parser recognizes. */
function linesOf(text: string): readonly { readonly start: number; readonly end: number }[] {
  const lines: { start: number; end: number }[] = []
  let start = 0
  for (const { index, 0: found } of text.matchAll(lineEnd)) {
    lines.push({ start, end: index })
    start = index + found.length
  }
  return [...lines, { start, end: text.length }]
}

/** A link can't contain another link. */
const holdsLink = ({ type, content }: Token): boolean =>
  type === 'link_open' || type === 'footnote_use' || (type === 'html_inline' && /^<a[\s>]/i.test(content))

/** Gives top-level headings, those that `headings` finds, an id and a link to themselves. */
function nameHeadings(tokens: readonly Token[], link: (type: string, nesting: -1 | 1) => Token): void {
  const idOf = createHeadingIds()
  const headings = tokens.flatMap(({ type }, index) => (type === 'heading_open' ? [index] : []))
  const inSections = headingsInSections(tokens)
  // Those in sections come last, so that they change no id of the others.
  const named = [...headings.filter((index) => tokens[index]?.level === 0), ...headings.filter((index) => inSections.has(index))]
  for (const index of named) {
    const token = tokens[index] as Token
    const inline = tokens[index + 1]
    const id = headingIdPrefix + idOf(headingTitle(inline?.content ?? ''))
    token.attrSet('id', id)
    if (!inline?.children?.length || inline.children.some(holdsLink)) continue
    const open = link('link_open', 1)
    open.attrs = [['href', `#${id}`]]
    inline.children = [open, ...inline.children, link('link_close', -1)]
  }
}

/** The places of headings that stand in sections, and in nothing else. */
function headingsInSections(tokens: readonly Token[]): ReadonlySet<number> {
  const found = new Set<number>()
  let depth = 0
  tokens.forEach(({ type, level }, index) => {
    if (type === 'section_open') depth++
    else if (type === 'section_close') depth--
    else if (type === 'heading_open' && depth > 0 && level === depth) found.add(index)
  })
  return found
}

/** The inline tokens that count as text next to a quotation mark. Emphasis and raw tags do not: the text around them counts. */
const wide: ReadonlySet<string> = new Set(['code_inline', 'formula', 'image', 'text_special'])

function punctuate(tokens: readonly Token[], { typography }: RenderState): void {
  for (const { type, children } of tokens) {
    if (type !== 'inline' || !children) continue
    let address = false
    const pieces = children.map((child) => {
      if (child.type === 'link_open') address = child.markup === 'linkify' || child.markup === 'autolink'
      if (child.type === 'link_close') address = false
      if (child.type === 'text') return { text: child.content, fixed: address }
      if (child.type === 'softbreak' || child.type === 'hardbreak') return { text: '\n' }
      return { text: wide.has(child.type) ? 'x' : '', fixed: true }
    })
    smarten(pieces, typography).forEach((text, index) => {
      const child = children[index]
      if (child?.type === 'text') child.content = text
    })
  }
}

/** Replaces the alignment of cells in `style`, which is not allowed, by a class. An empty header cell becomes an ordinary cell. */
function tidyCells(tokens: readonly Token[]): void {
  tokens.forEach((token, index) => {
    if (token.type !== 'th_open' && token.type !== 'td_open') return
    const align = /^text-align:(left|center|right)$/.exec(token.attrGet('style') ?? '')?.[1]
    token.attrs = align === undefined ? null : [['class', align]]
    const close = tokens[index + 2]
    if (token.type === 'th_open' && tokens[index + 1]?.content === '' && close) token.tag = close.tag = 'td'
  })
}

/** Code blocks and tables. Both may be wider than a phone, so they scroll and are focusable by keyboard. */
function addBlocks(parser: MarkdownIt): void {
  const { unescapeAll } = parser.utils
  const { rules } = parser.renderer
  rules['fence'] = (tokens, index) => {
    const { info = '', content = '' } = tokens[index] ?? {}
    const language = unescapeAll(info).trim().split(/\s/, 1)[0] ?? ''
    const label = language === '' ? '' : ` class="language-${escapeHtml(language)}"`
    return `<pre tabindex="0"><code${label}>${colouredCode(content, language)}</code></pre>\n`
  }
  rules['code_block'] = (tokens, index) => `<pre tabindex="0"><code>${escapeHtml(tokens[index]?.content ?? '')}</code></pre>\n`
  rules['table_open'] = (_tokens, _index, _options, { words }: RenderState) =>
    `<div class="table" role="group" tabindex="0" aria-label="${words.table}"><table>\n`
  rules['table_close'] = () => '</table></div>\n'
}

/** Makes `[see](#prices)` lead to the heading with the id `h-prices`. */
function keepFragments(parser: MarkdownIt): void {
  const normalize = parser.normalizeLink.bind(parser)
  parser.normalizeLink = (address) =>
    normalize(
      address.startsWith('#') && !address.startsWith(`#${headingIdPrefix}`) ? `#${headingIdPrefix}${address.slice(1)}` : address,
    )
}
