// The HTML of an old system as a tree. Parts that the reader of a system has made already are put in by numbers.

import {
  type HtmlElement,
  isElement,
  makeElement,
  type Node,
  readHtml,
  setChildren,
  TooDeep,
} from '../../content/from-html/tree.ts'
import { decodeHtml } from './decode-html.ts'
import type { TextState } from './text-state.ts'

/** A comment that stands for a made part. No comment of the old text has this form: see `withoutMarkers`. */
export const markerOf = (part: number): string => `<!--:${part}-->`

/** A text of the old system in which no comment can be taken for a marker. */
export const withoutMarkers = (source: string): string => source.replaceAll('<!--:', '<!-- :')

/** The name of the element that stands for a comment, such as the border of a summary. */
export const commentName = ':comment'

const reasons: ReadonlyMap<string, string> = new Map([
  ['script', 'Scripts are left out.'],
  ['style', 'Styles are left out: themes decide the look of a text.'],
])

/**
 * Reads HTML.
 * @param made the parts that the markers of the text stand for
 * @param change changes the tree before those parts are put in
 */
export function readTree(
  html: string,
  state: TextState,
  made: readonly (readonly Node[])[] = [],
  change?: (root: HtmlElement) => void,
): readonly Node[] {
  const comment = (text: string): Node | undefined => {
    const part = /^:(\d{1,7})$/.exec(text)?.[1]
    return part === undefined ? makeElement(commentName, { text: text.trim().slice(0, 200) }) : makeElement(':part', { part })
  }
  const onDropped = (name: string): void =>
    state.lose('html', `<${name}>`, reasons.get(name) ?? 'A text has no such element: it is left out with its content.')
  const root = readSafely(html, { comment, onDropped, kept: ['button'] }, state)
  change?.(root)
  putParts(root, made)
  return root.children
}

type Options = NonNullable<Parameters<typeof readHtml>[1]>

function readSafely(html: string, options: Options, state: TextState): HtmlElement {
  try {
    return readHtml(html, options)
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error
    state.lose('html', 'nesting', 'The HTML is nested more deeply than any text: only its words were kept.')
    const words = decodeHtml(html.replace(/<[^<>]*>/g, '\n')).split(/\n\s*/)
    const paragraphs = words.map((text) => makeElement('p', {}, [{ kind: 'text', text }]))
    return makeElement('body', {}, paragraphs)
  }
}

/** Puts the made parts in place of their markers. */
function putParts(parent: HtmlElement, made: readonly (readonly Node[])[]): void {
  const isMarker = (node: Node): node is HtmlElement => isElement(node, ':part')
  for (const child of parent.children) if (isElement(child) && !isMarker(child)) putParts(child, made)
  if (parent.children.some(isMarker))
    setChildren(
      parent,
      parent.children.flatMap((child) => (isMarker(child) ? (made[Number(child.attributes['part'])] ?? []) : [child])),
    )
}
