// Marks active elements and attributes in a template of a writer without limits. It inserts an output before each one that the
// template spells out. An element or attribute that is put together from parts gets no mark.

import { type TopLevelToken, Tokenizer } from 'liquidjs'
import { activeElements, isActiveAttribute } from './active-markup.ts'
import { type Attribute, commentEnd, findTextEnd, kindAt, readTag, type Tag } from './read-markup.ts'

/**
 * Placeholders for an output, and for the content of another file or block. Neither is a letter, a space or a delimiter of HTML.
 */
const [printed, brought] = ['\uffff', '\ufffe']

/**
 * @param variable the name of the variable that prints the mark
 * @param alone true if writers without limits wrote every file of the theme; otherwise the text of a script may not come from other
 * files
 */
export function markTemplate(text: string, variable: string, alone: boolean): string {
  const html = withoutLiquid(text)
  if (html === undefined) return text
  const places: number[] = []
  const endless = new Set<string>()
  for (let open = html.indexOf('<'); open >= 0; open = html.indexOf('<', open)) {
    const kind = kindAt(html, open)
    if (kind === 'comment') open = commentEnd(html, open)
    else if (kind === 'text') open += 1
    else {
      const tag = readTag(html, open)
      if (!tag) break
      open = markTag(html, tag, { alone, places, endless })
    }
  }
  let marked = ''
  let done = 0
  for (const at of places) {
    marked += `${text.slice(done, at)}{{${variable}}}`
    done = at
  }
  return marked + text.slice(done)
}

interface Marking {
  readonly alone: boolean
  readonly places: number[]
  /** The text elements without a later end tag, so that the end tag isn't searched for again. */
  readonly endless: Set<string>
}

/** Records the places of marks in a tag. @returns the place at which reading continues */
function markTag(html: string, tag: Tag, { alone, places, endless }: Marking): number {
  if (tag.closing) return tag.end
  const isSpelledOut = ({ name, value }: Attribute): boolean =>
    !/[\ufffe\uffff]/.test(name) && (alone || !value.includes(brought))
  const kind = activeElements.get(tag.name)
  const textEnd = kind === 'text' && !endless.has(tag.name) ? findTextEnd(html, tag.name, tag.end) : undefined
  if (kind === 'text' && textEnd === undefined) endless.add(tag.name)
  const isElement = kind === 'tags' || (textEnd !== undefined && (alone || !html.slice(tag.end, textEnd).includes(brought)))
  if (isElement) places.push(tag.start)
  for (const attribute of tag.attributes)
    if (isSpelledOut(attribute) && (isElement || isActiveAttribute(attribute, tag, () => false))) places.push(attribute.start)
  return textEnd ?? tag.end
}

/** The template with placeholders for Liquid, each as long as the original; undefined if the template can't be parsed. */
function withoutLiquid(text: string): string | undefined {
  const skipped: string[] = []
  try {
    const tokens = new Tokenizer(text).readTopLevelTokens()
    return tokens.map((token) => placeholderFor(token, skipped)).join('')
  } catch {
    return undefined // `parseProblem` reports the error
  }
}

const skipping: ReadonlySet<string> = new Set(['raw', 'comment'])
const bringing: ReadonlySet<string> = new Set(['include', 'render', 'layout', 'block'])
const printing: ReadonlySet<string> = new Set(['echo', 'cycle', 'increment', 'decrement', 'liquid', 'tablerow'])

/** @param skipped the open tag whose content is ignored, if any */
function placeholderFor(token: TopLevelToken, skipped: string[]): string {
  const text = token.getText()
  const name = 'name' in token ? token.name : undefined
  if (skipped.length > 0) {
    if (name === `end${skipped[0]}`) skipped.pop()
    return printed.repeat(text.length)
  }
  if (name !== undefined && skipping.has(name)) skipped.push(name)
  if (name === undefined) {
    if (!text.startsWith('{{')) return text
    return (/\bsuper\b/.test(text) ? brought : printed).repeat(text.length)
  }
  return (bringing.has(name) ? brought : printing.has(name) ? printed : ' ').repeat(text.length)
}
