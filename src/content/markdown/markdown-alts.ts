// Descriptions of images. The parser omits escaped characters, entities and code from them. Here they are text like the rest.

import type MarkdownIt from 'markdown-it'
import type { Token } from 'markdown-it'

export function keepAlts(parser: MarkdownIt): void {
  parser.core.ruler.after('inline', 'postern_alts', ({ tokens }) => {
    for (const { children } of tokens)
      for (const { type, children: alt } of children ?? []) if (type === 'image') toText(alt ?? [])
  })
}

function toText(alt: readonly Token[]): void {
  for (const token of alt) {
    if (token.type === 'text_special' || token.type === 'code_inline' || token.type === 'formula') token.type = 'text'
    else if (token.type === 'image') toText(token.children ?? [])
  }
}
