// The paragraphs of Word whose class says more than their element: titles, quotations, and the remarks of reviewers.

import { attributeOf, classesOf, type HtmlElement, isElement, makeElement, type Node, setChildren } from './tree.ts'
import { styleOf } from './style.ts'

const elementsOfClasses: ReadonlyMap<string, string> = new Map([
  ['MsoTitle', 'h1'],
  ['MsoQuote', 'blockquote'],
  ['MsoIntenseQuote', 'blockquote'],
])

const remarks: ReadonlySet<string> = new Set(['msocomanchor', 'MsoCommentReference', 'MsoCommentText'])

/** Replaces such paragraphs below an element. */
export function readWordClasses(parent: HtmlElement): void {
  const children = parent.children.filter((child) => !isRemark(child)).map(renamed)
  setChildren(parent, children)
  for (const child of children) if (isElement(child)) readWordClasses(child)
}

const isRemark = (node: Node): boolean =>
  isElement(node) && (classesOf(node).some((name) => remarks.has(name)) || styleOf(node).get('mso-element') === 'comment-list')

function renamed(node: Node): Node {
  if (!isElement(node)) return node
  // Changes that reviewers added are text as any other.
  if (node.name === 'ins' && attributeOf(node, 'cite').startsWith('mailto:')) return makeElement('span', {}, node.children)
  const name = node.name === 'p' ? classesOf(node).flatMap((one) => elementsOfClasses.get(one) ?? [])[0] : undefined
  return name === undefined ? node : makeElement(name, {}, node.children)
}
