// A dialect of Markdown: two steps that make our Markdown of it.

import type { TextState } from '../text-state.ts'
import type { MaskedText } from './masked-text.ts'

export interface DialectContext {
  readonly state: TextState
  readonly masked: MaskedText
}

type Step = (text: string, context: DialectContext) => string

export interface Dialect {
  /** Reads what the old system reads before it knows of code, such as its templates. */
  readonly before?: Step
  /** Reads the text without its code. */
  readonly after?: Step
  /** True if a line of colons may open a section of ours. */
  readonly hasSections?: boolean
}

/** The address here of a page or file of the old site, which no later step reads again; as it is written without an answer. */
export function resolved(written: string, { state, masked }: DialectContext): string {
  const found = state.address(written)
  return found === undefined ? written : masked.keep(destinationOf(found))
}

/** An address in the parentheses of a link. */
const destinationOf = (address: string): string =>
  /[\s()<>]/.test(address) ? `<${address.replace(/[<>\n]/g, encodeURIComponent)}>` : address

/** The words of a link. */
export const linkWords = (words: string): string => words.replace(/[[\]]/g, '\\$&')

/** A title in quotation marks. */
export const quoted = (title: string): string => ` "${title.replace(/\s+/g, ' ').trim().replace(/["\\]/g, '\\$&')}"`

/** A picture with its caption. */
export const pictureMarkdown = (alt: string, address: string, caption: string): string =>
  `![${linkWords(alt)}](${address}${caption.trim() === '' ? '' : quoted(caption)})`

/** Code between fences. */
export function codeMarkdown(code: string, language: string): string {
  const longest = [...code.matchAll(/`{3,}/g)].reduce((most, { 0: run }) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${/^[\w+#.-]{1,40}$/.test(language) ? language : ''}\n${code.replace(/^\n/, '').trimEnd()}\n${fence}`
}
