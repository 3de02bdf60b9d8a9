// Converts cleaned HTML to plain text, for excerpts, descriptions and the format `text`. Markdown is rendered first, so that text
// and page agree. Only cleaned HTML is valid input. Every excerpt of a text is made by `summaryOfHtml`.

import { trimEndOf } from '../../base/trim-text.ts'

const blockEdge =
  /<\/?(?:address|article|aside|audio|blockquote|caption|dd|details|div|dl|dt|figcaption|figure|footer|h[1-6]|header|hr|li|ol|p|pre|section|summary|table|tbody|tfoot|thead|tr|ul|video)(?:\s[^<>]*)?>/g
const image = /<img(?=\s)[^<>]*>/g

/** The text of cleaned HTML: one line per block, tabs between cells, descriptions in place of images, entities decoded. */
export function textOfHtml(html: string): string {
  const parts = withFormulaSources(html).split(/(<pre(?:\s[^<>]*)?>|<\/pre>)/)
  let preformatted = false
  let text = ''
  for (const part of parts) {
    if (part.startsWith('<pre') || part === '</pre>') {
      preformatted = part !== '</pre>'
      text += '\n'
    } else text += preformatted ? part : flowText(part)
  }
  return decodeEntities(text.replace(/<[^<>]*>/g, ''))
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n')
    .trim()
}

/** Replaces formulas by their sources, which rendering has put into them. */
export function withFormulaSources(html: string): string {
  const [start = '', ...formulas] = html.split('<math')
  if (formulas.length === 0) return html
  return formulas.reduce((text, part) => {
    const end = part.indexOf('</math>')
    const source = /<annotation(?:\s[^<>]*)?>([^<>]*)</.exec(part)?.[1] ?? ''
    const sign = part.startsWith(' display') ? '$$' : '$'
    return end < 0 ? text : `${text}${sign}${source}${sign}${part.slice(end + '</math>'.length)}`
  }, start)
}

/** Outside `pre`, line ends and runs of spaces mean one space. */
function flowText(html: string): string {
  return html
    .replace(/\s+/g, ' ')
    .replace(/ ?<a class="back"[^<>]*>[^<>]*<\/a>/g, '')
    .replace(/<sup class="footnote"><a [^<>]*>(\d+)/g, '[$1]')
    .replace(image, (tag) => /\salt="([^"]*)"/.exec(tag)?.[1] ?? '')
    .replace(/<br ?\/?>/g, '\n')
    .replace(/<\/t[dh]> ?(?=<t[dh])/g, '\t')
    .replace(blockEdge, '\n')
    .replace(/ ?\n ?/g, '\n')
}

/**
 * The parts that an excerpt leaves out, by element and by class: headings and asides, and parts that make no sense on one line.
 */
const asides: ReadonlySet<string> = new Set('h1 h2 h3 h4 h5 h6 pre table figure video audio'.split(' '))
const asideClasses: ReadonlySet<string> = new Set(['callout-title', 'footnote', 'footnotes', 'task', 'task done'])

/**
 * The beginning of cleaned HTML on one line, from its paragraphs and lists. A text without either gives its first words.
 * @param maxChars as `excerptOf`
 */
export function summaryOfHtml(html: string, maxChars: number): string {
  const flowing = asSentence(withoutAsides(html, maxChars * 8))
  return excerptOf(textOfHtml(flowing), maxChars) || excerptOf(textOfHtml(html), maxChars)
}

/** Ends the items of lists, which have no lines of their own in an excerpt: with commas, and the last one with a full stop. */
function asSentence(html: string): string {
  const parts = html.split('</li>')
  const rest = parts.pop() ?? ''
  const isLast = (place: number): boolean => place === parts.length - 1 && rest.replace(/<[^<>]*>/g, '').trim() === ''
  const ended = parts.map((part, place) => {
    const end = textEnd(part)
    const isEnded = /[.!?,;:…]$/.test(part.slice(Math.max(0, end - 1), end))
    const next = (parts[place + 1] ?? rest).trimStart()
    const sign = isEnded || isLast(place) ? '' : next.startsWith('<li') ? ',' : '.'
    return `${part.slice(0, end)}${sign}${part.slice(end)}</li>`
  })
  return ended.join('') + rest
}

/** The end of the text in HTML, before the tags that close at its end. */
function textEnd(html: string): number {
  let end = html.trimEnd().length
  for (let closed = 0; closed < 5 && html[end - 1] === '>'; closed++) {
    const at = html.lastIndexOf('<', end)
    if (html[at + 1] !== '/') return end
    end = html.slice(0, at).trimEnd().length
  }
  return end
}

/** Removes the asides. Cleaned HTML closes each element. @param enough the number of characters after which the rest is left out */
function withoutAsides(html: string, enough: number): string {
  let kept = ''
  let from = 0
  let skipped = ''
  let depth = 0
  for (const { 0: tag, index } of html.matchAll(/<[^<>]*>/g)) {
    const [, slash, name = ''] = /^<(\/?)([a-z0-9]+)/.exec(tag) ?? []
    if (skipped !== '') {
      if (name === skipped) depth += slash === '' ? 1 : -1
      if (depth === 0) {
        skipped = ''
        from = index + tag.length
      }
    } else if (name === 'img' || (slash === '' && isAside(name, tag))) {
      kept += html.slice(from, index) + (name === 'sup' || name === 'span' ? '' : ' ')
      from = index + tag.length
      if (name !== 'img') {
        skipped = name
        depth = 1
      }
    }
    if (kept.length > enough) return kept
  }
  return skipped === '' ? kept + html.slice(from) : kept
}

const isAside = (name: string, tag: string): boolean =>
  asides.has(name) || (name !== 'li' && asideClasses.has(/ class="([^"]*)"/.exec(tag)?.[1] ?? ''))

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  nbsp: '\u00a0',
}

/** Decodes the few entities that the sanitizer writes. */
export function decodeEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos|#39|nbsp);/g, (whole, name: string) => entities[name] ?? whole)
}

/**
 * The beginning of a text on one line. A longer text is cut, at the end of a word if possible, and ends in `…`.
 * @param maxChars in UTF-16 units, with the ellipsis
 */
export function excerptOf(text: string, maxChars: number): string {
  // Only the beginning is read, so that a long text costs no more than a short one.
  const line = text
    .slice(0, maxChars * 8)
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= maxChars) return line
  const cut = line.slice(0, Math.max(0, maxChars - 1))
  const wordEnd = line[cut.length] === ' ' ? cut.length : cut.lastIndexOf(' ')
  const kept = wordEnd > maxChars * 0.6 ? cut.slice(0, wordEnd) : cut
  return `${trimEndOf(kept.replace(/[\ud800-\udbff]$/, ''), ' ,;:–—-')}…`
}
