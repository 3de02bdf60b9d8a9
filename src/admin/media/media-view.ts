// How files of the media library look on pages: a small picture, sizes in words, kinds in words.

import type { MediaItem } from '../../actions/classes/svc-media/item.ts'
import { attribute, html, type Html } from '../../doors/html.ts'
import { icon } from '../parts/icons.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'

/** What pages show of a file in a list: more than a list answers by itself. */
export const shownFields = [
  'id',
  'path',
  'url',
  'kind',
  'bytes',
  'width',
  'height',
  'alt',
  'folder',
  'filename',
  'protected',
  'used',
  'variants',
  'created_at',
  'deleted_at',
] as const satisfies readonly (keyof MediaItem)[]

export type ShownFile = { readonly [Name in (typeof shownFields)[number]]: MediaItem[Name] }

/** The kinds that a list can be filtered by. A kind is a media type that begins with `type` and a slash. */
export const kindChoices = [
  { value: '', label: 'All kinds' },
  { value: 'image', label: 'Images' },
  { value: 'video', label: 'Video' },
  { value: 'audio', label: 'Sound' },
  { value: 'application', label: 'Documents' },
  { value: 'text', label: 'Text' },
] as const

export const isImage = ({ kind }: Pick<MediaItem, 'kind'>): boolean => kind.startsWith('image/')

/** Whether a picture has no alternative text, which `''` is for decoration. */
export const lacksAlt = (file: Pick<MediaItem, 'kind'> & { readonly alt?: string | null | undefined }): boolean =>
  isImage(file) && file.alt === null

export const fileLink = ({ request }: SignedIn, id: string): string =>
  `${linkTo(request, adminPaths.mediaFile)}?id=${encodeURIComponent(id)}`

const units = ['bytes', 'KB', 'MB', 'GB']

/** Such as `1.4 MB`. */
export function sizeInWords(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  const value = bytes / 1000 ** step
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[step]}`
}

const kindNames: Readonly<Record<string, string>> = { 'text/plain': 'Text', 'video/quicktime': 'QuickTime', 'audio/mpeg': 'MP3' }

/** Such as `JPEG`, `PDF`. */
export const kindInWords = (kind: string): string =>
  kindNames[kind] ?? (kind.split('/')[1] ?? kind).replace(/^x-|\+xml$/g, '').toUpperCase()

/** A picture of the file where browsers show one, else its kind. It says nothing to screen readers: the name of the file stands beside it. */
export function thumbnail(file: Pick<ShownFile, 'kind' | 'url' | 'variants' | 'deleted_at'>, leastWidth: number): Html {
  const variants = file.variants ?? []
  const size = variants.find(({ width }) => width >= leastWidth) ?? variants.at(-1)
  const address = size?.url ?? file.url ?? undefined
  if (!isImage(file) || address === undefined || file.deleted_at)
    return html`<span class="thumb kind">${icon('media')} ${kindInWords(file.kind)}</span>`
  return html`<span class="thumb"
    ><img src="${address}" alt="" loading="lazy" ${attribute('width', size?.width)} ${attribute('height', size?.height)}
  /></span>`
}
