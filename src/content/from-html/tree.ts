// HTML as a tree of elements and texts, within limits: what runs, what is hidden and what frames a page is left out, and no part
// is nested so deeply that a walk over the tree could overflow (attacks 94–96).

import { Parser } from 'htmlparser2'
import { droppedWithContent } from '../markdown/allowed-markup.ts'
import { styleOf } from './style.ts'

export interface Text {
  readonly kind: 'text'
  readonly text: string
}

export interface HtmlElement {
  readonly kind: 'element'
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Node[]
}

export type Node = Text | HtmlElement

/** HTML that is nested more deeply than any real text. */
export class TooDeep extends Error {}

/** Deeper elements become children of the deepest one. */
const maxDepth = 100

/** The most open elements. The parser looks for an open element by going through all of them. */
const maxOpen = 1000

/** Elements that are left out with their content: those that never reach a page, and controls. A frame becomes a link. */
const dropped: ReadonlySet<string> = new Set(
  [...droppedWithContent, 'xml', 'button', 'datalist', 'meta', 'link', 'base', 'param'].filter((name) => name !== 'iframe'),
)

export interface ReadHtmlOptions {
  /** Makes a node of a comment. Comments are left out without it. */
  readonly comment?: (text: string) => Node | undefined
  /** Elements that are kept though the clipboard's are left out, such as buttons. */
  readonly kept?: readonly string[]
  /** Is told the name of each element that is left out with its content. */
  readonly onDropped?: (name: string) => void
}

/** @throws TooDeep */
export function readHtml(html: string, { comment, kept = [], onDropped }: ReadHtmlOptions = {}): HtmlElement {
  const root = makeElement('body')
  const open: { readonly element: HtmlElement; readonly isDropped: boolean }[] = [{ element: root, isDropped: false }]
  const top = () => open.at(-1) ?? { element: root, isDropped: false }
  const parser = new Parser({
    onopentag(name, attributes) {
      if (open.length > maxOpen) throw new TooDeep()
      const above = top()
      const element = makeElement(name, attributes)
      const isUnwanted = dropped.has(name) && !kept.includes(name)
      if (isUnwanted && !above.isDropped) onDropped?.(name)
      const isDropped = above.isDropped || isUnwanted || isHidden(element)
      // Elements beyond the limit are siblings, so their words stay in order.
      const parent = (open[Math.min(open.length, maxDepth) - 1] ?? above).element
      if (!isDropped) parent.children.push(element)
      open.push({ element, isDropped })
    },
    ontext(text) {
      const { isDropped } = top()
      const parent = open[Math.min(open.length, maxDepth) - 1]?.element ?? root
      const last = parent.children.at(-1)
      if (isDropped) return
      if (last?.kind === 'text') parent.children[parent.children.length - 1] = makeText(last.text + text)
      else parent.children.push(makeText(text))
    },
    onclosetag() {
      if (open.length > 1) open.pop()
    },
    oncomment(text) {
      const node = top().isDropped ? undefined : comment?.(text)
      if (node) open[Math.min(open.length, maxDepth) - 1]?.element.children.push(node)
    },
  })
  parser.write(html.toWellFormed().replaceAll('\0', ''))
  parser.end()
  return root
}

function isHidden(element: HtmlElement): boolean {
  if (element.attributes['hidden'] !== undefined) return true
  const style = styleOf(element)
  return style.get('display') === 'none' || style.get('mso-hide') === 'all'
}

export const makeText = (text: string): Text => ({ kind: 'text', text })

export const makeElement = (
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  children: Node[] = [],
): HtmlElement => ({
  kind: 'element',
  name,
  attributes,
  children,
})

/** Elements of Postern's own, which no HTML can name: a colon begins no tag. */
export const madeElements = { section: ':section', callout: ':callout' } as const

/** The value of an attribute; `''` without it. */
export const attributeOf = ({ attributes }: HtmlElement, name: string): string =>
  Object.hasOwn(attributes, name) ? (attributes[name] ?? '') : ''

export const classesOf = (element: HtmlElement): readonly string[] => attributeOf(element, 'class').split(/\s+/)

export const isElement = (node: Node | undefined, ...names: readonly string[]): node is HtmlElement =>
  node?.kind === 'element' && (names.length === 0 || names.includes(node.name))

export const elementsIn = (parent: HtmlElement): readonly HtmlElement[] =>
  parent.children.filter((node): node is HtmlElement => isElement(node))

/** All words of a node, as they stand. */
export function textIn(node: Node): string {
  return node.kind === 'text' ? node.text : node.children.map(textIn).join('')
}

/** True if nothing would be seen of a node. */
export const isBlank = (node: Node): boolean =>
  node.kind === 'text'
    ? node.text.trim() === ''
    : !['img', 'iframe', 'video', 'audio', 'hr', 'input'].includes(node.name) && node.children.every(isBlank)

/** Every element below a node, in the order of the text. One loop: generators in one another cost their depth for each element. */
export function* descendants(parent: HtmlElement): Generator<HtmlElement> {
  const open = [{ children: parent.children, at: 0 }]
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    const child = level.children[level.at++]
    if (child === undefined) open.pop()
    else if (isElement(child)) {
      yield child
      open.push({ children: child.children, at: 0 })
    }
  }
}

/** Replaces the children of an element. */
export function setChildren(parent: HtmlElement, children: readonly Node[]): void {
  parent.children.length = 0
  for (const child of children) parent.children.push(child)
}
