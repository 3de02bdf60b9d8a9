// Converts cleaned HTML to plain text, for excerpts, descriptions and the format `text`. Markdown is rendered first, so that text and page
// agree. HTML that hasn't been cleaned must not come here.

import { trimEndOf } from '../trim-text.ts'

const blockEdge =
  /<\/?(?:address|article|aside|audio|blockquote|caption|dd|details|div|dl|dt|figcaption|figure|footer|h[1-6]|header|hr|li|ol|p|pre|section|summary|table|tbody|tfoot|thead|tr|ul|video)(?:\s[^<>]*)?>/g
const image = /<img(?=\s)[^<>]*>/g

/** The text of cleaned HTML: one line per block, tabs between cells, descriptions in place of images, entities decoded. */
export function textOfHtml(html: string): string {
  const parts = html.split(/(<pre(?:\s[^<>]*)?>|<\/pre>)/)
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

/** Outside `pre`, line ends and runs of spaces mean one space. */
function flowText(html: string): string {
  return html
    .replace(/\s+/g, ' ')
    .replace(image, (tag) => /\salt="([^"]*)"/.exec(tag)?.[1] ?? '')
    .replace(/<br ?\/?>/g, '\n')
    .replace(/<\/t[dh]> ?(?=<t[dh])/g, '\t')
    .replace(blockEdge, '\n')
    .replace(/ ?\n ?/g, '\n')
}

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
function decodeEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos|#39|nbsp);/g, (whole, name: string) => entities[name] ?? whole)
}

/**
 * The beginning of a text on one line. A longer text is cut, at the end of a word where possible, and ends in `…`.
 * @param maxChars UTF-16 units, the ellipsis included
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
