// Cards of words: bookmarks, callouts, toggles, buttons, products and headers.

import { makeCallout, makeSection } from '../../../content/from-html/sections.ts'
import {
  attributeOf,
  classesOf,
  type HtmlElement,
  isBlank,
  makeElement,
  makeText,
  type Node,
  textIn,
} from '../../../content/from-html/tree.ts'
import { findElement, findElements, hasClass, without } from '../tree-parts.ts'
import { wordsOf } from './media-cards.ts'

const part = (card: HtmlElement, ...names: readonly string[]): HtmlElement | undefined =>
  findElement(card.children, (one) => hasClass(one, ...names))

const paragraph = (...children: readonly Node[]): HtmlElement => makeElement('p', {}, [...children])

/** A page of another site as a quotation: a link with the title, the description, and who wrote it. */
export function bookmarkCard(card: HtmlElement): readonly Node[] | undefined {
  const link = findElement(card.children, ({ name }) => name === 'a')
  const href = link ? attributeOf(link, 'href') : ''
  if (href === '') return undefined
  const [title, about] = [wordsOf(card, 'kg-bookmark-title'), wordsOf(card, 'kg-bookmark-description')]
  const from = ['kg-bookmark-publisher', 'kg-bookmark-author'].map((name) => wordsOf(card, name)).filter((words) => words !== '')
  const quotation = makeElement('blockquote', {}, [
    paragraph(makeElement('a', { href }, [makeText(title || href)])),
    paragraph(makeText(about)),
    paragraph(makeText(from.join(' · '))),
  ])
  const captions = findElements(card.children, ({ name }) => name === 'figcaption')
  return [quotation, ...captions.map((caption) => paragraph(...caption.children))]
}

/** The kinds of callouts by the colours of Ghost. */
const kinds: ReadonlyMap<string, string> = new Map([
  ['kg-callout-card-green', 'tip'],
  ['kg-callout-card-yellow', 'warning'],
  ['kg-callout-card-red', 'caution'],
  ['kg-callout-card-accent', 'important'],
])

/** A callout. A title would be the first thing that readers see, and Ghost has none, so that the sign stands there. */
export function calloutCard(card: HtmlElement): readonly Node[] {
  const kind = classesOf(card).flatMap((name) => kinds.get(name) ?? [])[0] ?? 'note'
  const text = part(card, 'kg-callout-text')
  const children = text ? text.children : card.children.filter((node) => !hasClass(node, 'kg-callout-emoji'))
  return [makeCallout(kind, wordsOf(card, 'kg-callout-emoji'), children)]
}

export function toggleCard(card: HtmlElement): readonly Node[] | undefined {
  const [heading, content] = [part(card, 'kg-toggle-heading-text'), part(card, 'kg-toggle-content')]
  if (!heading || !content) return undefined
  return [makeElement('details', {}, [makeElement('summary', {}, heading.children), ...content.children])]
}

const isButton = (one: HtmlElement): boolean =>
  one.name === 'a' && classesOf(one).some((name) => /^kg-(?:btn|[a-z-]+-button)/.test(name))

export function buttonCard(card: HtmlElement): readonly Node[] | undefined {
  const link = findElement([card], ({ name }) => name === 'a')
  if (!link || isBlank(link)) return undefined
  return [makeSection('button', { href: attributeOf(link, 'href') }, link.children)]
}

/** The first button of a card as the attributes of a section, and the rest of the card. */
function withButton(card: HtmlElement): { readonly values: Record<string, string>; readonly rest: readonly Node[] } {
  const button = findElement(card.children, isButton)
  if (!button) return { values: {}, rest: card.children }
  const values = { button: textIn(button), href: attributeOf(button, 'href') }
  return { values, rest: without(card.children, (one) => one === button) }
}

/** A product: a text with its picture beside it. The stars of its rating are drawings, and are left out. */
export function productCard(card: HtmlElement): readonly Node[] {
  const picture = findElement(card.children, ({ name }) => name === 'img')
  const { values, rest } = withButton(card)
  const children = without(rest, (one) => one === picture || hasClass(one, 'kg-product-card-rating'))
  const image = picture ? { image: attributeOf(picture, 'src'), alt: attributeOf(picture, 'alt') } : {}
  return [makeSection('text', { ...image, ...values }, children)]
}

/** A header: an opening. Its picture is an element, or a background in older exports. */
export function headerCard(card: HtmlElement): readonly Node[] {
  const picture = findElement(card.children, (one) => hasClass(one, 'kg-header-card-image'))
  const style = attributeOf(card, 'data-kg-background-image') || attributeOf(card, 'style')
  const image = picture ? attributeOf(picture, 'src') : (/url\(["']?([^"')]{1,2000})/.exec(style)?.[1] ?? '')
  const { values, rest } = withButton(card)
  return [
    makeSection(
      'hero',
      { image, ...values },
      without(rest, (one) => one === picture),
    ),
  ]
}

/** A call to action. */
export function callCard(card: HtmlElement): readonly Node[] {
  const { values, rest } = withButton(card)
  return [makeSection('call', values, rest)]
}
