// Parses tags, attributes, comments and raw texts of HTML as browsers do (HTML standard, 13.2.5 "Tokenization").

export interface Attribute {
  readonly start: number
  readonly end: number
  /** In lower case. */
  readonly name: string
  /** The value as written, without quotation marks; empty if there is none. */
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

/** Returns what a `<` begins: a tag, a comment or text. */
export function kindAt(html: string, open: number): 'tag' | 'comment' | 'text' {
  const next = html.charCodeAt(open + 1)
  if (isLetter(next)) return 'tag'
  if (next === slash) return isLetter(html.charCodeAt(open + 2)) ? 'tag' : 'comment'
  // Within SVG this begins a text, elsewhere a comment, so it is treated as plain text.
  if (html.startsWith('<![CDATA[', open)) return 'text'
  return next === exclamation || next === question ? 'comment' : 'text'
}

const [exclamation, double, single, slash, equals, greater, question] = [33, 34, 39, 47, 61, 62, 63]
const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 9 || code === 13 || code === 12

const endOfComment = /--!?>/g

/** The end of a comment; the end of the page for an unclosed one. */
export function commentEnd(html: string, open: number): number {
  const from = open + 4
  if (!html.startsWith('<!--', open)) return afterTag(html, open)
  if (html.startsWith('>', from) || html.startsWith('->', from)) return afterTag(html, from)
  endOfComment.lastIndex = from
  return endOfComment.test(html) ? endOfComment.lastIndex : html.length
}

function afterTag(html: string, from: number): number {
  const at = html.indexOf('>', from)
  return at < 0 ? html.length : at + 1
}

const noAttributes: readonly Attribute[] = []

/** The tag that begins at a `<`; undefined for an unclosed one, which browsers don't show. */
export function readTag(html: string, start: number): Tag | undefined {
  const closing = html.charCodeAt(start + 1) === slash
  const nameStart = start + (closing ? 2 : 1)
  const nameEnd = endOfName(html, nameStart, greater)
  const name = html.slice(nameStart, nameEnd).toLowerCase()
  let attributes = noAttributes as Attribute[]
  let at = nameEnd
  for (;;) {
    let code = html.charCodeAt(at)
    while (isSpace(code) || code === slash) code = html.charCodeAt(++at)
    if (code === greater) break
    if (at >= html.length) return undefined
    const attribute = readAttribute(html, at)
    if (!attribute) return undefined
    if (attributes === noAttributes) attributes = []
    attributes.push(attribute)
    at = attribute.end
  }
  return { start, end: at + 1, nameEnd, name, closing, selfClosing: html.charCodeAt(at - 1) === slash, attributes }
}

/** @param sign another character that ends the name */
function endOfName(html: string, start: number, sign: number): number {
  let at = start
  for (; at < html.length; at++) {
    const code = html.charCodeAt(at)
    if (code === greater || code === slash || code === sign || isSpace(code)) break
  }
  return at
}

const afterSpace = (html: string, from: number): number => {
  let at = from
  while (isSpace(html.charCodeAt(at))) at++
  return at
}

/** Undefined for an attribute with an unclosed value. A sign at the start belongs to the name. */
function readAttribute(html: string, start: number): Attribute | undefined {
  const nameEnd = endOfName(html, start + 1, equals)
  const name = html.slice(start, nameEnd).toLowerCase()
  const sign = afterSpace(html, nameEnd)
  if (html.charCodeAt(sign) !== equals) return { start, end: nameEnd, name, value: '' }
  const from = afterSpace(html, sign + 1)
  const quote = html.charCodeAt(from)
  if (quote === double || quote === single) {
    const close = html.indexOf(quote === double ? '"' : "'", from + 1)
    return close < 0 ? undefined : { start, end: close + 1, name, value: html.slice(from + 1, close) }
  }
  let end = from
  while (end < html.length && html.charCodeAt(end) !== greater && !isSpace(html.charCodeAt(end))) end++
  return { start, end, name, value: html.slice(from, end) }
}

const endTag = /<\/([a-z-]+)[\t\n\f\r />]/gi

/** Finds the end tag of an element that contains no markup; undefined if there is none. */
export function findTextEnd(html: string, name: string, from: number): number | undefined {
  endTag.lastIndex = from
  for (let found = endTag.exec(html); found; found = endTag.exec(html)) {
    if (found[1]?.toLowerCase() === name) return found.index
    // The next end tag may begin with the character that ended this one's name.
    endTag.lastIndex -= 1
  }
  return undefined
}
