// Lists: with bullets, with numbers, with boxes, and of terms with their definitions.

import { inlineMarkdown, paragraphsOf } from './inline.ts'
import { piecesOf } from './pieces.ts'
import { attributeOf, descendants, type HtmlElement, elementsIn, isBlank, isElement, makeElement, type Node } from './tree.ts'
import { type Block, type BlockWriter, indented, maxNesting, type Spot } from './writing.ts'

const isList = (node: Node): node is HtmlElement => isElement(node, 'ul', 'ol', 'menu', 'dir')

/** `<ul>` and `<ol>`. */
export const writeList: BlockWriter = (list, place, previous) => {
  const items = itemsOf(list)
  if (place.depth >= maxNesting) return items.flatMap((item) => place.writing.blocks(item.children, place))
  const isNumbered = list.name === 'ol'
  const marker = markerOf(isNumbered, previous)
  const first = isNumbered ? startOf(list) : 1
  const written = items.map((item) => itemBlocks(item, place)).filter(({ blocks, box }) => blocks.length > 0 || box !== '')
  if (written.length === 0) return []
  // Text after a list would belong to its last item.
  const isLoose = written.some(({ blocks }) =>
    blocks.some(({ marker: own, needsSpace }, index) => needsSpace || (index > 0 && own === undefined)),
  )
  const gap = isLoose ? '\n\n' : '\n'
  const text = written
    .map(({ blocks, box }, index) => {
      const mark = isNumbered ? `${first + index}${marker} ` : `${marker} `
      return mark + box + indented(blocks.map((block) => block.text).join(gap), ' '.repeat(mark.length))
    })
    .join(gap)
  return [{ text, marker, ...(isNumbered && first !== 1 && { needsSpace: true }) }]
}

function markerOf(isNumbered: boolean, previous: Block | undefined): string {
  const [usual, other] = isNumbered ? ['.', ')'] : ['-', '*']
  return previous?.marker === usual ? other : usual
}

function startOf(list: HtmlElement): number {
  const start = Number.parseInt(attributeOf(list, 'start'), 10)
  return Number.isInteger(start) && start >= 0 && start < 1_000_000 ? start : 1
}

/** The items of a list. A list directly in a list, as Google Docs writes it, belongs to the item before it. */
function itemsOf(list: HtmlElement): readonly HtmlElement[] {
  const items: HtmlElement[] = []
  for (const child of list.children) {
    const last = items.at(-1)
    if (isElement(child, 'li')) items.push(makeElement('li', child.attributes, [...child.children]))
    else if (isBlank(child)) continue
    else if (isList(child) && last) last.children.push(child)
    else items.push(makeElement('li', {}, [child]))
  }
  return items
}

interface Item {
  readonly box: string
  readonly blocks: readonly Block[]
}

function itemBlocks(item: HtmlElement, place: Spot): Item {
  const box = boxOf(item)
  const blocks = place.writing.blocks(item.children, { ...place, depth: place.depth + 1 })
  // A rule of hyphens would make the item a rule itself.
  return { box, blocks: blocks.map((block) => (block.text === '---' ? { ...block, text: '***' } : block)) }
}

/** The box of a task, which is a field of a form, or a role. */
function boxOf(item: HtmlElement): string {
  const sign = (isDone: boolean): string => (isDone ? '[x] ' : '[ ] ')
  if (attributeOf(item, 'role') === 'checkbox') return sign(attributeOf(item, 'aria-checked') === 'true')
  for (const one of descendants(item)) {
    if (one.name === 'li') return ''
    if (one.name === 'input' && attributeOf(one, 'type') === 'checkbox') return sign(one.attributes['checked'] !== undefined)
    if (one.name === 'span' && /^task(?: done)?$/.test(attributeOf(one, 'class')))
      return sign(attributeOf(one, 'class') === 'task done')
  }
  return ''
}

/** `<dl>`: each term on a line, its definitions below it. */
export const writeDefinitions: BlockWriter = (list, place) => {
  const blocks: Block[] = []
  let terms: string[] = []
  const parts = elementsIn(list).flatMap((one) => (one.name === 'div' ? elementsIn(one) : [one]))
  for (const part of parts) {
    if (part.name === 'dt') {
      const words = paragraphsOf(piecesOf(part.children, place)).map((one) => inlineMarkdown(one, ' '))
      if (words.length > 0) terms.push(words.join(' '))
      continue
    }
    const written = place.writing.blocks(part.children, { ...place, depth: place.depth + 1 })
    if (written.length === 0) continue
    const definition = `: ${indented(written.map(({ text }) => text).join('\n\n'), '  ')}`
    const last = blocks.at(-1)
    if (terms.length > 0) blocks.push({ text: `${terms.join(', ')}\n${definition}` })
    else if (last) blocks[blocks.length - 1] = { ...last, text: `${last.text}\n${definition}` }
    else blocks.push(...written)
    terms = []
  }
  return terms.length > 0 ? [...blocks, { text: terms.join(', ') }] : blocks
}
