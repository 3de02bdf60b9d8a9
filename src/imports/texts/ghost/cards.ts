// The cards of Ghost: a table from their classes to their rules. A card without a row is its HTML.

import { classesOf, type HtmlElement, type Node } from '../../../content/from-html/tree.ts'
import type { TextState } from '../text-state.ts'
import { audioCard, fileCard, galleryCard, videoCard } from './media-cards.ts'
import { bookmarkCard, buttonCard, calloutCard, callCard, headerCard, productCard, toggleCard } from './text-cards.ts'

/** @returns what the card becomes; undefined if its HTML says it */
type CardRule = (card: HtmlElement) => readonly Node[] | undefined

const rules: ReadonlyMap<string, CardRule> = new Map<string, CardRule>([
  ['kg-gallery-card', galleryCard],
  ['kg-audio-card', audioCard],
  ['kg-video-card', videoCard],
  ['kg-file-card', fileCard],
  ['kg-bookmark-card', bookmarkCard],
  ['kg-callout-card', calloutCard],
  ['kg-toggle-card', toggleCard],
  ['kg-button-card', buttonCard],
  ['kg-product-card', productCard],
  ['kg-header-card', headerCard],
  ['kg-cta-card', callCard],
])

/** Cards that are left out: those of mails, and forms for members. */
const dropped: ReadonlyMap<string, string> = new Map([
  ['kg-email-card', 'A card for mails alone is left out.'],
  ['kg-email-cta-card', 'A card for mails alone is left out.'],
  ['kg-signup-card', 'A form by which visitors become members is left out.'],
])

export function convertCard(element: HtmlElement, state: TextState): readonly Node[] | undefined {
  for (const name of classesOf(element)) {
    if (/^kg-[\w-]+-card$/.test(name)) state.count('card', name)
    const reason = dropped.get(name)
    if (reason !== undefined) {
      state.lose('card', name, reason)
      return []
    }
    const nodes = rules.get(name)?.(element)
    if (nodes) return nodes
  }
  return undefined
}
