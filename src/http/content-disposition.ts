// The file name for a download (RFC 6266): in ASCII for every client, and in full for clients that support `filename*`.

/** A `Content-Disposition` header. No name can end its quotes or its line. */
export function contentDisposition(kind: 'inline' | 'attachment', filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  if (plain === filename) return `${kind}; filename="${plain}"`
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
