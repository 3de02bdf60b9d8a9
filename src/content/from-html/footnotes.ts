// Footnotes: a link to a place whose block has a link back. Word, Google Docs, LibreOffice and most web pages write them so.

import { attributeOf, type HtmlElement, isElement, setChildren, textIn } from './tree.ts'

export interface FoundNotes {
  /** The labels, by the links that refer to the notes. */
  readonly labels: ReadonlyMap<HtmlElement, string>
  /** The notes, which are taken out of the tree, in the order of their labels. */
  readonly notes: readonly { readonly label: string; readonly element: HtmlElement }[]
}

const isReference = /^[\s[(]*(?:\d{1,4}|[*†‡]{1,4}|[ivxlc]{1,6}|[a-z])[\s\])]*$/i
const blocks: readonly string[] = ['li', 'p', 'div', 'aside', 'dd']

/** Finds the footnotes of a text. @param takenLabels those that the text around it has already */
export function takeNotes(root: HtmlElement, takenLabels: readonly string[]): FoundNotes {
  const parents = new Map<HtmlElement, HtmlElement>()
  const ids = new Map<string, HtmlElement>()
  const links: HtmlElement[] = []
  collect(root, parents, ids, links)
  const labels = new Map<HtmlElement, string>()
  const notes = new Map<HtmlElement, string>()
  const backs = new Map<HtmlElement, readonly HtmlElement[]>()
  const used = new Set(takenLabels)
  let number = 0
  for (const link of links) {
    const target = ids.get(attributeOf(link, 'href').slice(1))
    const note = target && noteAround(target, parents)
    if (!note || !isReference.test(textIn(link)) || isIn(link, (one) => one === note || notes.has(one), parents)) continue
    // A long block with many links back is a paragraph with references, and no note.
    const back = backs.get(note) ?? linksIn(note)
    backs.set(note, back)
    const own = [link, parents.get(link), ...link.children.filter((one) => isElement(one))]
    if (back.length > 20 || !back.some((one) => own.includes(ids.get(attributeOf(one, 'href').slice(1))))) continue
    let label = notes.get(note)
    if (label === undefined) {
      do label = String(++number)
      while (used.has(label))
      notes.set(note, label)
    }
    labels.set(link, label)
  }
  const taken = [...notes.keys()].flatMap((note) => [note, ...(backs.get(note) ?? [])])
  remove(new Set(taken), parents)
  return { labels, notes: [...notes].map(([element, label]) => ({ label, element })) }
}

function collect(
  element: HtmlElement,
  parents: Map<HtmlElement, HtmlElement>,
  ids: Map<string, HtmlElement>,
  links: HtmlElement[],
): void {
  for (const name of ['id', 'name']) {
    const id = attributeOf(element, name)
    if (id !== '' && (name === 'id' || element.name === 'a') && !ids.has(id)) ids.set(id, element)
  }
  if (element.name === 'a' && attributeOf(element, 'href').startsWith('#')) links.push(element)
  for (const child of element.children)
    if (isElement(child)) {
      parents.set(child, element)
      collect(child, parents, ids, links)
    }
}

/** The block of a note: that of the target, or the division around it that has an id of its own, as in Word. */
function noteAround(target: HtmlElement, parents: ReadonlyMap<HtmlElement, HtmlElement>): HtmlElement | undefined {
  let block: HtmlElement | undefined = target
  while (block && !blocks.includes(block.name)) block = parents.get(block)
  const above = block && parents.get(block)
  const isOne = block?.name === 'p' && above?.name === 'div' && attributeOf(above, 'id') !== ''
  const isItem = block?.name === 'p' && above?.name === 'li'
  return isOne || isItem ? above : block
}

function isIn(
  element: HtmlElement,
  isIt: (one: HtmlElement) => boolean,
  parents: ReadonlyMap<HtmlElement, HtmlElement>,
): boolean {
  for (let one: HtmlElement | undefined = element; one; one = parents.get(one)) if (isIt(one)) return true
  return false
}

function linksIn(element: HtmlElement): readonly HtmlElement[] {
  const found: HtmlElement[] = []
  collect(element, new Map(), new Map(), found)
  return found
}

function remove(elements: ReadonlySet<HtmlElement>, parents: ReadonlyMap<HtmlElement, HtmlElement>): void {
  const around = new Set([...elements].flatMap((element) => parents.get(element) ?? []))
  for (const parent of around)
    setChildren(
      parent,
      parent.children.filter((one) => !isElement(one) || !elements.has(one)),
    )
}
