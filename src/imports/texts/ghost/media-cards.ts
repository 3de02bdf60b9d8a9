// Cards with files: galleries, sound, film, and files to take away.

import { attributeOf, type HtmlElement, makeElement, makeText, type Node, textIn } from '../../../content/from-html/tree.ts'
import { captionsOf, figuresIn, galleryOf } from '../pictures.ts'
import { findElement, hasClass } from '../tree-parts.ts'

const partOf = (card: HtmlElement, name: string): HtmlElement | undefined =>
  findElement(card.children, (one) => hasClass(one, name))

/** The words of a part of a card; `''` without it. */
export const wordsOf = (card: HtmlElement, name: string): string => {
  const part = partOf(card, name)
  return part ? textIn(part).replace(/\s+/g, ' ').trim() : ''
}

export function galleryCard(card: HtmlElement): readonly Node[] {
  const rest = card.children.filter((node) => !(node.kind === 'element' && node.name === 'figcaption'))
  return [...galleryOf(figuresIn(rest), undefined), ...captionsOf(card)]
}

const player = (card: HtmlElement, name: 'audio' | 'video', title: string): readonly Node[] | undefined => {
  const found = findElement(card.children, (one) => one.name === name)
  return found && [makeElement(name, { src: attributeOf(found, 'src'), title }, []), ...captionsOf(card)]
}

export const audioCard = (card: HtmlElement): readonly Node[] | undefined =>
  player(card, 'audio', wordsOf(card, 'kg-audio-title'))
export const videoCard = (card: HtmlElement): readonly Node[] | undefined => player(card, 'video', '')

/** A file: a link with its title, and below it what the card says about it. */
export function fileCard(card: HtmlElement): readonly Node[] | undefined {
  const link = findElement([card], ({ name }) => name === 'a')
  if (!link) return undefined
  const title = wordsOf(card, 'kg-file-card-title') || wordsOf(card, 'kg-file-card-filename')
  const caption = wordsOf(card, 'kg-file-card-caption')
  const words = makeElement('a', { href: attributeOf(link, 'href') }, [makeText(title || attributeOf(link, 'href'))])
  return [makeElement('p', {}, [words]), ...(caption === '' ? [] : [makeElement('p', {}, [makeText(caption)])])]
}
