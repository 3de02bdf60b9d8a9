// Finds the shortcodes of a WordPress text, such as `[gallery ids="1,2"]`, in one pass. Those within tags, comments and code are
// text.

/** The beginning or end of a shortcode, or one that its writer wanted to show, as in `[[gallery]]`. */
export interface ShortcodeTag {
  readonly name: string
  readonly isEnd: boolean
  readonly isLiteral: boolean
  /** The text between the name and the closing bracket. */
  readonly inner: string
  readonly from: number
  readonly to: number
  /** The text up to the end of a shortcode that holds code. */
  readonly code?: string
}

const maxTagChars = 5000

/** Elements whose text is code. */
const ofCode = /^(?:pre|code|script|style|textarea|svg)$/

export const codeNames: ReadonlySet<string> = new Set(
  [
    'code sourcecode source php css html xml js javascript jscript python ruby perl bash shell java sql cpp csharp text plain',
  ].flatMap((names) => names.split(' ')),
)

export function findShortcodes(source: string): readonly ShortcodeTag[] {
  if (!source.includes('[')) return []
  const found: ShortcodeTag[] = []
  const lower = source.toLowerCase()
  const ends = new EndFinder(lower)
  const start = /[<[]/g
  for (let at = next(start, source, 0); at >= 0;) {
    let after = at + 1
    if (source.charAt(at) === '<') after = endOfMarkup(source, lower, at, ends)
    else {
      const tag = tagAt(source, at, ends)
      if (tag) {
        found.push(tag)
        after = tag.to
      }
    }
    at = next(start, source, after)
  }
  return found
}

function next(pattern: RegExp, source: string, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(source)?.index ?? -1
}

/** Finds the end of something, and remembers that there is none behind a place. */
class EndFinder {
  readonly #text: string
  readonly #missing = new Set<string>()

  constructor(text: string) {
    this.#text = text
  }

  find(words: string, from: number): number {
    if (this.#missing.has(words)) return -1
    const place = this.#text.indexOf(words, from)
    if (place < 0) this.#missing.add(words)
    return place
  }
}

/** The place behind a tag, a comment or an element of code. */
function endOfMarkup(source: string, lower: string, at: number, ends: EndFinder): number {
  if (source.startsWith('<!--', at)) {
    const end = ends.find('-->', at)
    return end < 0 ? source.length : end + 3
  }
  const name = /^<\/?([a-z][a-z0-9]{0,20})/.exec(lower.slice(at, at + 24))?.[1]
  if (name === undefined) return at + 1
  const end = endOfTag(source, at)
  if (source.charAt(at + 1) === '/' || !ofCode.test(name)) return end
  const close = ends.find(`</${name}`, end)
  return close < 0 ? end : close
}

function endOfTag(source: string, at: number): number {
  const sign = /["'>]/g
  let place = next(sign, source, at)
  while (place >= 0 && source.charAt(place) !== '>') {
    const isValue = /[=\s]/.test(source.charAt(place - 1))
    const close = isValue ? source.indexOf(source.charAt(place), place + 1) : place
    if (close < 0) return source.length
    place = next(sign, source, close + 1)
  }
  return place < 0 ? source.length : place + 1
}

function tagAt(source: string, at: number, ends: EndFinder): ShortcodeTag | undefined {
  const [whole, double = '', slash, name] =
    /^\[(\[?)(\/?)([a-zA-Z][\w-]{0,59})(?=[\s\]/=:])/.exec(source.slice(at, at + 64)) ?? []
  if (whole === undefined || name === undefined) return undefined
  const inside = at + whole.length
  const end = endOfInner(source, inside)
  if (end < 0) return undefined
  const isLiteral = double !== '' && source.charAt(end + 1) === ']'
  if (double !== '' && !isLiteral) return undefined
  const tag = { name, isEnd: slash === '/', isLiteral, inner: source.slice(inside, end), from: at, to: end + (isLiteral ? 2 : 1) }
  if (isLiteral || tag.isEnd || !codeNames.has(name.toLowerCase())) return tag
  const close = `[/${name.toLowerCase()}]`
  const place = ends.find(close, tag.to)
  return place < 0 ? tag : { ...tag, code: source.slice(tag.to, place), to: place + close.length }
}

/** The place of the bracket that ends a shortcode, outside of quotation marks; -1 if there is none near. */
function endOfInner(source: string, from: number): number {
  const near = source.slice(from, from + maxTagChars)
  for (let place = 0; place < near.length; place++) {
    const character = near.charAt(place)
    if (character === ']') return from + place
    if (character === '[') return -1
    if (character === '\n' && near.charAt(place + 1) === '\n') return -1
    if ((character === '"' || character === "'") && near.charAt(place - 1) === '=') {
      const close = near.indexOf(character, place + 1)
      if (close < 0) return -1
      place = close
    }
  }
  return -1
}

/** The values of a shortcode by their names in lower case; those without a name by their numbers. */
export function shortcodeValues(inner: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  const plain = inner.replace(/[“”″]|&quot;|&#0?34;|&#822[01];/g, '"').replaceAll('\u00a0', ' ')
  let number = 0
  for (const [, name, double, single, bare, lone = ''] of plain.matchAll(
    /([\w-]{1,60})\s{0,5}=\s{0,5}(?:"([^"]*)"|'([^']*)'|([^\s"']+))|(?<=\s|^)("[^"]*"|[^\s"']+)/g,
  )) {
    if (name !== undefined) values.set(name.toLowerCase(), (double ?? single ?? bare ?? '').trim())
    else if (lone !== '/') values.set(String(number++), lone.replace(/^"|"$/g, ''))
  }
  return values
}
