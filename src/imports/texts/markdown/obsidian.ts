// Obsidian: comments, callouts, marks, ids of blocks, and lines that end where they end in the source. Links are in
// `wiki-links.ts`.

import type { Dialect } from './dialect.ts'
import { breakParagraphLines } from './line-breaks.ts'
import { replaceWikiLinks } from './wiki-links.ts'

/** Our kinds of callouts for those of Obsidian. */
const kinds: Readonly<Record<string, string>> = {
  ...of('NOTE', 'note abstract summary tldr info todo question help faq example quote cite'),
  ...of('TIP', 'tip hint success check done'),
  ...of('IMPORTANT', 'important'),
  ...of('WARNING', 'warning attention'),
  ...of('CAUTION', 'caution failure fail missing danger error bug'),
}

function of(kind: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]))
}

export const obsidian: Dialect = {
  after(text, context) {
    const said = withoutComments(text)
      .replace(
        /^((?:[ \t]|>){1,40})\[!([\w-]{1,30})(?:\|[^[\]\n]{0,100})?\][+-]?[ \t]*(.*)$/gm,
        (_all, prefix: string, kind: string, title: string) => callout(prefix, kind, title.trim()),
      )
      .replace(/!\[([^[\]\n]{0,500}?)\|?(\d{1,5}(?:x\d{1,5})?)\](?=\()/g, (_all, alt: string) => `![${alt}]`)
    const linked = replaceWikiLinks(said, context)
    const marked = linked
      .replace(/(?<![=\w])==(?![=\s])([^=\n]{1,1000})(?<!\s)==(?!=)/g, '<mark>$1</mark>')
      .replace(/(?:^|[ \t])\^[A-Za-z0-9-]{1,60}[ \t]*$/gm, '')
    return breakParagraphLines(marked)
  },
}

/** Comments are for their writer alone. One that begins a line and does not end hides all that follows. */
function withoutComments(text: string): string {
  const parts = text.split('%%')
  const last = parts.at(-1) ?? ''
  const isOpen = parts.length % 2 === 0
  const isHidden = isOpen && /(?:^|\n)[ \t]*$/.test(parts.at(-2) ?? '')
  const shown = parts.slice(0, isOpen ? -1 : undefined).filter((_part, index) => index % 2 === 0)
  return shown.join('') + (isOpen && !isHidden ? `%%${last}` : '')
}

/** The first line of a callout. A kind that is not ours says itself in its title, as Obsidian shows it. */
function callout(prefix: string, name: string, title: string): string {
  const plain = name.toLowerCase()
  const kind = Object.hasOwn(kinds, plain) ? (kinds[plain] ?? 'NOTE') : 'NOTE'
  const usual = kind.toLowerCase() === plain ? '' : plain.charAt(0).toUpperCase() + plain.slice(1)
  const words = title || usual
  return `${prefix}[!${kind}]${words === '' ? '' : ` ${words}`}`
}
