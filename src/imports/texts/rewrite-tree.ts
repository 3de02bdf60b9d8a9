// References in a tree: addresses of links and files get their paths here, and pictures their descriptions.

import {
  attributeOf,
  classesOf,
  descendants,
  elementsIn,
  type HtmlElement,
  isElement,
  madeElements,
  makeElement,
  setChildren,
  textIn,
} from '../../content/from-html/tree.ts'
import { findEmbed } from '../../content/markdown/embeds.ts'
import type { TextFile } from '../text.ts'
import { imageOf } from './pictures.ts'
import type { TextState } from './text-state.ts'

/** Replaces the addresses below an element. Those without an answer stay. */
export function rewriteTree(root: HtmlElement, state: TextState): void {
  for (const element of descendants(root)) {
    const rule = Object.hasOwn(rules, element.name) ? rules[element.name] : undefined
    rule?.(element, state)
  }
  embedAddresses(root)
}

/** True for an address that may lead to a page or file of the old site: no fragment, mail or script. */
export const isOfPage = (address: string): boolean =>
  address !== '' && !address.startsWith('#') && (/^https?:/i.test(address) || !/^[a-z][a-z0-9+.-]{0,30}:/i.test(address))

type Rule = (element: HtmlElement, state: TextState) => void

const address =
  (name: string): Rule =>
  (element, state) => {
    const written = attributeOf(element, name).trim()
    if (!isOfPage(written)) return
    const found = state.address(written)
    if (found !== undefined) put(element, name, found)
  }

const source = address('src')

const rules: Readonly<Record<string, Rule>> = {
  a: address('href'),
  img: image,
  audio: source,
  video: source,
  source,
  iframe: source,
  [madeElements.section]: section,
}

/** The names under which pages keep the address of a picture: those that load late, the picture itself, its full size. */
const sources = ['data-lazy-src', 'data-src', 'data-original', 'src', 'data-orig-file', 'data-large-file']

function image(element: HtmlElement, state: TextState): void {
  const written = sources.map((name) => attributeOf(element, name).trim()).filter(isOfPage)
  const { path, alt } = fileOf(element, written, state)
  for (const name of sources) put(element, name, '')
  put(element, 'src', path ?? written[0] ?? '')
  if (alt && attributeOf(element, 'alt').trim() === '') put(element, 'alt', alt)
}

function section(element: HtmlElement, state: TextState): void {
  address('href')(element, state)
  const written = attributeOf(element, 'image').trim()
  const { path, alt } = fileOf(element, written === '' ? [] : [written], state)
  if (path !== undefined) put(element, 'image', path)
  if (alt && attributeOf(element, 'alt') === '') put(element, 'alt', alt)
}

/** The file at one of the addresses; else that with the id that the element names. */
function fileOf(element: HtmlElement, written: readonly string[], state: TextState): Partial<TextFile> {
  const id = imageOf(element)
  const file = id === undefined ? undefined : state.file(id)
  const path = written.map((one) => state.address(one)).find((one) => one !== undefined) ?? file?.path
  return { path, ...(file?.path === path && { alt: file?.alt }) } as Partial<TextFile>
}

function put({ attributes }: HtmlElement, name: string, value: string): void {
  ;(attributes as Record<string, string>)[name] = value
}

/** Makes a frame of the address of a video or map that stands alone in its paragraph. */
function embedAddresses(parent: HtmlElement): void {
  let isChanged = false
  const children = parent.children.map((child) => {
    const words = isElement(child, 'p', 'div') && elementsIn(child).length === 0 ? textIn(child).trim() : ''
    if (!/^https?:\/\/\S{4,500}$/.test(words) || !findEmbed(words)) return child
    isChanged = true
    return makeElement('iframe', { src: words })
  })
  if (isChanged) setChildren(parent, children)
  for (const child of parent.children) if (isElement(child) && !classesOf(child).includes('kg-bookmark')) embedAddresses(child)
}
