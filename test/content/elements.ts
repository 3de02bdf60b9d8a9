// Reads HTML as a browser does and lists its elements, those within templates too. For tests of cleaned text.
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5'

/** An element as it would stand in the document. */
export interface Element {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
}

/** All elements in document order. */
export function elementsOf(html: string): readonly Element[] {
  const found: Element[] = []
  const visit = (node: DefaultTreeAdapterMap['node']): void => {
    if ('tagName' in node) {
      found.push({
        tag: node.tagName,
        attributes: Object.fromEntries(node.attrs.map(({ name, value }) => [name, value])),
      })
    }
    if ('content' in node) visit(node.content)
    if ('childNodes' in node) node.childNodes.forEach(visit)
  }
  visit(parseFragment(html))
  return found
}
