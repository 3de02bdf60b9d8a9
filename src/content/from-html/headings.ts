// Headings. An id stays where a link of the text leads to it, and the words of the heading don't give the same id.

import { createHeadingIds, headingIdPrefix, headingTitle } from '../markdown/heading-id.ts'
import { inlineMarkdown, paragraphsOf } from './inline.ts'
import { idMarkdown, piecesOf } from './pieces.ts'
import { withoutWholeBold } from './tables.ts'
import { attributeOf, descendants, type HtmlElement } from './tree.ts'
import type { BlockWriter } from './writing.ts'

export const isHeading = ({ name }: HtmlElement): boolean => /^h[1-6]$/.test(name)

/** The ids that lead to a heading: its own, and those of anchors in it, as Word writes them. */
export const headingIdsOf = (heading: HtmlElement): readonly string[] =>
  [heading, ...descendants(heading)]
    .flatMap((one) => [attributeOf(one, 'id'), one.name === 'a' ? attributeOf(one, 'name') : ''])
    .filter((id) => id !== '')

export function writeHeading(level: number): BlockWriter {
  return (element, place) => {
    const { sunk, linkedIds } = place.writing
    const pieces = withoutWholeBold(piecesOf(element.children, place))
    const text = paragraphsOf(pieces)
      .map((one) => inlineMarkdown(one, ' '))
      .join(' ')
      .replace(/(^|\s)(#+)$/, '$1\\$2')
    if (text === '') return []
    const ids = headingIdsOf(element).filter((id) => linkedIds.has(id))
    const own = createHeadingIds()(headingTitle(text))
    const anchors = ids
      .map(idMarkdown)
      .filter((id) => id !== own)
      .slice(0, 3)
    const marks = anchors.map((id) => `<a id="${headingIdPrefix}${id}"></a>`).join('')
    return [{ text: `${'#'.repeat(Math.min(6, level + sunk))} ${marks}${text}` }]
  }
}
