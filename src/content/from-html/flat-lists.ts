// Lists that Word writes as paragraphs or as many small lists, with the level of each item beside it, as lists in one another.

import { styleOf } from './style.ts'
import {
  attributeOf,
  classesOf,
  type HtmlElement,
  elementsIn,
  isBlank,
  isElement,
  makeElement,
  makeText,
  type Node,
  setChildren,
  textIn,
} from './tree.ts'

interface FlatItem {
  readonly level: number
  readonly isNumbered: boolean
  readonly start: number
  readonly children: Node[]
}

/** Makes lists of all such items below an element. */
export function nestFlatLists(parent: HtmlElement): void {
  const children: Node[] = []
  let items: FlatItem[] = []
  const endList = (): void => {
    for (const list of nested(items)) children.push(list)
    items = []
  }
  for (const child of parent.children) {
    const found = isElement(child) ? itemsOf(child) : []
    if (isElement(child) && found.length === 0) nestFlatLists(child)
    if (found.length > 0) items.push(...found)
    else if (items.length === 0 || !isBlank(child)) {
      endList()
      children.push(child)
    }
  }
  endList()
  setChildren(parent, children)
}

function itemsOf(element: HtmlElement): readonly FlatItem[] {
  if (element.name === 'p' || element.name === 'div') {
    const item = wordItem(element)
    if (item) return [item]
  }
  const lists = element.name === 'div' && classesOf(element).includes('ListContainerWrapper') ? elementsIn(element) : [element]
  return lists.flatMap((list) => (list.name === 'ul' || list.name === 'ol' ? levelledItems(list) : []))
}

/** The items of a list of Word on the web, each of which names its level. */
function levelledItems(list: HtmlElement): readonly FlatItem[] {
  const items = elementsIn(list)
  const levels = items.map((item) => Number.parseInt(attributeOf(item, 'data-aria-level'), 10))
  if (items.length === 0 || levels.some((level) => !(level > 0))) return []
  const start = Number.parseInt(attributeOf(list, 'start'), 10) || 1
  return items.map(({ children }, index) => ({
    level: Math.min(levels[index] ?? 1, 9),
    isNumbered: list.name === 'ol',
    start: start + index,
    children,
  }))
}

const bullet = /^[\s\u00a0]*[·•▪◦o§Øü\u2013\uf0b7\uf0a7\uf0d8-][\s\u00a0]+/u
const listLevel = /\blevel(\d)\b/

/** A paragraph of Word that is an item: its style names the list, and its first part is the bullet or number. */
function wordItem(element: HtmlElement): FlatItem | undefined {
  const list = styleOf(element).get('mso-list') ?? ''
  const isItem = classesOf(element).some((name) => name.startsWith('MsoListParagraph'))
  if (list === '' && !isItem) return undefined
  const level = Number(listLevel.exec(list)?.[1] ?? 1)
  const mark = takeMark(element)
  if (mark === undefined && !(isItem && takeBullet(element))) return undefined
  const number = /^\(?(\d{1,6}|[a-z]{1,4})[.)]/i.exec(mark ?? '')
  return {
    level,
    isNumbered: number !== null,
    start: Number.parseInt(number?.[1] ?? '1', 10) || 1,
    children: element.children,
  }
}

/** Takes the bullet or number out of a paragraph. Word marks it with `mso-list: Ignore`. */
function takeMark(parent: HtmlElement): string | undefined {
  for (const child of elementsIn(parent)) {
    if (styleOf(child).get('mso-list') === 'ignore') {
      setChildren(
        parent,
        parent.children.filter((one) => one !== child),
      )
      return textIn(child).trim()
    }
    const found = takeMark(child)
    if (found !== undefined) return found
  }
  return undefined
}

/** Takes a bullet off the beginning of the text. @returns false if there is none */
function takeBullet(parent: HtmlElement): boolean {
  const place = parent.children.findIndex((child) => !isBlank(child))
  const child = parent.children[place]
  if (child === undefined) return false
  if (child.kind === 'element') return takeBullet(child)
  const rest = child.text.replace(bullet, '')
  if (rest === child.text) return false
  parent.children[place] = makeText(rest)
  return true
}

function nested(items: readonly FlatItem[]): readonly HtmlElement[] {
  const roots: HtmlElement[] = []
  const open: { readonly level: number; readonly list: HtmlElement }[] = []
  for (const { level, isNumbered, start, children } of items) {
    const name = isNumbered ? 'ol' : 'ul'
    while ((open.at(-1)?.level ?? 0) > level) open.pop()
    const same = open.at(-1)
    if (same?.level === level && same.list.name !== name) open.pop()
    const around = open.at(-1)
    let list = around?.level === level ? around.list : undefined
    if (list === undefined) {
      list = makeElement(name, isNumbered ? { start: String(start) } : {})
      const above = around?.list.children.at(-1)
      if (isElement(above)) above.children.push(list)
      else roots.push(list)
      open.push({ level, list })
    }
    list.children.push(makeElement('li', {}, children))
  }
  return roots
}
