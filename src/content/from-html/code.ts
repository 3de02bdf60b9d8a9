// Program text: blocks with their language, and code within a line.

import { attributeOf, classesOf, descendants, type HtmlElement, elementsIn, isElement, makeElement, type Node } from './tree.ts'

const breaksLine: ReadonlySet<string> = new Set(['div', 'p', 'li', 'tr'])

/** The text of a code block, line by line. */
export function programText(element: HtmlElement): string {
  const parts: string[] = []
  const endLine = (): void => {
    if (parts.length > 0 && parts.at(-1)?.endsWith('\n') === false) parts.push('\n')
  }
  const add = (node: Node): void => {
    if (node.kind === 'text') {
      if (node.text !== '') parts.push(node.text)
    } else if (node.name === 'br') parts.push('\n')
    else {
      const isLine = breaksLine.has(node.name)
      if (isLine) endLine()
      node.children.forEach(add)
      if (isLine) endLine()
    }
  }
  element.children.forEach(add)
  return parts.join('').replace(/\r\n?/g, '\n').replaceAll('\u00a0', ' ').replace(/^\n/, '')
}

/** A code block. Its fence is longer than any in its text. */
export function codeBlock(element: HtmlElement): string {
  const text = programText(element)
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}${languageOf(element)}\n${text.endsWith('\n') || text === '' ? text : `${text}\n`}${fence}`
}

/** Code within a line. */
export function codeSpan(text: string): string {
  const plain = text.replace(/[\s\u00a0]+/g, ' ')
  const fence = '`'.repeat(plain.includes('`') ? longestRun(plain) + 1 : 1)
  const isPadded = plain.startsWith(' ') && plain.endsWith(' ') && plain.trim() !== ''
  const pad = isPadded || /^`|`$/.test(plain) ? ' ' : ''
  return fence + pad + plain + pad + fence
}

const longestRun = (text: string): number =>
  [...text.matchAll(/`+/g)].reduce((longest, { 0: run }) => Math.max(longest, run.length), 0)

const languageClass = /^(?:language|lang|highlight-source|brush:|highlight-text)-?([\w+#.-]{1,40})$/i

/** The language of a code block, which pages name in one of several ways; `''` if they don't. */
function languageOf(element: HtmlElement): string {
  const inside = [...descendants(element)].find((one) => one.name === 'code')
  for (const one of inside ? [inside, element] : [element]) {
    const named = ['lang', 'data-lang', 'data-language', 'data-enlighter-language']
      .map((name) => attributeOf(one, name))
      .find((name) => /^[\w+#.-]{1,40}$/.test(name))
    const ofClass = classesOf(one)
      .map((name) => languageClass.exec(name)?.[1])
      .find((name) => name !== undefined)
    const language = ofClass ?? (one.name === 'code' || one.name === 'pre' ? named : undefined)
    if (language !== undefined) return language.toLowerCase()
  }
  return ''
}

/** The code block in an element that only adds its language, as highlighters write it. */
export function codeInside(element: HtmlElement): HtmlElement | undefined {
  const [pre, ...others] = elementsIn(element)
  const isNamed = element.name === 'div' && classesOf(element).some((name) => languageClass.test(name))
  if (!isNamed || pre?.name !== 'pre' || others.length > 0) return undefined
  return makeElement('pre', { class: attributeOf(element, 'class') }, pre.children)
}

/** True for an element of code. */
export const isCode = (node: Node): boolean => isElement(node, 'code', 'samp', 'tt')
