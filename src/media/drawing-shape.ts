// The shape of a drawing: how deep it is nested, and how much of it a browser draws anew for each reference. A small file can cost minutes to
// clean, and hang the browser of everyone who sees it. The look costs about the same for each byte, whatever the bytes are.

import { Failure } from '../failure.ts'
import { checkExpansion, type Element } from './drawing-expansion.ts'

export const shapeLimits = { open: 200, elements: 20_000, attributes: 100, expansion: 10_000 } as const

/** Of tags, comments and instructions, and of references: each element has a few. */
const maxPieces = 3 * shapeLimits.elements

/** @throws Failure `unprocessable` for a drawing that costs too much, with the limit that it breaks */
export function checkShape(source: string): void {
  const { elements, ids, references } = readElements(source)
  if (references > 0) checkExpansion(elements, ids, shapeLimits)
}

const tooMuch = (sentence: string): Failure => new Failure('unprocessable', `${sentence} Simplify it, and send it again.`)

/** Parts that aren't elements, by their beginning and their end. */
const others: readonly (readonly [begin: string, end: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
]

function readElements(source: string) {
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
    const tag = readAttributes(source, at, element)
    at = tag.end
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

/** The end of the name that begins at a place, which is the place itself where there is none. */
function nameEnd(source: string, from: number): number {
  let at = from
  for (; at < source.length; at++) {
    const code = source.charCodeAt(at)
    if (isSpace(code) || code === slash || code === greater || code === equals || code === less) break
  }
  return at
}

/** Reads the attributes of an element up to the end of its tag. @returns its id, and where it ends */
function readAttributes(source: string, from: number, element: Element) {
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
    if (name === 'id') id = value.text
    // A corner takes a letter and a digit at least.
    else if (name === 'd' || name === 'points') element.corners = Math.ceil(value.text.length / 2)
    else noteReferences(element, name, value.text)
  }
  const closed = source.charCodeAt(at - 1) === slash
  return { id, end: source.charCodeAt(at) === greater ? at + 1 : at, closed }
}

/** The value of an attribute whose name ends at a place; empty where it has none. */
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

const reference = /url\(\s*["']?#([\w.:-]+)/g

function noteReferences(element: Element, attribute: string, value: string): void {
  if (attribute === 'href' || attribute === 'xlink:href') {
    if (value.startsWith('#')) element.uses.push(value.slice(1))
    return
  }
  if (!value.includes('url(')) return
  const list = /^marker(?:-mid)?$/.test(attribute)
    ? element.markers
    : /^(?:fill|stroke|marker-.*)$/.test(attribute)
      ? element.paints
      : element.uses
  for (const [, id = ''] of value.matchAll(reference)) {
    if (list.push(id) > maxPieces) return
  }
}
