// The pictures of the first hour: the logo, and a photo for the top of the example home page.

import { content } from '../../actions/content/index.ts'
import { media } from '../../actions/media/index.ts'
import { settings } from '../../actions/settings/index.ts'
import { findExamples, keepExample } from '../../actions/site/examples.ts'
import type { Failure } from '../../base/failure.ts'
import type { UploadedFile } from '../../doors/shared/read-upload.ts'
import { run } from '../page.ts'
import type { SignedIn } from '../visit.ts'

/** The line with which an example home page begins that has room for a photo. */
const opening = '::: hero {'

/** Returns the id of the example home page; undefined if it has no room for a photo, or if somebody has changed it. */
export async function homeForPhoto(visit: SignedIn): Promise<string | undefined> {
  const { home } = visit.site.settings.values
  const { unchanged } = await findExamples(visit.site.store.read)
  if (home === null || !unchanged.some(({ id }) => id === home)) return undefined
  const { data } = await run(visit, content.get, { id: home }, { select: ['body'] })
  return data?.item.body?.startsWith(opening) ? home : undefined
}

/** Stores a picture and puts it in its place. A logo stands beside the name of the site, so it needs no description. */
const places: Readonly<Record<string, (visit: SignedIn, file: UploadedFile) => Promise<Failure | undefined>>> = {
  async logo(visit, { id, filename }) {
    const { data, failure } = await run(visit, media.upload, { upload_id: id, filename, alt: '' }, { select: ['id'] })
    return failure ?? (await run(visit, settings.update, { set: { logo: data.item.id } })).failure
  },
  async photo(visit, { id, filename }) {
    const home = await homeForPhoto(visit)
    if (home === undefined) return undefined
    const { data, failure } = await run(visit, media.upload, { upload_id: id, filename }, { select: ['path'] })
    if (failure) return failure
    const edits = [{ find: opening, replace: `${opening}image="${data.item.path}" ` }]
    const edited = await run(visit, content.edit, { id: home, edits })
    if (!edited.failure) await keepExample(visit.site, home)
    return edited.failure
  },
}

/** The number of pictures that the form takes. */
export const maxPictures = Object.keys(places).length

/** Takes the pictures of the form. @returns the first failure */
export async function takePictures(visit: SignedIn, files: readonly UploadedFile[]): Promise<Failure | undefined> {
  for (const file of files) {
    const failure = file.bytes > 0 ? await places[file.field]?.(visit, file) : undefined
    if (failure) return failure
  }
  return undefined
}
