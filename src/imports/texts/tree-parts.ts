// Looks for elements in parts of a tree, and takes some of them out.

import { classesOf, descendants, type HtmlElement, isElement, type Node, setChildren } from '../../content/from-html/tree.ts'

export const hasClass = (node: Node, ...names: readonly string[]): node is HtmlElement =>
  isElement(node) && classesOf(node).some((name) => names.includes(name))

/** The first element, of nodes and all below them, for which a test holds. */
export function findElement(nodes: readonly Node[], isIt: (element: HtmlElement) => boolean): HtmlElement | undefined {
  for (const node of nodes) {
    if (!isElement(node)) continue
    if (isIt(node)) return node
    for (const inner of descendants(node)) if (isIt(inner)) return inner
  }
  return undefined
}

/** All such elements, without those within another one. */
export function findElements(nodes: readonly Node[], isIt: (element: HtmlElement) => boolean): readonly HtmlElement[] {
  return nodes.flatMap((node) => (isElement(node) ? (isIt(node) ? [node] : findElements(node.children, isIt)) : []))
}

/** Nodes without the elements for which a test holds, at any depth. The tree is changed. */
export function without(nodes: readonly Node[], isIt: (element: HtmlElement) => boolean): readonly Node[] {
  const left = nodes.filter((node) => !isElement(node) || !isIt(node))
  for (const node of left) if (isElement(node)) setChildren(node, without(node.children, isIt))
  return left
}
