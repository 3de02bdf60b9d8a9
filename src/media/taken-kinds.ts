// The accepted kinds of files, one row per kind. The kind, not the sender's name, decides how a file is named and served.

import { Failure } from '../base/failure.ts'

/** The treatment of a file: pictures get sizes, vectors are cleaned, players play, and everything else is a download. */
export type Treatment = 'picture' | 'vector' | 'player' | 'download'

interface TakenKind {
  readonly treatment: Treatment
  /** The extension of the stored file, and of the public one unless `also` contains the sender's. */
  readonly extension: string
  /** Other endings that a file of this kind may have, such as `docx` for a zip. */
  readonly also?: readonly string[]
}

const kinds: Readonly<Record<string, TakenKind>> = {
  'image/jpeg': { treatment: 'picture', extension: 'jpg', also: ['jpeg'] },
  'image/png': { treatment: 'picture', extension: 'png' },
  'image/webp': { treatment: 'picture', extension: 'webp' },
  'image/gif': { treatment: 'picture', extension: 'gif' },
  'image/avif': { treatment: 'picture', extension: 'avif' },
  'image/svg+xml': { treatment: 'vector', extension: 'svg' },
  'video/mp4': { treatment: 'player', extension: 'mp4', also: ['m4v'] },
  'video/quicktime': { treatment: 'player', extension: 'mov' },
  'video/webm': { treatment: 'player', extension: 'webm' },
  'audio/mpeg': { treatment: 'player', extension: 'mp3' },
  'audio/mp4': { treatment: 'player', extension: 'm4a' },
  'audio/ogg': { treatment: 'player', extension: 'ogg', also: ['oga', 'opus', 'ogv'] },
  'audio/wav': { treatment: 'player', extension: 'wav' },
  'audio/flac': { treatment: 'player', extension: 'flac' },
  'application/pdf': { treatment: 'download', extension: 'pdf' },
  'application/zip': {
    treatment: 'download',
    extension: 'zip',
    also: ['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'epub', 'kmz'],
  },
  'text/plain': {
    treatment: 'download',
    extension: 'txt',
    also: ['md', 'csv', 'json', 'ics', 'vcf', 'gpx', 'srt', 'vtt', 'log'],
  },
}

const takenInWords = 'images (JPEG, PNG, WebP, GIF, AVIF, SVG), video, audio, PDF, text, and office documents or other zips'

export const treatmentOf = (kind: string): Treatment => kinds[kind]?.treatment ?? 'download'

/** True if strangers may send files of a kind. A drawing can have scripts, which run when somebody opens the downloaded file. */
export const isTakenFromVisitors = (kind: string): boolean => Object.hasOwn(kinds, kind) && treatmentOf(kind) !== 'vector'

const acceptOf = (some: readonly string[]): string =>
  some
    .flatMap((kind) => {
      const { extension, also = [] } = checkTaken(kind)
      return [kind, ...[extension, ...also].map((ending) => `.${ending}`)]
    })
    .join(',')

/** The accepted kinds and endings, as the `accept` of a file field. */
export const acceptedFiles: string = acceptOf(Object.keys(kinds))
/** The same for files of visitors. */
export const acceptedFromVisitors: string = acceptOf(Object.keys(kinds).filter(isTakenFromVisitors))

export const imageKinds: readonly string[] = Object.keys(kinds).filter((kind) =>
  ['picture', 'vector'].includes(treatmentOf(kind)),
)

/** @throws Failure `unsupported` with the accepted kinds */
export function checkTaken(kind: string): TakenKind {
  const taken = kinds[kind]
  if (taken) return taken
  throw new Failure(
    'unsupported',
    refusals[kind] ?? 'Files of this kind are not taken, or the file is damaged at its beginning.',
    {
      expected: takenInWords,
    },
  )
}

const refusals: Readonly<Record<string, string>> = {
  'image/heic':
    'This is a HEIC image, which browsers do not show. Export it as JPEG: on an iPhone, Settings, Camera, Formats, "Most Compatible", or share it by mail, which converts it.',
  'image/tiff': 'This is a TIFF image, which browsers do not show. Export it as JPEG or PNG.',
}

/** The extension of a file of this kind: the sender's if it fits the content. */
export function extensionFor(kind: string, given: string): string {
  const { extension, also = [] } = checkTaken(kind)
  return also.includes(given) ? given : extension
}
