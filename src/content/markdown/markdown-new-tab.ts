// Links that open in a new tab: `[words](address){target=_blank}`. The page can't reach the tab from which it was opened.

import type MarkdownIt from 'markdown-it'

const mark = '{target=_blank}'

export function addNewTabs(parser: MarkdownIt): void {
  parser.inline.ruler.before('emphasis', 'postern_new_tab', (state, silent) => {
    if (silent || state.pending !== '' || !state.src.startsWith(mark, state.pos)) return false
    if (state.tokens.at(-1)?.type !== 'link_close') return false
    const link = state.tokens.findLast(({ type }) => type === 'link_open')
    link?.attrSet('target', '_blank')
    link?.attrSet('rel', 'noopener')
    state.pos += mark.length
    return link !== undefined
  })
}
