import { Type } from 'typebox'
import { boundedText, closed, flag, nonEmptyText, clearableText } from '../../base/schema.ts'
import { checkFolder, reduceFileName } from '../../media/file-name.ts'
import { getMedia } from '../../media/media-rows.ts'
import type { MediaRow } from '../../store/core/schema.ts'
import type { Focus } from '../../media/picture-recipe.ts'
import { treatmentOf } from '../../media/taken-kinds.ts'
import { invalid } from '../../base/failure.ts'
import { action } from '../call/action.ts'
import { combineFields } from '../call/combine.ts'
import { nullable } from '../call/write-answer.ts'
import { keyOf } from './arrival.ts'
import { keepMediaAliases, moveMedia } from './paths.ts'
import { checkNotTrashed, maxAltChars, maxCaptionChars, mediaOutput, settleAfterwards, warningsOf, wrote } from './writing.ts'
import { bare, idProperty } from './named.ts'

const share = Type.Number({ minimum: 0, maximum: 1 })

/** A point of an image. */
export const focusInput = closed({
  x: Type.Number({ minimum: 0, maximum: 1, description: '0 is the left edge, 1 the right one.' }),
  y: share,
})

export const update = action('SVC_Media.update', {
  title: 'Change what is said about [{title}|a file]',
  summary: 'Changes the description or address of a media file. A field that is left out stays, null clears it.',
  did: 'changed what is said about [{title}|a file]',
  object: { kind: 'media', page: 'mediaFile' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found', 'exists', 'unsupported'],
  touches: 'site',
  revisioned: true,
  combine: combineFields,
  input: closed({
    id: idProperty,
    alt: clearableText('What the image shows; `""` for decoration, null for not described.', maxAltChars),
    caption: clearableText('One line below the image.', maxCaptionChars),
    focus: Type.Optional(nullable(focusInput, 'The point of an image that stays visible when it is cropped.')),
    folder: Type.Optional(boundedText('Such as `team/2026`; `""` for none. The old address redirects.', 300)),
    filename: Type.Optional(nonEmptyText('Another name. The old address redirects.', 1000)),
    aliases: Type.Optional(
      Type.Array(nonEmptyText('A path below /media/.', 1100), {
        description: 'Further old addresses of the file, which redirect to it. One that is in use stays as it is.',
        maxItems: 100,
      }),
    ),
    protected: flag('Whether the file has only signed addresses.'),
  }),
  output: mediaOutput,
  examples: [
    { title: 'Describe an image', input: { id: '/media/logo.svg', alt: 'A lighthouse above waves' } },
    { title: 'Another name', input: { id: '/media/logo.svg', filename: 'mark.svg' } },
  ],
  async run(context, { id, ...given }) {
    const { db, change, site } = context
    const before = await getMedia(db, id)
    const row = bare(before)
    checkNotTrashed(row)
    const patch: Partial<MediaRow> = {}
    if (given.alt !== undefined) patch.alt = given.alt
    if (given.caption !== undefined) patch.caption = given.caption
    if (given.protected !== undefined) Object.assign(patch, { protected: given.protected ? 1 : 0 })
    if (given.focus !== undefined) Object.assign(patch, focusOf(row, given.focus))
    if (patch.focus !== undefined) patch.file_key = keyOf(site, row, given.focus ?? null)
    if (given.folder !== undefined || given.filename !== undefined) {
      const folder = given.folder === undefined ? row.folder : checkFolder(given.folder)
      const filename = given.filename === undefined ? row.filename : reduceFileName(given.filename, row.kind)
      Object.assign(patch, await moveMedia(change, row, folder, filename))
    }
    await keepMediaAliases(change, row, given.aliases ?? [])
    const written = await change.update('media', row, patch)
    settleAfterwards(context, written.row)
    return wrote(context, written.row, written.changed, given.alt === null ? warningsOf(written.row, false) : [])
  },
})

function focusOf({ kind }: MediaRow, focus: Focus | null): Pick<MediaRow, 'focus'> {
  if (treatmentOf(kind) !== 'picture') throw invalid('focus', '"focus" is for images of pixels.', 'left out for this file')
  // In a fixed order, so that equal points are equal texts.
  return { focus: focus && JSON.stringify({ x: focus.x, y: focus.y }) }
}
