// Pictures, sound, video and frames. Pictures of other sites are neither fetched nor shown: a link takes their place. A frame of a
// known video or map becomes its bare address, which Postern shows as an embed.

import { findEmbed } from '../markdown/embeds.ts'
import { mediaSchemes } from '../markdown/safe-url.ts'
import { addressOf, destinationOf, titleMarkdown } from './links.ts'
import type { InlinePiece } from './inline.ts'
import { attributeOf, descendants, type HtmlElement, textIn } from './tree.ts'
import type { Block, Spot, Conversion } from './writing.ts'

/** The address of a picture whose bytes are on the clipboard: the editor numbers them, uploads them and puts in their paths. */
const onClipboard = /^clipboard:\d{1,4}$/

interface Picture {
  readonly address: string
  readonly alt: string
  /** False for a picture that isn't shown here. */
  readonly isShown: boolean
}

/** Reads a picture; undefined for one that says nothing here, such as a counting pixel. */
function pictureOf(element: HtmlElement, writing: Conversion): Picture | string | undefined {
  const alt = attributeOf(element, 'alt').replace(/\s+/g, ' ').trim()
  const isDot = ['width', 'height'].every((name) => /^[01](?:px)?$/.test(attributeOf(element, name)))
  if (isDot) return undefined
  if (alt.length <= 16 && /^\p{Extended_Pictographic}/u.test(alt)) return alt
  const written = ['data-src', 'data-original', 'src'].map((name) => attributeOf(element, name)).filter((one) => one !== '')
  if (written.some((one) => onClipboard.test(one)))
    return { address: written.find((one) => onClipboard.test(one)) ?? '', alt, isShown: true }
  const address = written.map((one) => addressOf(one, writing.options.origin, mediaSchemes)).find((one) => one !== undefined)
  if (address === undefined) {
    writing.missing++
    return alt === '' ? undefined : alt
  }
  const isShown = writing.options.pictures === 'all' || address.startsWith('/')
  if (!isShown && !/^https?:/i.test(address)) {
    writing.missing++
    return alt === '' ? undefined : alt
  }
  if (!isShown) writing.elsewhere.push(address)
  return { address, alt, isShown }
}

const nameOf = (address: string): string => {
  const name = (address.split(/[?#]/, 1)[0] ?? '').split('/').at(-1) ?? ''
  return (name === '' ? address : name).slice(0, 100)
}

const altMarkdown = (alt: string): string =>
  alt
    .replace(/[[\]\\*_`]/g, '\\$&')
    .replace(/<(?=[A-Za-z/!?])/g, '\\<')
    .replace(/&(?=#?[A-Za-z0-9]{1,31};)/g, '\\&')

/** The pieces of a picture within a paragraph. @param caption of a figure */
export function picturePieces(element: HtmlElement, { writing, marks }: Spot, caption = ''): readonly InlinePiece[] {
  const picture = pictureOf(element, writing)
  if (picture === undefined) return []
  if (typeof picture === 'string') return [{ kind: 'text', text: picture, marks }]
  const { address, alt, isShown } = picture
  if (!isShown) {
    const href = marks.some(({ kind }) => kind === 'link')
      ? marks
      : [{ kind: 'link', href: address, title: '' } as const, ...marks]
    return [{ kind: 'text', text: alt || nameOf(address), marks: href }]
  }
  const title = caption === '' ? '' : ` "${titleMarkdown(caption)}"`
  return [{ kind: 'made', markdown: `![${altMarkdown(alt)}](${destinationOf(address)}${title})`, marks }]
}

/** The address of a page for the address of its frame. Other addresses stay as they are. */
const pagesOfFrames: readonly (readonly [frame: RegExp, page: (match: RegExpExecArray) => string | undefined])[] = [
  [
    /^https:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]{11})(?:\?(?:.*&)?start=(\d{1,6}))?/,
    ([, id, start]) => `https://www.youtube.com/watch?v=${id}${start === undefined ? '' : `&t=${start}`}`,
  ],
  [
    /^https:\/\/player\.vimeo\.com\/video\/(\d{1,15})(?:\?(?:.*&)?h=([0-9a-f]{1,20}))?/,
    ([, id, key]) => `https://vimeo.com/${id}${key === undefined ? '' : `/${key}`}`,
  ],
  [/^https:\/\/(?:www\.)?openstreetmap\.org\/export\/embed\.html\?(.{1,300})$/, ([, query]) => mapPage(query ?? '')],
]

/** The page of a map, for the box that its frame shows. */
function mapPage(query: string): string | undefined {
  const values = new URLSearchParams(query)
  const [west, south, east, north] = (values.get('bbox') ?? '').split(',').map(Number)
  if (west === undefined || south === undefined || east === undefined || north === undefined) return undefined
  if (![west, south, east, north].every(Number.isFinite) || east <= west) return undefined
  const zoom = Math.max(1, Math.min(19, Math.round(Math.log2((360 * 640) / 256 / (east - west)))))
  const [lat, lon] = [(south + north) / 2, (west + east) / 2].map((value) => value.toFixed(5))
  const [mlat, mlon] = (values.get('marker') ?? '').split(',')
  const marker = mlat && mlon ? `?mlat=${mlat}&mlon=${mlon}` : ''
  return `https://www.openstreetmap.org/${marker}#map=${zoom}/${lat}/${lon}`
}

/** A frame: the bare address of a known video or map, and a link to anything else. */
export function frameBlocks(element: HtmlElement, { writing }: Spot): readonly Block[] {
  const written = attributeOf(element, 'src') || attributeOf(element, 'data-src')
  const address = addressOf(written, writing.options.origin, mediaSchemes)
  if (address === undefined) return []
  for (const [frame, page] of pagesOfFrames) {
    const match = frame.exec(address)
    const found = match ? page(match) : undefined
    if (found !== undefined && findEmbed(found)) return [{ text: found }]
  }
  if (findEmbed(address)) return [{ text: address }]
  return [linkBlock(address, attributeOf(element, 'title') || hostOf(address))]
}

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : address)

const linkBlock = (address: string, words: string): Block => ({
  text: `[${altMarkdown(words.replace(/\s+/g, ' ').trim())}](${destinationOf(address)})`,
})

/** Sound or video: a link, which Postern shows as a player if the file is one of the site. */
export function playerBlocks(element: HtmlElement, { writing }: Spot): readonly Block[] {
  const sources = [element, ...descendants(element)].map((one) => attributeOf(one, 'src'))
  const address = sources
    .map((one) => (one === '' ? undefined : addressOf(one, writing.options.origin, mediaSchemes)))
    .find((one) => one !== undefined)
  if (address === undefined) return []
  const words = textIn(element).replace(/\s+/g, ' ').trim()
  return [linkBlock(address, attributeOf(element, 'title') || words.slice(0, 100) || nameOf(address))]
}
