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

const places = new WeakMap<Node, number>()

/** The place of words that `addInline` has added, from the start of its node. */
export const sourceOf = (words: Node): number | undefined => places.get(words)

/** Adds the words of a node to an element. */
export function addInline(parent: ParentNode, node: SyntaxNode, textOf: TextOf, start = node.from): void {
  const add = (from: number, to: number): void => {
    if (from === to) return
    const words = document.createTextNode(textOf({ from, to }).replace(/\\\|/g, '|'))
    places.set(words, from - start)
    parent.append(words)
  }
  let at = node.from
  for (let child = node.firstChild; child; child = child.nextSibling) {
    add(at, child.from)
    at = child.to
    const { name, from, to } = child
    const element = elements[name]
    if (marks.has(name) || (name === 'URL' && node.name === 'Link')) continue
    if (name === 'Escape') add(from + 1, to)
    else if (name === 'HTMLTag' && /^<br\s*\/?>$/i.test(textOf(child))) parent.append(make('br'))
    else if (element === undefined) add(from, to)
    else {
      const made = make(element, name === 'Link' ? { class: 'live-link' } : {})
      addInline(made, child, textOf, start)
      parent.append(made)
    }
  }
  add(at, node.to)
}
