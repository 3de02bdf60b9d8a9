import { Type } from 'typebox'
import { readFile } from 'node:fs/promises'
import { Failure, invalid } from '../../base/failure.ts'
import { getMedia, variantsOf } from '../../media/media-rows.ts'
import { treatmentOf } from '../../media/taken-kinds.ts'
import { action } from '../call/action.ts'
import { idProperty } from './named.ts'
import { boundedInteger, closed, flag } from '../../base/schema.ts'

/** The most bytes of a file whose base64 fits into an answer. */
const maxShownBytes = 54_000
const maxTextChars = 60_000

export const read = action('SVC_Media.read', {
  title: 'Read a file',
  summary: 'Shows the content of a file: an image small enough to look at, or text.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found', 'unprocessable', 'unsupported'],
  shows: 'image',
  input: closed({
    id: idProperty,
    format: Type.Optional(
      Type.Enum(['image', 'text', 'base64'], {
        description:
          '`image` is a small JPEG, which MCP clients get as a picture; `text` is for text and SVG; `base64` is a file of at most 54 KB as it is stored. The default fits the kind.',
      }),
    ),
    variant: Type.Optional(
      boundedInteger('With `base64`: the width of a size of the image, instead of the stored file.', 1, 100_000),
    ),
  }),
  output: Type.Object({
    kind: Type.String({ description: 'Media type of what is shown.' }),
    image: Type.Optional(Type.Object({ mime_type: Type.String(), base64: Type.String() })),
    text: Type.Optional(Type.String()),
    base64: Type.Optional(Type.String()),
    truncated: flag('Whether only the beginning of a longer text is shown.'),
  }),
  examples: [{ title: 'A drawing as text', input: { id: '/media/logo.svg', format: 'text' } }],
  async run({ db, site, signal }, { id, format, variant }) {
    const row = await getMedia(db, id)
    const { store, pictures } = site.media
    const treatment = treatmentOf(row.kind)
    const path = store.pathOf(row.file)
    const isText = row.kind.startsWith('text/') || treatment === 'vector'
    const way = format ?? (treatment === 'picture' ? 'image' : isText ? 'text' : 'base64')
    if (way === 'image') {
      if (treatment !== 'picture') throw wrongFormat('image', 'an image of pixels')
      const { base64, mimeType } = await pictures.look(path, maxShownBytes, signal)
      return { kind: mimeType, image: { mime_type: mimeType, base64 } }
    }
    if (way === 'text') {
      if (!isText) throw wrongFormat('text', 'text and SVG')
      const text = await readFile(path, 'utf8')
      return { kind: row.kind, text: text.slice(0, maxTextChars), ...(text.length > maxTextChars && { truncated: true }) }
    }
    const found = await getMediaVariant(row, variant, db)
    const bytes = found?.bytes ?? row.bytes
    if (bytes > maxShownBytes)
      throw new Failure('unprocessable', `The file has ${bytes} bytes, and an answer has room for ${maxShownBytes}.`, {
        hint: 'SVC_Media.get gives its address.',
      })
    const content = await readFile(found ? store.madePathOf(found.name) : path)
    return { kind: found?.type ?? row.kind, base64: content.toString('base64') }
  },
})

async function getMediaVariant(
  { file_key: key }: { readonly file_key: string },
  width: number | undefined,
  db: Parameters<typeof getMedia>[0],
) {
  if (width === undefined) return undefined
  const made = await db.selectFrom('media_picture').select('variants').where('file_key', '=', key).executeTakeFirst()
  const variants = made ? variantsOf(made) : []
  const found = variants.find((one) => one.width === width)
  if (found) return found
  const widths = [...new Set(variants.map((one) => one.width))]
  throw invalid('variant', `There is no size of ${width} pixels.`, widths)
}

const wrongFormat = (format: string, forWhat: string): Failure =>
  new Failure('unsupported', `"${format}" is for ${forWhat}.`, { field: 'format', expected: 'left out, for what fits the file' })
