// The media type of a file, from its first bytes alone. File names prove nothing.

/** The number of bytes that `kindOf` needs. */
export const headBytes = 32

/** Types that a browser may show: raster images, in which no script can run. */
const rasters: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])

/** A type, and the bytes that such a file has at an offset. */
const marks: readonly (readonly [kind: string, at: number, text: string])[] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF87a'],
  ['image/gif', 0, 'GIF89a'],
  ['image/avif', 4, 'ftypavif'],
  ['application/pdf', 0, '%PDF-'],
  ['application/zip', 0, 'PK\x03\x04'],
  ['image/heic', 4, 'ftyphei'],
  ['image/heic', 4, 'ftyphev'],
  ['image/heic', 4, 'ftypmif1'],
  ['image/heic', 4, 'ftypmsf1'],
  ['image/tiff', 0, 'II*\0'],
  ['image/tiff', 0, 'MM\0*'],
  ['audio/mp4', 4, 'ftypM4A '],
  ['video/quicktime', 4, 'ftypqt'],
  ['video/mp4', 4, 'ftyp'],
  ['video/webm', 0, '\x1aE\xdf\xa3'],
  ['audio/mpeg', 0, 'ID3'],
  ['audio/mpeg', 0, '\xff\xfb'],
  ['audio/mpeg', 0, '\xff\xf3'],
  ['audio/ogg', 0, 'OggS'],
  ['audio/flac', 0, 'fLaC'],
]

/** The media type of a file with these first bytes; `application/octet-stream` for an unknown one. */
export function kindOf(head: Uint8Array): string {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1')
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'image/webp'
  if (text.startsWith('RIFF') && text.startsWith('WAVE', 8)) return 'audio/wav'
  return marks.find(([, at, mark]) => text.startsWith(mark, at))?.[0] ?? 'application/octet-stream'
}

/** True if a browser may show a file of this type. */
export const isRaster = (kind: string): boolean => rasters.has(kind)
