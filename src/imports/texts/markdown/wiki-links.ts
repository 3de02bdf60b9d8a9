// Obsidian's links and embeds: `[[Note#Heading|words]]` and `![[picture.png|300]]`. A note that is embedded stands in the text.

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

/** @param readNote converts the text of another note */
export function replaceWikiLinks(text: string, context: DialectContext, readNote: NoteReader): string {
  if (!text.includes('[[')) return text
  const whole = text
    .split('\n')
    .map((line) => embeddedNote(line, context, readNote) ?? line)
    .join('\n')
  return whole.replace(pattern, (_all, mark: string, target: string, words?: string) => {
    const link = read(target, words)
    return mark === '' ? linkMarkdown(link, context) : embedMarkdown(link, context)
  })
}

type NoteReader = (source: string) => string

/** A note that is embedded on a line of its own, with the marks of quotations before each of its lines. */
function embeddedNote(line: string, context: DialectContext, readNote: NoteReader): string | undefined {
  const [, prefix = '', target, words] =
    /^((?:[ \t]|>){0,40})!\[\[([^[\]\n|]{1,500})(?:\|([^[\]\n]{0,500}))?\]\][ \t]*$/.exec(line) ?? []
  if (target === undefined) return undefined
  const { name, places } = read(target, words)
  if (name === '' || isFile(name)) return undefined
  const note = context.state.inline(name, ({ source }) => readNote(partOf(source, places)))
  if (note === undefined) return undefined
  // The note is Markdown of ours already, and none of it is read again.
  const quotation = prefix.includes('>') ? prefix : ''
  const lines = note
    .trim()
    .split('\n')
    .map((one) => (quotation + one).trimEnd())
  const around = quotation.trimEnd()
  return [around, quotation + context.masked.keep(lines.join('\n').slice(quotation.length)), around].join('\n')
}

const isFile = (name: string): boolean => /\.(?!md$)[A-Za-z0-9]{1,8}$/.test(name)

/** The section below a heading, or the paragraph with an id; the whole note if there is no such place. */
function partOf(source: string, places: readonly string[]): string {
  const wanted = places.at(-1)
  if (wanted === undefined) return source
  const lines = source.split('\n')
  if (wanted.startsWith('^')) {
    const end = lines.findIndex((line) => line.trimEnd().endsWith(wanted))
    if (end < 0) return source
    const start = lines.slice(0, end).findLastIndex((line) => line.trim() === '') + 1
    return lines.slice(start, end + 1).join('\n')
  }
  const start = lines.findIndex((line) => plainHeading(line) === plainWords(wanted))
  if (start < 0) return source
  const level = levelOf(lines[start] ?? '')
  const length = lines.slice(start + 1).findIndex((line) => levelOf(line) > 0 && levelOf(line) <= level)
  return lines.slice(start, length < 0 ? undefined : start + 1 + length).join('\n')
}

const levelOf = (line: string): number => /^(#{1,6})\s/.exec(line)?.[1]?.length ?? 0
const plainHeading = (line: string): string => (levelOf(line) > 0 ? plainWords(line.replace(/^#+/, '')) : '')
const plainWords = (words: string): string =>
  words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

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
  if (path !== undefined) return linkMarkdown({ ...link, words: alt }, { state, masked })
  state.lose(
    isPicture ? 'picture' : 'embed',
    `![[${name}]]`,
    'The file or note is not in the import, or contains itself: its name stays as text.',
  )
  return linkWords(alt || name)
}
