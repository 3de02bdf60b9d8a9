// Completes the site's media in a rendered text. Images get sizes, dimensions and a placeholder, so that the layout does not shift
// while a page loads. Players get addresses that caches keep for ever. The caller looks up the files.

import { escapeHtml } from './escape-html.ts'

/** The facts that a page needs about an image or a sound of the site. Addresses are absolute. */
export interface PageMedia {
  readonly kind: 'image' | 'player'
  /** The address for browsers without support for sizes. */
  readonly url: string
  readonly width: number | null
  readonly height: number | null
  /** The description for images without one in the text; null if nobody has written one. */
  readonly alt: string | null
  readonly placeholder: string | null
  /** The sizes, the narrowest first. */
  readonly sizes: readonly { readonly url: string; readonly width: number; readonly type: string }[]
}

const tags = /<(img|video|audio|source)\b([^<>]*)>/g
const idForm = /^[0-9a-hjkmnp-tv-z]{26}$/
const maxRefs = 500

/** The width of the text of a page, which limits the pixels that an image needs. */
const sizesRule = '(min-width: 48rem) 46rem, 100vw'

const patterns = { src: /\ssrc="([^"]*)"/, alt: /\salt="([^"]*)"/, title: /\stitle="([^"]*)"/ }
const attribute = (text: string, name: keyof typeof patterns): string | undefined => patterns[name].exec(text)?.[1]

function refOf(attributes: string, base: string): string | undefined {
  const src = attribute(attributes, 'src')?.replaceAll('&amp;', '&')
  return src === undefined ? undefined : mediaNamed(src, base)
}

/** The file that an address in a text names: `/media/team.jpg`, with the base path or the origin before it, or an id. */
export function mediaNamed(src: string, base: string): string | undefined {
  if (idForm.test(src)) return src
  const bare = src.split(/[?#]/, 1)[0] ?? ''
  for (const prefix of [base, new URL(base).pathname.replace(/\/$/, '')])
    if (prefix !== '' && bare.startsWith(`${prefix}/media/`)) return bare.slice(prefix.length)
  return bare.startsWith('/media/') ? bare : undefined
}

/** The files that a cleaned text names. @param base origin and base path, without a slash at the end */
export function mediaIn(html: string, base: string): readonly string[] {
  const refs = new Set<string>()
  if (!/<(?:img|video|audio|source)\b/.test(html)) return []
  for (const [, , attributes = ''] of html.matchAll(tags)) {
    const ref = refOf(attributes, base)
    if (ref !== undefined && refs.size < maxRefs) refs.add(ref)
  }
  return [...refs]
}

/** Inserts the current data of these files into the text. Other images and players stay unchanged. */
export function withMedia(html: string, base: string, media: ReadonlyMap<string, PageMedia>): string {
  if (media.size === 0) return html
  let first = true
  return withoutNumbers(html, base, media).replace(tags, (tag, name: string, attributes: string) => {
    const ref = refOf(attributes, base)
    const found = ref === undefined ? undefined : media.get(ref)
    if (!found) return tag
    if (name !== 'img') return found.kind === 'player' ? tag.replace(/\ssrc="[^"]*"/, ` src="${escapeHtml(found.url)}"`) : tag
    if (found.kind !== 'image') return tag
    const lazy = !first
    first = false
    return imageHtml(found, attributes, lazy)
  })
}

/** A picture of a gallery without a description in the text, in the link to its file. The name of the link is the number. */
const numbered = /(<a href="([^"<>]*)") aria-label="[^"<>]*">(?=<img src="([^"<>]*)" alt="")/g

/** A description in the library is the name of the link to such a picture. */
const withoutNumbers = (html: string, base: string, media: ReadonlyMap<string, PageMedia>): string =>
  html.replace(numbered, (whole, open: string, ...[href, src]: string[]) => {
    const ref = refOf(` src="${src}"`, base)
    const isOwn = ref !== undefined && ref === refOf(` src="${href}"`, base)
    return isOwn && (media.get(ref)?.alt ?? '') !== '' ? `${open}>` : whole
  })

function imageHtml(image: PageMedia, written: string, lazy: boolean): string {
  const { width, height, sizes, placeholder } = image
  const alt = attribute(written, 'alt')
  const title = attribute(written, 'title')
  const described = alt !== undefined && alt !== '' ? alt : escapeHtml(image.alt ?? '')
  const ofType = (type: string) => sizes.filter((size) => size.type === type)
  const webp = ofType('image/webp')
  const avif = ofType('image/avif')
  const members = [
    `src="${escapeHtml(webp.at(-1)?.url ?? image.url)}"`,
    ...(webp.length > 1 ? [`srcset="${srcset(webp)}"`, `sizes="${sizesRule}"`] : []),
    `alt="${described}"`,
    ...(title === undefined ? [] : [`title="${title}"`]),
    ...(width === null || height === null ? [] : [`width="${width}"`, `height="${height}"`]),
    ...(lazy ? ['loading="lazy"'] : []),
    'decoding="async"',
    ...(placeholder === null ? [] : [`style="background:url(${escapeHtml(placeholder)}) center/cover no-repeat"`]),
  ]
  const img = `<img ${members.join(' ')}>`
  if (avif.length === 0) return img
  return `<picture><source type="image/avif" srcset="${srcset(avif)}" sizes="${sizesRule}">${img}</picture>`
}

const srcset = (sizes: PageMedia['sizes']): string => sizes.map(({ url, width }) => `${escapeHtml(url)} ${width}w`).join(', ')
