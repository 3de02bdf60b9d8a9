// The images of a text that have no description: neither in the text nor in the media library.

import { findManyMedia } from '../../media/media-rows.ts'
import type { Db } from '../../store/core/database.ts'
import { imagesWithoutAlt } from './markup.ts'
import { mediaNamed } from './media-images.ts'

/** Images beyond this number are not looked up, and count as not described. */
const maxLookedUp = 500

/** The addresses of these images, as spelled in the text. @param origin with the base path, without a slash at the end */
export async function undescribedImages(db: Db, body: string, origin: string): Promise<readonly string[]> {
  const images = imagesWithoutAlt(body)
  const refs = new Map(
    images.slice(0, maxLookedUp).flatMap((image) => {
      const ref = mediaNamed(image, origin)
      return ref === undefined ? [] : [[image, ref] as const]
    }),
  )
  if (refs.size === 0) return images
  const media = await findManyMedia(db, [...new Set(refs.values())])
  // An empty `alt` marks a decorative image.
  return images.filter((image) => (media.get(refs.get(image) ?? '')?.alt ?? null) === null)
}
