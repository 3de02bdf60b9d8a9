// Chooses between HTML and Markdown for a client, by its Accept header.

/**
 * True if `text/markdown` is listed, with a quality no lower than HTML's. A wildcard such as a browser sends doesn't count.
 * @see RFC 9110 §12.5.1
 */
export function prefersMarkdown(accept: string | undefined): boolean {
  if (accept === undefined || !accept.includes('markdown')) return false
  const quality = qualities(accept)
  const markdown = quality.get('text/markdown') ?? 0
  return markdown > 0 && markdown >= (quality.get('text/html') ?? 0)
}

function qualities(accept: string): ReadonlyMap<string, number> {
  return new Map(
    accept.split(',').map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      const given = parameters.find((parameter) => parameter.startsWith('q='))
      const q = given === undefined ? 1 : Number(given.slice(2))
      return [type, Number.isFinite(q) ? q : 0]
    }),
  )
}
