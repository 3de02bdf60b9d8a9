// The words of a node as elements, for the cells of a table: built from the tree, never from markup.

import type { SyntaxNode } from '@lezer/common'
import { make } from '../../element.ts'

type TextOf = (part: { readonly from: number; readonly to: number }) => string

const elements: Readonly<Record<string, 'strong' | 'em' | 'del' | 'code' | 'span'>> = {
  StrongEmphasis: 'strong',
  Emphasis: 'em',
  Strikethrough: 'del',
  InlineCode: 'code',
  Link: 'span',
}

/** Nodes that are not shown. */
const marks: ReadonlySet<string> = new Set([
  'EmphasisMark',
  'StrikethroughMark',
  'CodeMark',
  'LinkMark',
  'LinkTitle',
  'LinkLabel',
])

/** Adds the words of a node to an element. */
export function addInline(parent: Node & ParentNode, node: SyntaxNode, textOf: TextOf): void {
  let at = node.from
  for (let child = node.firstChild; child; child = child.nextSibling) {
    parent.append(textOf({ from: at, to: child.from }))
    addChild(parent, child, textOf)
    at = child.to
  }
  parent.append(textOf({ from: at, to: node.to }))
}

function addChild(parent: Node & ParentNode, child: SyntaxNode, textOf: TextOf): void {
  const { name } = child
  if (marks.has(name) || (name === 'URL' && child.parent?.name === 'Link')) return
  const element = elements[name]
  if (name === 'Escape') parent.append(textOf({ from: child.from + 1, to: child.to }))
  else if (element === undefined) parent.append(textOf(child))
  else {
    const made = make(element, name === 'Link' ? { class: 'live-link' } : {})
    addInline(made, child, textOf)
    parent.append(made)
  }
}
