// XML of strangers as a stream of elements: real exports have control characters, raw ampersands, output of PHP before the first
// tag, and an end that is missing. Entities of a DOCTYPE are never expanded, and no element is larger than the limits (attack 161).

import { Parser } from 'htmlparser2'

export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** All text within, whether or not in CDATA. */
  text: string
  readonly children: XmlElement[]
}

/** Faults of a file that did not keep it from being read. */
export interface XmlFaults {
  /** False if the file ends before its root element does. */
  isComplete: boolean
  /** The number of control characters that were removed. */
  controlCharacters: number
  /** The number of texts that were cut, or of elements that were left out, because of the limits. */
  cut: number
}

export interface XmlReading {
  readonly elements: AsyncIterable<XmlElement>
  /** Complete once all elements were read. */
  readonly faults: XmlFaults
}

const maxTextLength = 8 * 1024 ** 2
const maxChildren = 50_000
const maxDepth = 20
/** The most characters in one piece of text, comment or tag. */
const maxPieceLength = 64 * 1024 ** 2
/** The characters before the root element that are passed over. */
const maxJunkLength = 64 * 1024

// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g

/** Feeds of Medium have a `<` too many before a text. It would begin a tag, with all of the text in it. */
const strayBracket = '<<![CDATA['

/** The place up to which a piece of a file has all of a stray bracket. The next piece may have the rest. */
function endOfWhole(piece: string): number {
  const tail = piece.slice(1 - strayBracket.length)
  for (let at = tail.indexOf('<'); at >= 0; at = tail.indexOf('<', at + 1))
    if (strayBracket.startsWith(tail.slice(at))) return piece.length - tail.length + at
  return piece.length
}

/**
 * Reads a file as the elements that are children of a container, such as `channel` of RSS or `feed` of Atom.
 * @param containers names of elements around them, such as `rss` and `channel`; those within are yielded whole, one by one
 */
export function readXml(bytes: AsyncIterable<Uint8Array>, containers: ReadonlySet<string>): XmlReading {
  const faults: XmlFaults = { isComplete: false, controlCharacters: 0, cut: 0 }
  return { elements: readElements(bytes, containers, faults), faults }
}

async function* readElements(
  bytes: AsyncIterable<Uint8Array>,
  containers: ReadonlySet<string>,
  faults: XmlFaults,
): AsyncGenerator<XmlElement> {
  const ready: XmlElement[] = []
  const open: XmlElement[] = []
  let depth = 0
  let sinceEvent = 0
  let held = ''
  /** At the end of the file, the parser closes what is still open. */
  let isEnding = false
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        sinceEvent = 0
        if (open.length === 0 && containers.has(name)) {
          depth++
          return
        }
        const element: XmlElement = { name, attributes, text: '', children: [] }
        const above = open.at(-1)
        if (above) {
          if (above.children.length < maxChildren && open.length < maxDepth) above.children.push(element)
          else faults.cut++
        }
        open.push(element)
      },
      ontext(text) {
        sinceEvent = 0
        const element = open.at(-1)
        if (!element) return
        // The pieces of the file are clean already; a character that is written as a number comes alone.
        const clean = text.length > 2 ? text : text.replace(controls, '')
        if (element.text.length + clean.length <= maxTextLength) element.text += clean
        else {
          if (element.text.length < maxTextLength) faults.cut++
          element.text = (element.text + clean).slice(0, maxTextLength)
        }
      },
      onclosetag(name) {
        sinceEvent = 0
        const closed = open.pop()
        if (closed) {
          if (open.length === 0 && depth > 0 && !isEnding) ready.push(closed)
        } else if (containers.has(name)) {
          depth--
          faults.isComplete ||= depth === 0 && !isEnding
        }
      },
    },
    { xmlMode: true },
  )
  for await (const text of fromRoot(bytes)) {
    sinceEvent += text.length
    if (sinceEvent > maxPieceLength) {
      faults.cut++
      return
    }
    const whole = held + text
    const end = endOfWhole(whole)
    held = whole.slice(end)
    const piece = whole.slice(0, end)
    parser.write(piece.replace(controls, () => (faults.controlCharacters++, '')).replaceAll(strayBracket, '&lt;<![CDATA['))
    yield* ready.splice(0)
  }
  isEnding = true
  parser.write(held)
  parser.end()
  yield* ready.splice(0)
}

/** Yields the text of a file from its first tag on. PHP prints warnings and empty lines before it. */
async function* fromRoot(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let head = ''
  let begun = false
  for await (const part of bytes) {
    decoder ??= new TextDecoder(charsetOf(part))
    const text = decoder.decode(part, { stream: true })
    if (begun) {
      yield text
      continue
    }
    head += text
    const at = head.search(/<(?:\?xml|rss|feed|rdf:RDF)[\s>]/)
    begun = at >= 0 || head.length > maxJunkLength
    if (begun) yield head.slice(Math.max(at, 0))
  }
  const rest = decoder?.decode() ?? ''
  yield begun ? rest : head + rest
}

/** The charset that the first bytes tell: by a byte order mark, or by the declaration of XML. */
function charsetOf(head: Uint8Array): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const declared = /^\s{0,100}<\?xml[^>]{0,100}encoding=["']([\w-]{1,40})["']/.exec(
    Buffer.from(head.subarray(0, 2048)).toString('latin1'),
  )
  try {
    return new TextDecoder(declared?.[1] ?? 'utf-8').encoding
  } catch {
    return 'utf-8'
  }
}

/** Returns the first child of a name. */
export const childOf = ({ children }: XmlElement, name: string): XmlElement | undefined =>
  children.find((child) => child.name === name)

/** Returns the text of the first child of a name, without white space around it; empty without one. */
export const childText = (element: XmlElement, name: string): string => childOf(element, name)?.text.trim() ?? ''

export const childrenOf = ({ children }: XmlElement, name: string): readonly XmlElement[] =>
  children.filter((child) => child.name === name)
