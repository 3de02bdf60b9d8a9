// Attribute lists of Goldmark (`{.class #id}`) and kramdown (`{: .class #id}`). They are left out. An id stays as an anchor where a
// link of the text leads to it.

import { headingIdPrefix } from '../../../content/markdown/heading-id.ts'
import { idMarkdown } from '../../../content/from-html/pieces.ts'

const lists = { goldmark: /^[ \t]*[.#]/, kramdown: /^(?::|#[\w-]{1,100}$)/ } as const

const maxListChars = 300

/** The attribute list at the end of a line, and the line before it. */
function listAt(line: string, kind: keyof typeof lists): { readonly rest: string; readonly list: string } | undefined {
  const plain = line.trimEnd()
  const start = plain.endsWith('}') ? plain.lastIndexOf('{') : -1
  const list = start < 0 ? '' : plain.slice(start + 1, -1)
  if (start < 0 || list.length > maxListChars || !lists[kind].test(list)) return undefined
  return { rest: plain.slice(0, start).trimEnd(), list }
}

export function withoutAttributeLists(text: string, kind: keyof typeof lists): string {
  if (!text.includes('{')) return text
  const linked = new Set([...text.matchAll(/\]\(#([^\s()]{1,200})\)/g)].map(([, id]) => id))
  const lines = text.split('\n')
  return lines
    .flatMap((line, index) => {
      // The place of a table of contents, as kramdown writes it.
      if (kind === 'kramdown' && /^[*+-] +toc\s*$/i.test(line) && /^\{:\s*(?:toc|\.no_toc)/.test(lines[index + 1] ?? ''))
        return []
      const found = listAt(line, kind)
      if (!found) return [line]
      const { rest, list } = found
      if (rest === '') return []
      const id = /#([\w-]{1,100})/.exec(list)?.[1]
      const [, marks] = /^(#{1,6} +)/.exec(rest) ?? []
      if (marks === undefined || id === undefined || !linked.has(id)) return [rest]
      return [`${marks}<a id="${headingIdPrefix}${idMarkdown(id)}"></a>${rest.slice(marks.length)}`]
    })
    .join('\n')
    .replace(kind === 'kramdown' ? /(?<=[\])*_`!\ue0f1])\{:[^{}\n]{0,300}\}/g : /(?<=\))\{[ \t]{0,9}[.#][^{}\n]{0,300}\}/g, '')
}
