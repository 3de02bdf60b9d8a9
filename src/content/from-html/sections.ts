// Sections and callouts of Postern in a tree. Readers of other systems put them there, since HTML has no element for them.

import { readAttributes, type SectionAttributes } from '../sections/attributes.ts'
import { maxItems, maxSections, sectionKind, type SectionName } from '../sections/kinds.ts'
import { inlineMarkdown, paragraphsOf } from './inline.ts'
import { piecesOf } from './pieces.ts'
import { attributeOf, type HtmlElement, isElement, madeElements, makeElement, makeText, type Node } from './tree.ts'
import { type Block, type BlockWriter, joined, type Spot } from './writing.ts'

/** The values of a section's attributes. Those that are undefined or empty are left out. */
export type SectionValues = Readonly<Record<string, string | undefined>>

/** A section. In a place that takes no section it is written as a picture, its text, and a link. */
export function makeSection(kind: SectionName, values: SectionValues, children: readonly Node[]): HtmlElement {
  const given = Object.entries(values).flatMap(([name, value]) => (value ? [[name, value] as const] : []))
  return makeElement(madeElements.section, { ...Object.fromEntries(given), ':kind': kind }, [...children])
}

/** A callout. @param title of one line; `''` for the usual title of its kind */
export const makeCallout = (kind: string, title: string, children: readonly Node[]): HtmlElement =>
  makeElement(madeElements.callout, { kind, title }, [...children])

export const writeSection: BlockWriter = (element, place) => {
  const kind = attributeOf(element, ':kind')
  const row = sectionKind(kind)
  const within: readonly string[] | undefined = row?.within
  const isAtHome =
    within === undefined ? place.section === undefined : place.section !== undefined && within.includes(place.section)
  const { text, values, isWhole } = attributesOf(element, kind)
  if (!row || !isAtHome || !isWhole || place.depth > 0 || place.writing.sections >= maxSections)
    return plainBlocks(element, place)
  if (within === undefined) place.writing.sections++
  const [before = [], after = []] = around(element, values)
  const all = [...before, ...element.children, ...after]
  const [taken, left] = row.items === undefined ? [all, []] : withinLimit(all)
  const blocks = place.writing.blocks(taken, { ...place, section: kind })
  if (blocks.length === 0 && Object.keys(values).length === 0) return []
  if (blocks.length === 0 && kind === 'button') return []
  const gap = row.items === undefined ? '\n\n' : '\n'
  const inner = blocks
    .map((block) => `${block.text}${gap}`)
    .join('')
    .trimEnd()
  const written = `::: ${kind}${text === '' ? '' : ` {${text}}`}\n${inner === '' ? '' : `${inner}\n`}:::`
  return [{ text: written }, ...place.writing.blocks(left, place)]
}

/** Splits the parts of a section at the most that one takes. */
function withinLimit(children: readonly Node[]): readonly [readonly Node[], readonly Node[]] {
  const parts = children.filter((node) => isElement(node))
  return [parts.slice(0, maxItems), parts.slice(maxItems)]
}

const maxWords = 2000

interface WrittenAttributes {
  readonly text: string
  readonly values: Readonly<Record<string, string>>
  /** False if one that the kind needs is missing or wrong. */
  readonly isWhole: boolean
}

function attributesOf(element: HtmlElement, kind: string): WrittenAttributes {
  const known: SectionAttributes = sectionKind(kind)?.attributes ?? {}
  const written = Object.keys(known).flatMap((name) => {
    const plain = attributeOf(element, name).replace(/\s+/g, ' ').trim()
    const isWords = known[name]?.type === 'text'
    if (plain === '' || (!isWords && /["{}]/.test(plain))) return []
    return [`${name}="${isWords ? plain.slice(0, maxWords).toWellFormed().replaceAll('"', '”') : plain}"`]
  })
  const { values } = readAttributes(`{${written.join(' ')}}`, kind, known)
  const isWhole = Object.entries(known).every(([name, { required }]) => !required || values[name] !== undefined)
  const isLost = (name: string): boolean => name === 'button' && values['href'] === undefined
  const text = Object.entries(values).flatMap(([name, value]) => (isLost(name) ? [] : [`${name}="${value}"`]))
  return { text: text.join(' '), values, isWhole }
}

const paragraphOf = (...children: Node[]): HtmlElement => makeElement('p', {}, children)

/** The picture and the link of a section as parts of its text, if they can't be its attributes. */
function around(element: HtmlElement, values: Readonly<Record<string, string>>): readonly (readonly Node[])[] {
  const [image, alt, href, words] = ['image', 'alt', 'href', 'button'].map((name) => attributeOf(element, name))
  return [
    image && !values['image'] ? [paragraphOf(makeElement('img', { src: image, alt: alt ?? '' }))] : [],
    words && !(values['button'] && values['href'])
      ? [paragraphOf(makeElement('a', { href: href ?? '' }, [makeText(words)]))]
      : [],
  ]
}

/** The content of a section for a place that takes none. */
function plainBlocks(element: HtmlElement, place: Spot): readonly Block[] {
  if (attributeOf(element, ':kind') === 'button')
    return place.writing.blocks([paragraphOf(makeElement('a', { href: attributeOf(element, 'href') }, element.children))], place)
  const [before = [], after = []] = around(element, {})
  return place.writing.blocks([...before, ...element.children, ...after], place)
}

export const writeCallout: BlockWriter = (element, place) => {
  const blocks = place.writing.blocks(element.children, { ...place, depth: place.depth + 1 })
  const words = attributeOf(element, 'title')
  const title = paragraphsOf(piecesOf([makeText(words)], place)).map((one) => inlineMarkdown(one, ' '))
  if (blocks.length === 0 && title.length === 0) return []
  const head = [`[!${attributeOf(element, 'kind').toUpperCase()}]`, ...title].join(' ')
  const first = blocks.length === 0 ? [] : [joined(blocks)]
  return [{ text: [head, ...first].join('\n').replace(/^/gm, '> ').replace(/^> $/gm, '>') }]
}
