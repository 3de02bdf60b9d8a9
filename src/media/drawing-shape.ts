// The shape of a drawing: its nesting, and the elements that a browser draws repeatedly for references. A small file can take
// minutes to clean, or hang the browser of everyone who sees it. This check takes linear time.

import { decodeCharacters } from '../base/decode-characters.ts'
import { checkExpansion, type Element, tooMuch } from './drawing-expansion.ts'

const shapeLimits = { open: 200, elements: 20_000, attributes: 100, expansion: 10_000 } as const

/** The most tags, comments and instructions of a drawing together, and the most references. */
const maxPieces = 3 * shapeLimits.elements

/**
 * @param styled true to count its styles, because nothing removes them
 * @throws Failure `unprocessable` for a drawing that costs too much, naming the exceeded limit
 */
export function checkShape(source: string, styled: boolean): void {
  const { elements, ids, references } = readElements(source, styled)
  if (references > 0) checkExpansion(elements, ids, shapeLimits)
}

/** The beginnings and ends of markup other than elements. */
const others: readonly (readonly [begin: string, end: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
]

function readElements(source: string, styled: boolean) {
  const elements: Element[] = []
  const ids = new Map<string, number>()
  const open: number[] = []
  let references = 0
  let pieces = 0
  for (let at = source.indexOf('<'); at >= 0; at = source.indexOf('<', at)) {
    if (++pieces > maxPieces) throw tooMuch(`This SVG has more than ${maxPieces} tags and comments.`)
    const next = source.charCodeAt(at + 1)
    if (next === exclamation || next === question) {
      const [begin = '', end = ''] = others.find(([one]) => source.startsWith(one, at)) ?? []
      const ends = source.indexOf(end, at + begin.length)
      if (ends < 0) break
      at = ends + end.length
      continue
    }
    const isEnd = next === slash
    const start = at + (isEnd ? 2 : 1)
    const name = source.slice(start, nameEnd(source, start))
    at = start + name.length
    if (name === '') continue
    if (isEnd) {
      // An end tag of any other element ends nothing.
      if (elements[open.at(-1) ?? -1]?.name === name) open.pop()
      continue
    }
    const element: Element = { name, children: [], uses: [], paints: [], markers: [], corners: 0 }
    const tag = readAttributes(source, at, element, styled)
    at = tag.end
    if (styled && name.endsWith('style') && !tag.closed) {
      // A style sheet may give its references to any element.
      const css = source.slice(at, textEnd(source, at))
      references += noteStyle(elements[0] ?? element, css)
    }
    const index = elements.push(element) - 1
    elements[open.at(-1) ?? -1]?.children.push(index)
    if (tag.id !== undefined && !ids.has(tag.id)) ids.set(tag.id, index)
    if (!tag.closed) open.push(index)
    references += element.uses.length + element.paints.length + element.markers.length
    if (references > maxPieces) throw tooMuch(`This SVG has more than ${maxPieces} references.`)
    if (open.length > shapeLimits.open) throw tooMuch(`This SVG has more than ${shapeLimits.open} elements within each other.`)
    if (elements.length > shapeLimits.elements) throw tooMuch(`This SVG has more than ${shapeLimits.elements} elements.`)
  }
  return { elements, ids, references }
}

const [tab, lineFeed, carriageReturn, space] = [9, 10, 13, 32]
const [exclamation, double, single, slash, less, equals, greater, question] = [33, 34, 39, 47, 60, 61, 62, 63]

const isSpace = (code: number): boolean => code === space || code === lineFeed || code === tab || code === carriageReturn

function afterSpace(source: string, from: number): number {
  let at = from
  while (isSpace(source.charCodeAt(at))) at++
  return at
}

/** The end of the name that begins at a place; the place itself if there is no name. */
function nameEnd(source: string, from: number): number {
  let at = from
  for (; at < source.length; at++) {
    const code = source.charCodeAt(at)
    if (isSpace(code) || code === slash || code === greater || code === equals || code === less) break
  }
  return at
}

/** Reads the attributes of an element up to the end of its tag. @returns its id, and the end of its tag */
function readAttributes(source: string, from: number, element: Element, styled: boolean) {
  let id: string | undefined
  let count = 0
  let at = from
  for (;;) {
    at = afterSpace(source, at)
    const code = source.charCodeAt(at)
    if (code === greater || code === less || at >= source.length) break
    if (code === slash || code === equals) {
      at++
      continue
    }
    if (++count > shapeLimits.attributes)
      throw tooMuch(`An element of this SVG has more than ${shapeLimits.attributes} attributes.`)
    const name = source.slice(at, nameEnd(source, at))
    const value = readValue(source, at + name.length)
    at = value.end
    if (name === 'id') id = decodeCharacters(value.text)
    // A corner takes a letter and a digit at least.
    else if (name === 'd' || name === 'points') element.corners = Math.ceil(value.text.length / 2)
    else if (name !== 'style') noteReferences(element, name, value.text)
    else if (styled) noteStyle(element, decodeCharacters(value.text))
  }
  const closed = source.charCodeAt(at - 1) === slash
  return { id, end: source.charCodeAt(at) === greater ? at + 1 : at, closed }
}

/** The value of an attribute whose name ends at a place; empty if it has none. */
function readValue(source: string, nameEnds: number): { readonly text: string; readonly end: number } {
  const sign = afterSpace(source, nameEnds)
  if (source.charCodeAt(sign) !== equals) return { text: '', end: sign }
  const start = afterSpace(source, sign + 1)
  const quote = source.charCodeAt(start)
  if (quote !== double && quote !== single) {
    const end = nameEnd(source, start)
    return { text: source.slice(start, end), end }
  }
  const close = source.indexOf(quote === double ? '"' : "'", start + 1)
  const end = close < 0 ? source.length : close
  return { text: source.slice(start + 1, end), end: Math.min(end + 1, source.length) }
}

const reference = /url\([\t\n\f\r ]*["']?#([^"')\s]+)/gi

function noteReferences(element: Element, attribute: string, written: string): void {
  const value = decodeCharacters(written)
  if (/^(?:.*:)?href$/.test(attribute)) {
    const address = value.trim()
    if (address.startsWith('#')) element.uses.push(address.slice(1))
    return
  }
  if (!/url\(/i.test(value)) return
  const list = /^marker(?:-mid)?$/.test(attribute)
    ? element.markers
    : /^(?:fill|stroke|marker-.*)$/.test(attribute)
      ? element.paints
      : element.uses
  addReferences(list, value)
}

/** Records the references of a style for everything within an element. @returns their number */
function noteStyle(element: Element, css: string): number {
  if (css.includes('\\')) throw tooMuch('The styles of this SVG have escapes ("\\").')
  const list = /marker/i.test(css) ? element.markers : element.paints
  const before = list.length
  addReferences(list, css)
  return list.length - before
}

function addReferences(list: string[], value: string): void {
  for (const [, id = ''] of value.matchAll(reference)) {
    if (list.push(id) > maxPieces) return
  }
}

/** The end of the text of an element, at the next end tag. */
function textEnd(source: string, from: number): number {
  const end = source.indexOf('</', from)
  return end < 0 ? source.length : end
}
