// Task lists: items that begin with `[ ]` or `[x]`. The boxes are images with a name. @mdit/plugin-tasklist and
// markdown-it-task-lists make form controls, which would do nothing here.

import type MarkdownIt from 'markdown-it'
import type { StateCore } from 'markdown-it'
import type { RenderState } from './markdown-state.ts'

const box = /^\[([ xX])\][ \t]+(?=\S)/

export function addTasks(parser: MarkdownIt): void {
  parser.core.ruler.after('block', 'postern_tasks', findTasks)
  parser.core.ruler.after('inline', 'postern_boxes', addBoxes)
  parser.renderer.rules['task'] = (tokens, index, _options, { words }: RenderState) => {
    const done = tokens[index]?.meta === true
    return done
      ? `<span class="task done" role="img" aria-label="${words.done}">☑</span> `
      : `<span class="task" role="img" aria-label="${words.toDo}">☐</span> `
  }
}

interface Task {
  readonly done: boolean
}

/** Removes the boxes from the source of the items, before the source is parsed. */
function findTasks({ tokens }: StateCore): void {
  tokens.forEach((token, index) => {
    const inline = tokens[index + 2]
    if (token.type !== 'list_item_open' || tokens[index + 1]?.type !== 'paragraph_open' || !inline) return
    const found = box.exec(inline.content)
    if (found === null) return
    inline.content = inline.content.slice(found[0].length)
    inline.meta = { done: found[1] !== ' ' } satisfies Task
    token.attrSet('class', 'task')
  })
}

function addBoxes(state: StateCore): void {
  for (const { type, meta, children } of state.tokens) {
    if (type !== 'inline' || meta === null || children === null) continue
    const token = new state.Token('task', '', 0)
    token.meta = (meta as Task).done
    children.unshift(token)
  }
}
