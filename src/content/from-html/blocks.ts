// Blocks of HTML as blocks of Markdown: a table from elements to their writers. Any other element is its content.

import { codeBlock, codeInside } from './code.ts'
import { writeHeading } from './headings.ts'
import { inlineMarkdown, paragraphsOf, type InlinePiece } from './inline.ts'
import { writeDefinitions, writeList } from './lists.ts'
import { marksInside } from './marks.ts'
import { frameBlocks, picturePieces, playerBlocks } from './pictures.ts'
import { blockNames, linkMarks, piecesOf } from './pieces.ts'
import { writeCallout, writeSection } from './sections.ts'
import { isProgramText, styleOf } from './style.ts'
import { writeTable } from './tables.ts'
import { descendants, type HtmlElement, elementsIn, isBlank, isElement, madeElements, type Node, textIn } from './tree.ts'
import { type Block, type BlockWriter, joined, maxNesting, type Spot } from './writing.ts'

const rule: BlockWriter = () => [{ text: '---' }]
const code: BlockWriter = (element) => (textIn(element).trim() === '' ? [] : [{ text: codeBlock(element) }])

/** The writers of blocks. A heading has one for each level. */
export const blockWriters: Readonly<Record<string, BlockWriter>> = {
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, writeHeading(level)])),
  ul: writeList,
  ol: writeList,
  menu: writeList,
  dir: writeList,
  dl: writeDefinitions,
  table: writeTable,
  blockquote: writeQuotation,
  pre: code,
  listing: code,
  xmp: code,
  hr: rule,
  figure: writeFigure,
  details: writeDetails,
  iframe: frameBlocks,
  video: playerBlocks,
  audio: playerBlocks,
  [madeElements.section]: writeSection,
  [madeElements.callout]: writeCallout,
}

/** Writes nodes as blocks. Texts between blocks are paragraphs. */
export function writeBlocks(nodes: readonly Node[], place: Spot): readonly Block[] {
  const blocks: Block[] = []
  let pieces: InlinePiece[] = []
  const endParagraph = (): void => {
    for (const paragraph of paragraphsOf(pieces)) blocks.push({ text: inlineMarkdown(paragraph) })
    pieces = []
  }
  for (const node of nodes) {
    const isWhole = isElement(node) && (blockNames.has(node.name) || place.writing.withBlocks.has(node))
    if (!isWhole) {
      for (const piece of piecesOf([node], place)) pieces.push(piece)
      continue
    }
    endParagraph()
    for (const block of writeElement(node, place, blocks.at(-1))) blocks.push(block)
  }
  endParagraph()
  return blocks
}

function writeElement(element: HtmlElement, place: Spot, previous: Block | undefined): readonly Block[] {
  const writer = Object.hasOwn(blockWriters, element.name) ? blockWriters[element.name] : undefined
  if (writer) return writer(element, place, previous)
  const inside = codeInside(element)
  if (inside) return code(inside, place, previous)
  if (
    isProgramText(styleOf(element)) &&
    !textIn(element).includes('\n') &&
    elementsIn(element).some(({ name }) => name === 'div')
  )
    return code(element, place, previous)
  const marks = element.name === 'a' ? linkMarks(element, place) : marksInside(element, place.marks)
  return writeBlocks(element.children, { ...place, marks })
}

function writeQuotation(element: HtmlElement, place: Spot): readonly Block[] {
  if (place.depth >= maxNesting) return writeBlocks(element.children, place)
  const blocks = writeBlocks(element.children, { ...place, depth: place.depth + 1 })
  if (blocks.length === 0) return []
  return [{ text: joined(blocks).replace(/^/gm, '> ').replace(/^> $/gm, '>') }]
}

/** A picture with its caption. A figure of anything else is its content, and the caption below it. */
function writeFigure(element: HtmlElement, place: Spot): readonly Block[] {
  const captions = elementsIn(element).filter(({ name }) => name === 'figcaption')
  const rest = element.children.filter((node) => !captions.some((caption) => caption === node))
  const hasLink = captions.some((one) => [...descendants(one)].some((inner) => isElement(inner, 'a') && !isBlank(inner)))
  const caption = captions.map(textIn).join(' ').replace(/\s+/g, ' ').trim()
  const inside = [...descendants(element)]
  const pictures = inside.filter(({ name }) => name === 'img')
  const [picture] = pictures
  const isPicture =
    pictures.length === 1 && rest.every((node) => textIn(node).trim() === '') && !inside.some(({ name }) => name === 'table')
  if (picture && isPicture) {
    const around = inside.find(
      ({ name, children }) =>
        name === 'a' && children.length > 0 && !captions.some((one) => [...descendants(one)].includes(picture)),
    )
    const marks =
      around && !captions.some((one) => [...descendants(one)].includes(around)) ? linkMarks(around, place) : place.marks
    // A picture in a narrow list is no figure, so that nobody would see its title.
    const isHtml = hasLink || (place.depth > 0 && caption !== '')
    const pieces = picturePieces(picture, { ...place, marks }, isHtml ? '' : caption)
    const isShown = pieces.some(({ kind }) => kind === 'made')
    const shown = paragraphsOf(pieces).map((one) => ({ text: inlineMarkdown(one) }))
    if (isShown && isHtml) return htmlFigure(shown, captions, place)
    return isShown ? shown : [...shown, ...captions.flatMap((one) => writeBlocks(one.children, place))]
  }
  return [...writeBlocks(rest, place), ...captions.flatMap((one) => writeBlocks(one.children, place))]
}

/** A figure that stays HTML, with Markdown inside: a caption in a title has no links. */
function htmlFigure(picture: readonly Block[], captions: readonly HtmlElement[], place: Spot): readonly Block[] {
  const words = captions.flatMap((one) => writeBlocks(one.children, place))
  return [{ text: '<figure>' }, ...picture, { text: '<figcaption>' }, ...words, { text: '</figcaption>' }, { text: '</figure>' }]
}

/** A part that opens at a click stays HTML, with Markdown inside. */
function writeDetails(element: HtmlElement, place: Spot): readonly Block[] {
  const [summary] = elementsIn(element).filter(({ name }) => name === 'summary')
  const rest = writeBlocks(
    element.children.filter((node) => node !== summary),
    place,
  )
  const title =
    summary && !isBlank(summary)
      ? paragraphsOf(piecesOf(summary.children, place))
          .map((one) => inlineMarkdown(one, ' '))
          .join(' ')
      : ''
  if (title === '') return rest
  return [{ text: '<details>' }, { text: `<summary>${title}</summary>` }, ...rest, { text: '</details>' }]
}
