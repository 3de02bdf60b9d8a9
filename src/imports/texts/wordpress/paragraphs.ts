// Paragraphs of texts without blocks. WordPress shows an empty line as the end of a paragraph, and any other end of a line as a
// line break, except beside elements that stand on lines of their own.

import { blockNames } from '../../../content/from-html/pieces.ts'
import {
  type HtmlElement,
  isElement,
  makeElement,
  makeText,
  type Node,
  setChildren,
  textIn,
} from '../../../content/from-html/tree.ts'
import { findEmbed } from '../../../content/markdown/embeds.ts'

/** Elements whose line ends are their own. */
const kept: ReadonlySet<string> = new Set(['pre', 'code', 'kbd', 'samp', 'textarea', ':part', ':comment'])

/** Puts line breaks in place of the line ends below an element. Two of them end a paragraph. */
export function breakLines(parent: HtmlElement): void {
  const { children } = parent
  const made = children.flatMap((child, index): readonly Node[] => {
    if (child.kind === 'text') return lines(child.text, children[index - 1], children[index + 1])
    if (child.name === 'code' && textIn(child).trim().split('\n').length > 2)
      return [makeElement('pre', child.attributes, child.children)]
    if (!kept.has(child.name)) breakLines(child)
    return [child]
  })
  setChildren(parent, made)
}

const isEdge = (node: Node | undefined): boolean =>
  node === undefined || isElement(node, 'br', ':part', ':comment', ...blockNames)

function lines(text: string, before: Node | undefined, after: Node | undefined): readonly Node[] {
  if (!text.includes('\n')) return [aloneOr(text, isEdge(before) && isEdge(after))]
  const all = text.split('\n')
  // The end of a line behind a break, or before one, is the same break.
  const start = isElement(before, 'br') && (all[0] ?? '').trim() === '' ? 1 : 0
  const end = isElement(after, 'br') && all.length > start + 1 && (all.at(-1) ?? '').trim() === '' ? all.length - 1 : all.length
  return all.slice(start, end).flatMap((line, index, shown) => {
    const isFirst = index === 0 && start === 0
    const isLast = index === shown.length - 1 && end === all.length
    const isAlone = (!isFirst || isEdge(before)) && (!isLast || isEdge(after))
    const node = aloneOr(line, isAlone)
    return index === 0 ? [node] : [makeElement('br'), node]
  })
}

/** A line of text; a frame for the address of a video that is alone on its line. */
function aloneOr(line: string, isAlone: boolean): Node {
  const words = line.trim()
  const isVideo = isAlone && /^https?:\/\/\S{4,500}$/.test(words) && findEmbed(words) !== undefined
  return isVideo ? makeElement('iframe', { src: words }) : makeText(line)
}
