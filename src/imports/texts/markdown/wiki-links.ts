// Obsidian's links and embeds: `[[Note#Heading|words]]` and `![[picture.png|300]]`.

import { createHeadingIds, headingTitle } from '../../../content/markdown/heading-id.ts'
import { type DialectContext, linkWords, pictureMarkdown } from './dialect.ts'

const pattern = /(!?)\[\[([^[\]\n|]{0,500})(?:\|([^[\]\n]{0,500}))?\]\]/g

interface WikiLink {
  readonly name: string
  /** The headings or the block behind `#`. */
  readonly places: readonly string[]
  readonly words: string
}

function read(target: string, words: string | undefined): WikiLink {
  const [name = '', ...places] = target
    .replace(/\\$/, '')
    .split('#')
    .map((part) => part.trim())
  return { name, places, words: (words ?? '').replace(/\\\|/g, '|').trim() }
}

/** Replaces links and embeds in a text. */
export function replaceWikiLinks(text: string, context: DialectContext): string {
  if (!text.includes('[[')) return text
  return text.replace(pattern, (_all, mark: string, target: string, words?: string) => {
    const link = read(target, words)
    return mark === '' ? linkMarkdown(link, context) : embedMarkdown(link, context)
  })
}

const isFile = (name: string): boolean => /\.(?!md$)[A-Za-z0-9]{1,8}$/.test(name)

/** The address of a heading, as the page names it. */
const fragmentOf = (places: readonly string[]): string => {
  const heading = places.findLast((place) => place !== '' && !place.startsWith('^'))
  return heading === undefined ? '' : `#${createHeadingIds()(headingTitle(heading))}`
}

function linkMarkdown({ name, places, words }: WikiLink, { state, masked }: DialectContext): string {
  const shown = words || [name, ...places.filter((place) => !place.startsWith('^'))].filter((part) => part !== '').join(' > ')
  if (name === '') return fragmentOf(places) === '' ? words : `[${words || linkWords(shown)}](${fragmentOf(places)})`
  const path = state.address(name)
  if (path === undefined) {
    state.lose('link', `[[${name}]]`, 'The note is not in the import: the words of the link stay.')
    return words || linkWords(shown)
  }
  const label = words === '' ? linkWords(shown) : words
  return `[${label}](${masked.keep(destinationOf(path + fragmentOf(places)))})`
}

const destinationOf = (address: string): string => (/[\s()]/.test(address) ? `<${address}>` : address)

function embedMarkdown(link: WikiLink, { state, masked }: DialectContext): string {
  const { name, words } = link
  const path = name === '' ? undefined : state.address(name)
  const isPicture = /\.(?:png|jpe?g|gif|webp|avif|svg|bmp)$/i.test(name)
  // Sizes follow the words, as in `|words|300`.
  const alt = words
    .split('|')
    .filter((part) => !/^\d{1,5}(?:x\d{1,5})?$/.test(part.trim()))
    .join(' ')
    .trim()
  if (path !== undefined && isPicture) return pictureMarkdown(alt, masked.keep(destinationOf(path)), '')
  if (path !== undefined) {
    // A note may be private, so its text does not come to the page of another.
    if (!isFile(name)) state.lose('embed', `![[${name}]]`, 'A note does not stand in another: a link to it does.')
    return linkMarkdown({ ...link, words: alt }, { state, masked })
  }
  state.lose(isPicture ? 'picture' : 'embed', `![[${name}]]`, 'The file or note is not in the import: its name stays as text.')
  return linkWords(alt || name)
}
