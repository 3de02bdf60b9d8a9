// The name under which a browser keeps what it fetched (RFC 6266): in ASCII for all, and as it is for those who understand.

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
