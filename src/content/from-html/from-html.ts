// Turns HTML of any origin into clean Markdown: from the clipboard of Word, Google Docs, a web page, a mail or a spreadsheet. The
// result has no script, no style and no event, whatever the HTML had (attacks 94–96, 163).

import { writeBlocks } from './blocks.ts'
import { nestFlatLists } from './flat-lists.ts'
import { takeNotes } from './footnotes.ts'
import { headingIdsOf, isHeading } from './headings.ts'
import { blockNames } from './pieces.ts'
import { attributeOf, descendants, type HtmlElement, isElement, readHtml } from './tree.ts'
import { readWordClasses } from './word.ts'
import { type FromHtmlOptions, indented, joined, type Spot, type Conversion } from './writing.ts'

/** A text that came from HTML. */
export interface FromHtml {
  readonly markdown: string
  /** The addresses of pictures of other sites, which are links in the text. */
  readonly elsewhere: readonly string[]
  /** The number of pictures that could not be reached from here. */
  readonly missing: number
}

/** Converts HTML, in time that grows with its length. @throws TooDeep for HTML that is nested more deeply than any real text */
export const fromHtml = (html: string, options: FromHtmlOptions = {}): FromHtml => fromTree(readHtml(html), options)

/** Converts HTML that was read already, and changes the tree. Sections and callouts may stand in it (`sections.ts`). */
export function fromTree(root: HtmlElement, options: FromHtmlOptions = {}): FromHtml {
  readWordClasses(root)
  const { labels, notes } = takeNotes(root, options.takenNotes ?? [])
  nestFlatLists(root)
  const writing = writingFor(root, options, labels)
  for (const { element } of notes) findBlocks(element, writing.withBlocks)
  const place: Spot = { writing, marks: [], depth: 0 }
  const blocks = writeBlocks(root.children, place).map(({ text }) => text)
  while (blocks.at(-1) === '---') blocks.pop()
  for (const { label, element } of notes) {
    const written = joined(writeBlocks(element.children, { ...place, depth: 1 }))
    blocks.push(`[^${label}]: ${indented(written, '    ')}`)
  }
  return { markdown: blocks.join('\n\n'), elsewhere: [...new Set(writing.elsewhere)], missing: writing.missing }
}

function writingFor(root: HtmlElement, options: FromHtmlOptions, notes: ReadonlyMap<HtmlElement, string>): Conversion {
  const all = [...descendants(root)]
  const headings = all.filter(isHeading)
  const withBlocks = new WeakSet<HtmlElement>()
  findBlocks(root, withBlocks)
  return {
    options,
    sunk: headings.some(({ name }) => name === 'h1') ? 1 : 0,
    linkedIds: new Set(
      all
        .filter(({ name }) => name === 'a')
        .map((one) => attributeOf(one, 'href'))
        .filter((href) => href.startsWith('#'))
        .map((href) => href.slice(1)),
    ),
    headingIds: new Set(headings.flatMap(headingIdsOf)),
    notes,
    blocks: writeBlocks,
    withBlocks,
    elsewhere: [],
    missing: 0,
    sections: 0,
  }
}

/** Notes the elements with a block somewhere in them. */
function findBlocks(element: HtmlElement, found: WeakSet<HtmlElement>): boolean {
  let has = false
  for (const child of element.children)
    if (isElement(child) && (findBlocks(child, found) || blockNames.has(child.name))) has = true
  if (has) found.add(element)
  return has
}
