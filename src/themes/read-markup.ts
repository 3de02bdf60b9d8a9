// Reads HTML as browsers do: where tags, their attributes, comments and texts without markup begin and end. It decides nothing.
// See the HTML standard, 13.2.5 "Tokenization".

export interface Attribute {
  readonly start: number
  readonly end: number
  /** In lower case. */
  readonly name: string
  /** As it is written, without quotation marks; empty where there is none. */
  readonly value: string
}

export interface Tag {
  readonly start: number
  readonly end: number
  readonly nameEnd: number
  /** In lower case. */
  readonly name: string
  readonly closing: boolean
  readonly selfClosing: boolean
  readonly attributes: readonly Attribute[]
}

/** What a `<` begins: a tag, something that ends with a comment's end, or nothing. */
export function kindAt(html: string, open: number): 'tag' | 'comment' | 'text' {
  const next = html.charCodeAt(open + 1)
  if (isLetter(next)) return 'tag'
  if (next === slash) return isLetter(html.charCodeAt(open + 2)) ? 'tag' : 'comment'
  // Within SVG this begins a text, elsewhere a comment: so it is neither.
  if (html.startsWith('<![CDATA[', open)) return 'text'
  return next === exclamation || next === question ? 'comment' : 'text'
}

const [exclamation, slash, question] = [33, 47, 63]
const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90)

const endOfComment = /--!?>/g

/** The end of what begins as a comment; the end of the page for one that never ends. */
export function commentEnd(html: string, open: number): number {
  const from = open + 4
  if (!html.startsWith('<!--', open)) return after(html, '>', open)
  if (html.startsWith('>', from) || html.startsWith('->', from)) return after(html, '>', from)
  endOfComment.lastIndex = from
  return endOfComment.test(html) ? endOfComment.lastIndex : html.length
}

function after(html: string, end: string, from: number): number {
  const at = html.indexOf(end, from)
  return at < 0 ? html.length : at + end.length
}

const tagName = /[^\t\n\f\r />]+/y
/** The name of an attribute, the sign before its value, and the value in each of the ways in which it may be written. */
const attribute =
  /[\t\n\f\r /]*(?:([^\t\n\f\r />][^\t\n\f\r />=]*)([\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r >"'][^\t\n\f\r >]*))?)?)?/y
const greater = '>'

/** The tag that begins at a `<`; undefined for one that never ends, which browsers don't show. */
export function readTag(html: string, start: number): Tag | undefined {
  const closing = html.charCodeAt(start + 1) === slash
  tagName.lastIndex = start + (closing ? 2 : 1)
  const name = (tagName.exec(html)?.[0] ?? '').toLowerCase()
  const nameEnd = tagName.lastIndex
  const attributes: Attribute[] = []
  let at = nameEnd
  while (html[at] !== greater) {
    if (at >= html.length) return undefined
    attribute.lastIndex = at
    const found = attribute.exec(html)
    at = attribute.lastIndex
    const [, own, sign, double, single, bare] = found ?? []
    if (own === undefined) continue
    const value = double ?? single ?? bare
    // A quotation mark that opens a value and never closes.
    if (sign !== undefined && value === undefined && (html[at] === '"' || html[at] === "'")) return undefined
    const length = own.length + (sign?.length ?? 0)
    attributes.push({ start: at - length, end: at, name: own.toLowerCase(), value: value ?? '' })
  }
  return { start, end: at + 1, nameEnd, name, closing, selfClosing: html[at - 1] === '/', attributes }
}

const endTag = /<\/([a-z-]+)[\t\n\f\r />]/gi

/** Where the text of an element that holds no markup ends, at its end tag; undefined where there is none. */
export function findTextEnd(html: string, name: string, from: number): number | undefined {
  endTag.lastIndex = from
  for (let found = endTag.exec(html); found; found = endTag.exec(html)) {
    if (found[1]?.toLowerCase() === name) return found.index
    // The next one may begin with the sign that ended this one's name.
    endTag.lastIndex -= 1
  }
  return undefined
}
