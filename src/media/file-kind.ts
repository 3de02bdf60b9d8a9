// What a file is, told by its first bytes and by nothing else: a name is what somebody called it.

/** How many bytes `kindOf` looks at. */
export const headBytes = 32

/** Kinds that a browser may show: images of pixels, in which nothing runs. */
const rasters: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])

/** A kind, and the bytes with which such a file begins, at an offset. */
const marks: readonly (readonly [kind: string, at: number, text: string])[] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF87a'],
  ['image/gif', 0, 'GIF89a'],
  ['image/avif', 4, 'ftypavif'],
  ['application/pdf', 0, '%PDF-'],
  ['application/zip', 0, 'PK\x03\x04'],
]

/** The media type of a file that begins so; `application/octet-stream` for whatever isn't known here. */
export function kindOf(head: Uint8Array): string {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1')
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'image/webp'
  return marks.find(([, at, mark]) => text.startsWith(mark, at))?.[0] ?? 'application/octet-stream'
}

/** Whether a browser may show a file of this kind. */
export const isRaster = (kind: string): boolean => rasters.has(kind)
