// HTML within Markdown: scripts and styles are left out, frames become addresses or links. The rest stays, and is cleaned when the
// page is made.

import { fromTree } from '../../../content/from-html/from-html.ts'
import { makeElement } from '../../../content/from-html/tree.ts'
import { readTree } from '../read-tree.ts'
import type { TextState } from '../text-state.ts'
import { replacePairs } from './template-tags.ts'

const ends = { script: /<\/script\s{0,9}>/gi, style: /<\/style\s{0,9}>/gi, iframe: /<\/iframe\s{0,9}>/gi }

export function withoutActiveHtml(text: string, state: TextState): string {
  if (!text.includes('<')) return text
  const quiet = replacePairs(text, /<(script|style|iframe)(?=[\s>])[^<>]{0,4000}>/gi, ends, (open, content) => {
    const name = (open[1] ?? '').toLowerCase()
    if (name !== 'iframe') {
      state.lose('html', `<${name}>`, 'Scripts and styles are left out.')
      return ''
    }
    const frame = readTree(`${open[0]}${content}</iframe>`, state)
    return `\n\n${fromTree(makeElement('body', {}, [...frame]), { pictures: 'all' }).markdown}\n\n`
  })
  for (const [, name = ''] of quiet.matchAll(
    /<(form|object|embed|applet|canvas|svg|math|noscript|template|select|textarea)(?=[\s>])/gi,
  ))
    state.lose('html', `<${name.toLowerCase()}>`, 'A page leaves it out.')
  return quiet
}
