// SVC_Media.upload: stores a new file. If the site already has the same bytes, the answer is the existing file.

import { type Static, Type } from 'typebox'
import { checkFolder, mediaPath, reduceFileName } from '../../media/file-name.ts'
import { newId } from '../../store/core/ids.ts'
import type { MediaRow } from '../../store/core/schema.ts'
import { action, type WriteContext } from '../call/action.ts'
import { type ArrivedFile, arrive, checkKept, columnsOf, mediaFileProperties, discardArrived } from './arrival.ts'
import { freeName } from './paths.ts'
import { maxAltChars, maxCaptionChars, mediaOutput, settleAfterwards, warningsOf, writesDraftsOnly, wrote } from './writing.ts'
import { closed, flag } from '../../base/schema.ts'

const text = (description: string, maxLength: number) => Type.Optional(Type.String({ description, maxLength }))

/** The arguments that describe a new file. */
export const aboutProperties = {
  filename: text(
    'What to call it; its ending follows from the content. Letters without accents, digits and hyphens remain.',
    1000,
  ),
  alt: text('What an image shows, for people who can\'t see it; `""` for decoration.', maxAltChars),
  caption: text('One line below the image.', maxCaptionChars),
  folder: text('Such as `team/2026`.', 300),
  protected: flag('Gives the file no public address, only signed ones.'),
}

/** The answer of actions that add a file. */
export const uploadOutput = Type.Object({
  ...mediaOutput.properties,
  deduplicated: Type.Boolean({ description: 'Whether the site had these bytes already.' }),
})

/** The facts that a caller tells of a new file. */
interface About {
  readonly filename: string
  readonly folder: string
  readonly protected: boolean
  readonly alt?: string
  readonly caption?: string
}

/** Adds the row of a stored file, unless the site has the same bytes already. */
export async function storeNew(context: WriteContext, arrived: ArrivedFile, about: About): Promise<Static<typeof uploadOutput>> {
  await checkKept(context, arrived)
  const known = await findSame(context, arrived, about.protected)
  if (known) return { ...(await again(context, known, about.alt)), deduplicated: true }
  const { folder } = about
  const filename = await freeName(context.db, folder, reduceFileName(about.filename, arrived.kind))
  const row = await context.change.insert('media', {
    id: newId(context.now),
    path: mediaPath(folder, filename),
    folder,
    filename,
    ...columnsOf(context.site, arrived, null),
    alt: about.alt ?? null,
    caption: about.caption ?? null,
    focus: null,
    protected: about.protected ? 1 : 0,
    held: writesDraftsOnly(context.caller) ? 1 : 0,
    earlier: '[]',
    deleted_at: null,
  })
  settleAfterwards(context, row)
  return { ...(await wrote(context, row, [], warningsOf(row, arrived.cleaned))), deduplicated: false }
}

export const upload = action('SVC_Media.upload', {
  title: 'Upload [{title}|a file]',
  summary: 'Stores an image, document, video or sound. Images get all sizes, turned upright and without location.',
  did: 'uploaded [{title}|a file]',
  object: { kind: 'media', page: 'mediaFile' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found', 'conflict', 'exists', 'unsupported', 'unprocessable', 'unreachable'],
  touches: 'media',
  input: closed({ ...mediaFileProperties, ...aboutProperties }),
  output: uploadOutput,
  examples: [
    {
      title: 'A drawing inside the call',
      input: {
        text: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4"/></svg>',
        filename: 'dot.svg',
        alt: 'A dot',
      },
    },
  ],
  prepares: Object.keys(mediaFileProperties),
  prepare: (context, input) => arrive(context, input),
  abandon: ({ site }, arrived) => discardArrived(site, arrived),
  run: async (context, { alt, caption, ...input }, arrived: ArrivedFile) =>
    storeNew(context, arrived, {
      filename: input.filename ?? fromUrl(input.url),
      folder: checkFolder(input.folder ?? ''),
      protected: input.protected === true,
      ...(alt !== undefined && { alt }),
      ...(caption !== undefined && { caption }),
    }),
})

const fromUrl = (url: string | undefined): string =>
  url !== undefined && URL.canParse(url) ? decodeLoosely(new URL(url).pathname.split('/').at(-1) ?? '') : ''

function decodeLoosely(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const findSame = ({ db }: WriteContext, { sha256 }: ArrivedFile, isProtected: boolean): Promise<MediaRow | undefined> =>
  db
    .selectFrom('media')
    .selectAll()
    .where('sha256', '=', sha256)
    .where('deleted_at', 'is', null)
    .where('protected', '=', isProtected ? 1 : 0)
    .orderBy('id')
    .executeTakeFirst()

/** Answers an upload of known bytes. It adds a missing description, and releases a held file. */
async function again(context: WriteContext, known: MediaRow, alt: string | undefined) {
  const limited = writesDraftsOnly(context.caller)
  const patch = limited ? {} : { held: 0, ...(known.alt === null && alt !== undefined ? { alt } : {}) }
  const { row, changed } = await context.change.update('media', known, patch)
  return wrote(context, row, changed, warningsOf(row, false))
}
