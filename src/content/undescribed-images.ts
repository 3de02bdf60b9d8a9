// Which images of a text visitors see without a description: the text has none, and neither has the media file that it names.

import { findManyMedia } from '../media/media-rows.ts'
import type { Db } from '../store/database.ts'
import { imagesWithoutAlt } from './markup.ts'
import { mediaNamed } from './media-images.ts'

/** Images beyond this number are not looked up, and count as not described. */
const maxLookedUp = 500

/** The addresses of these images, as the text has them. @param origin with the base path, without a slash at the end */
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
  // An empty `alt` says that the image is decoration.
  return images.filter((image) => (media.get(refs.get(image) ?? '')?.alt ?? null) === null)
}
