// Media for pages: the data with which a rendered text or a theme shows a file, looked up for many files at once. Files that are
// not public are left out.

import type { PageMedia } from '../../content/markdown/media-images.ts'
import type { MailPicture } from '../../mail/newsletter/mail-html.ts'
import { madePrefix, variantAddress } from '../../media/media-address.ts'
import { findManyMedia, isPublicMedia, type MediaWithPicture } from '../../media/media-rows.ts'
import type { Focus } from '../../media/picture-recipe.ts'
import { treatmentOf } from '../../media/taken-kinds.ts'
import type { Db } from '../../store/core/database.ts'
import type { ThemeImage } from '../../themes/contract.ts'

/** The address of the site, and the visibility of files. */
export interface MediaFor {
  /** With the base path, without a slash at the end. */
  readonly origin: string
  readonly now: number
  /** True to include files that are not public yet, as in a preview. */
  readonly hidden?: boolean
}

async function findShown(
  db: Db,
  refs: readonly string[],
  { now, hidden }: MediaFor,
): Promise<ReadonlyMap<string, MediaWithPicture>> {
  const found = await findManyMedia(db, refs)
  const shown = new Map<string, MediaWithPicture>()
  for (const [ref, row] of found)
    if (hidden === true ? row.deleted_at === null : await isPublicMedia(db, row, now)) shown.set(ref, row)
  return shown
}

/** Returns files for a text, by their names in the text. One query, unless a name is an earlier path or a file is held back. */
export async function findPageMedia(db: Db, refs: readonly string[], media: MediaFor): Promise<ReadonlyMap<string, PageMedia>> {
  if (refs.length === 0) return new Map()
  const found = new Map<string, PageMedia>()
  for (const [ref, row] of await findShown(db, refs, media)) {
    const shown = pageMedia(row, media.origin)
    if (shown) found.set(ref, shown)
  }
  return found
}

function pageMedia(row: MediaWithPicture, origin: string): PageMedia | undefined {
  const treatment = treatmentOf(row.kind)
  const { width, height, alt, placeholder, path } = row
  if (treatment === 'player') {
    const url = `${origin}${madePrefix}${row.file_key}-original.${row.file.split('.')[1] ?? ''}`
    return { kind: 'player', url, width: null, height: null, alt, placeholder: null, sizes: [] }
  }
  if (treatment === 'download') return undefined
  return { kind: 'image', url: origin + path, width, height, alt, placeholder, sizes: sizesOf(row, origin) }
}

const sizesOf = ({ picture = [] }: MediaWithPicture, origin: string) =>
  picture
    .filter(({ type }) => type !== 'image/jpeg')
    .map(({ name, width, type }) => ({ url: variantAddress(origin, name), width, type }))

/**
 * Returns images for a theme, by the requested ids or paths. One query, unless a file is held back.
 * @see ThemeImage
 */
export async function findThemeImages(
  db: Db,
  refs: readonly string[],
  media: MediaFor,
): Promise<ReadonlyMap<string, ThemeImage>> {
  const { origin } = media
  const images = new Map<string, ThemeImage>()
  if (refs.length === 0) return images
  for (const [ref, row] of await findShown(db, refs, media)) {
    if (!['picture', 'vector'].includes(treatmentOf(row.kind))) continue
    images.set(ref, {
      url: origin + row.path,
      alt: row.alt ?? '',
      caption: row.caption,
      width: row.width ?? 0,
      height: row.height ?? 0,
      variants: sizesOf(row, origin),
      placeholder: row.placeholder,
      focus: row.focus === null ? null : (JSON.parse(row.focus) as Focus),
    })
  }
  return images
}

/** Returns the address of the JPEG for mail and cards; undefined if an image has none. */
export async function findCard(
  db: Db,
  ref: string,
  media: MediaFor,
): Promise<{ readonly url: string; readonly width: number; readonly height: number } | undefined> {
  const card = (await findShown(db, [ref], media)).get(ref)?.picture?.find(({ type }) => type === 'image/jpeg')
  return card && { url: variantAddress(media.origin, card.name), width: card.width, height: card.height }
}

/**
 * Returns the pictures of a mail by their names in the text: JPEG where there is one, because few mail programs know newer forms.
 */
export async function findMailImages(
  db: Db,
  refs: readonly string[],
  media: MediaFor,
): Promise<ReadonlyMap<string, MailPicture>> {
  const images = new Map<string, MailPicture>()
  if (refs.length === 0) return images
  for (const [ref, row] of await findShown(db, refs, media)) {
    if (treatmentOf(row.kind) !== 'picture') continue
    const { picture = [], path, width, alt } = row
    const jpeg = picture.find(({ type }) => type === 'image/jpeg')
    images.set(ref, { url: jpeg ? variantAddress(media.origin, jpeg.name) : media.origin + path, width, alt: alt ?? '' })
  }
  return images
}
