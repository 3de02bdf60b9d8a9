// Files of the media library on pages: a small picture, sizes in words, kinds in words.

import type { MediaItem } from '../../actions/media/item.ts'
import { attribute, html, type Html } from '../../doors/shared/html.ts'
import { icon } from '../parts/icons.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey, Words } from '../words.ts'

/** The fields that pages show of a file in a list. A list answers fewer by default. */
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

/** The kinds for the filter of a list. A kind is a media type that begins with `type` and a slash. */
export const kindChoices = (t: Words) => [
  { value: '', label: t('media.kind_all') },
  { value: 'image', label: t('media.kind_images') },
  { value: 'video', label: t('media.kind_video') },
  { value: 'audio', label: t('media.kind_audio') },
  { value: 'application', label: t('media.kind_documents') },
  { value: 'text', label: t('media.kind_text') },
]

export const isImage = ({ kind }: Pick<MediaItem, 'kind'>): boolean => kind.startsWith('image/')

/** Returns true if a picture has no alternative text. The text `''` means decoration. */
export const lacksAlt = (file: Pick<MediaItem, 'kind'> & { readonly alt?: string | null | undefined }): boolean =>
  isImage(file) && file.alt === null

export const fileLink = ({ request }: SignedIn, id: string): string =>
  `${linkTo(request, adminPaths.mediaFile)}?id=${encodeURIComponent(id)}`

const units = ['KB', 'MB', 'GB']

/** Returns a size such as `1.4 MB`. */
export function sizeInWords(t: Words, bytes: number): string {
  if (bytes < 1000) return t('media.bytes', { count: bytes })
  const step = Math.min(Math.floor(Math.log10(bytes) / 3), units.length)
  const value = bytes / 1000 ** step
  const digits = value >= 100 ? 0 : 1
  const number = value.toLocaleString(t.language, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return `${number} ${units[step - 1]}`
}

const kindNames: Readonly<Record<string, string>> = { 'video/quicktime': 'QuickTime', 'audio/mpeg': 'MP3' }
const kindKeys: Readonly<Record<string, MessageKey>> = { 'text/plain': 'media.kind_plain' }

/** Returns a kind such as `JPEG` or `PDF`. */
export function kindInWords(t: Words, kind: string): string {
  const key = kindKeys[kind]
  return key ? t(key) : (kindNames[kind] ?? (kind.split('/')[1] ?? kind).replace(/^x-|\+xml$/g, '').toUpperCase())
}

/**
 * A picture of the file if browsers can show one, or else its kind. Screen readers skip it, because the name of the file is next to
 * it.
 */
export function thumbnail(t: Words, file: Pick<ShownFile, 'kind' | 'url' | 'variants' | 'deleted_at'>, leastWidth: number): Html {
  const variants = file.variants ?? []
  const size = variants.find(({ width }) => width >= leastWidth) ?? variants.at(-1)
  const address = size?.url ?? file.url ?? undefined
  if (!isImage(file) || address === undefined || file.deleted_at)
    return html`<span class="thumb kind">${icon('media')} ${kindInWords(t, file.kind)}</span>`
  return html`<span class="thumb"
    ><img src="${address}" alt="" loading="lazy" ${attribute('width', size?.width)} ${attribute('height', size?.height)}
  /></span>`
}
