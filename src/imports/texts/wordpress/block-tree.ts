// The blocks of a WordPress text: `<!-- wp:ns/name {json} -->`, HTML, `<!-- /wp:ns/name -->`, or without HTML `… /-->`. One pass
// finds them all, and an end without its beginning is passed over.

import { isObject } from '../../../base/json.ts'
import { markerOf } from '../read-tree.ts'

export interface WordPressBlock {
  /** The name with its namespace, such as `core/image`. */
  readonly name: string
  readonly values: Readonly<Record<string, unknown>>
  /** True for a block without HTML, such as that of the latest posts. */
  readonly isEmpty: boolean
  /** The HTML, with a marker for each block in it. */
  readonly html: string
  readonly inner: readonly WordPressBlock[]
}

interface OpenBlock {
  readonly name: string
  readonly values: Readonly<Record<string, unknown>>
  readonly parts: string[]
  readonly inner: WordPressBlock[]
}

/** Deeper blocks lie in the deepest one. */
const maxDepth = 50

const delimiter = /^\s+(\/)?wp:([a-z][a-z0-9_-]{0,60}\/)?([a-z][a-z0-9_-]{0,100})(?:\s+(\{[^]*\}))?\s+(\/)?$/

/** True for a text of blocks, which WordPress shows without making paragraphs. */
export const hasBlocks = (source: string): boolean => source.includes('<!-- wp:')

/** Reads a text as a block around all of its blocks. */
export function readBlocks(source: string): WordPressBlock {
  const root: OpenBlock = { name: '', values: {}, parts: [], inner: [] }
  const open: OpenBlock[] = [root]
  const top = (): OpenBlock => open.at(-1) ?? root
  const put = (block: WordPressBlock): void => {
    const { parts, inner } = top()
    parts.push(markerOf(inner.length))
    inner.push(block)
  }
  const close = (): void => {
    const block = open.pop()
    if (block) put(finished(block))
  }
  let from = 0
  for (;;) {
    const start = source.indexOf('<!--', from)
    const end = start < 0 ? -1 : source.indexOf('-->', start)
    if (end < 0) break
    const found = delimiterIn(source.slice(start + 4, end))
    top().parts.push(source.slice(from, found ? start : end + 3))
    from = end + 3
    if (!found) continue
    const { name, values, isEnd, isEmpty } = found
    if (isEnd) {
      const place = open.findLastIndex((one) => one.name === name)
      if (place > 0) for (let count = open.length - place; count > 0; count--) close()
    } else if (isEmpty) put({ name, values, isEmpty, html: '', inner: [] })
    else if (open.length <= maxDepth) open.push({ name, values, parts: [], inner: [] })
  }
  top().parts.push(source.slice(from))
  while (open.length > 1) close()
  return finished(root)
}

const finished = ({ name, values, parts, inner }: OpenBlock): WordPressBlock => ({
  name,
  values,
  isEmpty: false,
  html: parts.join(''),
  inner,
})

interface Delimiter {
  readonly name: string
  readonly values: Readonly<Record<string, unknown>>
  readonly isEnd: boolean
  readonly isEmpty: boolean
}

function delimiterIn(comment: string): Delimiter | undefined {
  // The end of an empty block is `/-->`, so that a space stands before the slash only.
  if (!/^\s+\/?wp:/.test(comment.slice(0, 20))) return undefined
  const [, end, space = 'core/', name = '', json, empty] =
    delimiter.exec(comment.replace(/([^\s])\/$/, '$1 /')) ?? delimiter.exec(`${comment} `) ?? []
  if (name === '') return undefined
  return { name: space + name, values: valuesOf(json), isEnd: end !== undefined, isEmpty: empty !== undefined }
}

/** Characters that WordPress writes as `\u0022`. Some exports have lost the backslash. */
const lostBackslash = /(?<!\\)u00(22|26|2d|3c|3e)/gi

function valuesOf(json: string | undefined): Readonly<Record<string, unknown>> {
  if (json === undefined) return {}
  try {
    const values: unknown = JSON.parse(json.replace(lostBackslash, '\\u00$1'))
    return isObject(values) ? values : {}
  } catch {
    return {}
  }
}

/** A value of a block that is a text or a number, as text; `''` without it. */
export function valueOf({ values }: WordPressBlock, name: string): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}
