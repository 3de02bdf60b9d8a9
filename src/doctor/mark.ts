// The mark on Postern's refusals. The doctor and other readers of headers use it to distinguish a 404 of Postern from one of the
// web server in front, and to find the subdirectory that Postern uses.

export const markHeader = 'x-answered-by'

/** @param basePath `''` or `/blog` */
export const markOf = (basePath: string): string => `Postern at ${basePath === '' ? '/' : basePath}`

/** The subdirectory that a mark names, `''` for the root; undefined for an answer that isn't marked. */
export function basePathIn(headers: Readonly<Record<string, string>>): string | undefined {
  const [, path] = /^Postern at (\/\S*)$/.exec(headers[markHeader] ?? '') ?? []
  return path === '/' ? '' : path
}
