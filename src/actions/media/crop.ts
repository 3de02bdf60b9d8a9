// SVC_Media.crop: makes a new picture of another shape from one that is there. The original stays as it is.

import { Type } from 'typebox'
import { rm } from 'node:fs/promises'
import { Failure, invalid } from '../../base/failure.ts'
import { closed } from '../../base/schema.ts'
import { getMedia } from '../../media/media-rows.ts'
import { type Focus, pictureShapes } from '../../media/picture-recipe.ts'
import { treatmentOf } from '../../media/taken-kinds.ts'
import { action, type Context } from '../call/action.ts'
import { type ArrivedFile, discardArrived, keepArrived } from './arrival.ts'
import { bare, idProperty } from './named.ts'
import { focusInput } from './update.ts'
import { storeNew, uploadOutput } from './upload.ts'
import { checkNotTrashed } from './writing.ts'

const shapes = Object.keys(pictureShapes) as readonly (keyof typeof pictureShapes)[]

export const crop = action('SVC_Media.crop', {
  title: 'Crop [the picture {title}|a picture]',
  summary: 'Makes a new picture of another shape from a picture, with its description. The original stays.',
  did: 'cropped [the picture {title}|a picture]',
  object: { kind: 'media', page: 'mediaFile' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found', 'conflict', 'exists', 'unprocessable'],
  touches: 'media',
  input: closed({
    id: idProperty,
    shape: Type.Enum([...shapes], { description: 'Width to height; `square` is 1:1.' }),
    focus: Type.Optional({
      ...focusInput,
      description: 'The point that stays visible. The default is the focus of the picture, else its middle.',
    }),
  }),
  output: uploadOutput,
  examples: [{ title: 'A square around the middle', input: { id: '/media/team.png', shape: 'square' } }],
  prepares: ['id', 'shape', 'focus'],
  prepare: (context, { id, shape, focus }) => cut(context, id, { shape, focus }),
  abandon: ({ site }, arrived) => discardArrived(site, arrived),
  async run(context, { id, shape }, arrived: ArrivedFile) {
    const { alt, caption, folder, filename, protected: isProtected } = bare(await getMedia(context.db, id))
    const [stem = ''] = filename.split(/\.[^.]*$/)
    return storeNew(context, arrived, {
      filename: `${stem}-${shape.replace(':', 'x')}`,
      folder,
      protected: isProtected === 1,
      ...(alt !== null && { alt }),
      ...(caption !== null && { caption }),
    })
  },
})

/** Cuts the picture and stores the part. */
async function cut(
  context: Context,
  id: string,
  { shape, focus }: { readonly shape: keyof typeof pictureShapes; readonly focus: Focus | undefined },
): Promise<ArrivedFile> {
  const { store, pictures } = context.site.media
  const row = bare(await getMedia(context.site.store.read, id))
  checkNotTrashed(row)
  if (treatmentOf(row.kind) !== 'picture') throw invalid('id', 'Only images of pixels can be cropped.', 'a photo')
  const stored = row.focus === null ? undefined : (JSON.parse(row.focus) as Focus)
  const draft = await store.draft()
  try {
    const at = focus ?? stored ?? { x: 0.5, y: 0.5 }
    await pictures.crop(store.pathOf(row.file), draft, { ratio: pictureShapes[shape], focus: at }, context.signal)
    return await keepArrived(context, draft)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('unprocessable', 'This picture can not be cropped: its file is missing.', {}, { cause: error })
  } finally {
    await rm(draft, { force: true })
  }
}
