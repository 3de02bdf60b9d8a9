import { type EarlierFile, getMedia } from '../../media/media-rows.ts'
import { closed } from '../../base/schema.ts'
import { treatmentOf } from '../../media/taken-kinds.ts'
import { Failure } from '../../base/failure.ts'
import type { MediaRow } from '../../store/core/schema.ts'
import { action } from '../call/action.ts'
import { arrive, type ArrivedFile, checkKept, columnsOf, mediaFileProperties, discardArrived } from './arrival.ts'
import { checkNotTrashed, mediaOutput, settleAfterwards, warningsOf, wrote } from './writing.ts'
import { bare, idProperty } from './named.ts'

export const replace = action('SVC_Media.replace', {
  title: 'Replace [the file {title}|a file]',
  summary: 'Puts another file at the address of a media file. The old one is kept; undo restores it.',
  did: 'replaced [the file {title}|a file]',
  object: { kind: 'media', page: 'mediaFile' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found', 'conflict', 'unsupported', 'unprocessable', 'unreachable'],
  touches: 'site',
  revisioned: true,
  input: closed({ id: idProperty, ...mediaFileProperties }),
  output: mediaOutput,
  examples: [
    {
      title: 'Another drawing',
      input: {
        id: '/media/logo.svg',
        text: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="9" height="9"/></svg>',
      },
    },
  ],
  prepares: Object.keys(mediaFileProperties),
  prepare: (context, input) => arrive(context, input),
  abandon: ({ site }, arrived) => discardArrived(site, arrived),
  async run(context, { id }, arrived: ArrivedFile) {
    await checkKept(context, arrived)
    const row = bare(await getMedia(context.db, id))
    checkNotTrashed(row)
    checkSameUse(row, arrived)
    const columns = columnsOf(context.site, arrived, null)
    if (columns.file === row.file) return wrote(context, row, [], [])
    const { file, file_key, kind, bytes } = row
    const old: EarlierFile = { file, file_key, kind, bytes, at: context.now }
    const earlier = JSON.stringify([...(JSON.parse(row.earlier) as EarlierFile[]), old])
    const written = await context.change.update('media', row, { ...columns, focus: null, earlier })
    settleAfterwards(context, written.row)
    return wrote(context, written.row, written.changed, warningsOf(written.row, arrived.cleaned))
  },
})

/**
 * Checks that the new file fits the address's ending and the use of the file on pages. An image may become another kind of image.
 */
function checkSameUse({ kind, filename }: MediaRow, arrived: ArrivedFile): void {
  const isImage = (one: string) => ['picture', 'vector'].includes(treatmentOf(one))
  if (kind === arrived.kind || (isImage(kind) && isImage(arrived.kind))) return
  throw new Failure(
    'unprocessable',
    `${filename} is ${kind}, and the new file is ${arrived.kind}: upload it as a file of its own.`,
  )
}
