// Lines that stay whole: those that open and close a section, and a picture alone in its line. Words that are typed beside one
// begin a line of their own, and no key joins one with its neighbour. Backspace after a picture removes the picture.

import { type EditorState, type Extension, type Line, Prec } from '@codemirror/state'
import { EditorView, type KeyBinding, keymap } from '@codemirror/view'
import { sectionEdges } from './section-places.ts'

/** A picture with its address, which may stand in angle brackets, and its caption. */
const pictureText = String.raw`!\[(?:[^\]\\]|\\.)*\]\((?:<[^<>]*>|[^()\s<>"]*)(?:\s+"(?:[^"\\]|\\.)*")?\s*\)`
const pictureLine = new RegExp(`^${pictureText}$`)
const pictureWithEnd = new RegExp(String.raw`^\s*${pictureText}(?:\{[^{}]*\})?\s*$`)

type Whole = 'open' | 'close' | 'picture'

function wholeAt({ doc }: EditorState, line: Line): Whole | undefined {
  if (pictureLine.test(line.text)) return 'picture'
  return line.text.startsWith(':::') ? sectionEdges(doc).get(line.number)?.side : undefined
}

/** The breaks between such a line and words before or after it. Within a section, the words are its own. */
const breaks: Readonly<Record<Whole, { readonly before: string; readonly after: string }>> = {
  open: { before: '\n\n', after: '\n' },
  close: { before: '\n', after: '\n\n' },
  picture: { before: '\n\n', after: '\n\n' },
}

/** Words in an empty line next to a picture begin a paragraph: without an empty line they would belong to its own. */
function typedBetween(view: EditorView, line: Line, from: number, text: string): boolean {
  const { doc } = view.state
  const isPicture = (number: number): boolean => number >= 1 && number <= doc.lines && pictureWithEnd.test(doc.line(number).text)
  const before = isPicture(line.number - 1) ? '\n' : ''
  const after = isPicture(line.number + 1) ? '\n' : ''
  if (text.trim() === '' || before + after === '') return false
  const insert = before + text + after
  const anchor = from + before.length + text.length
  view.dispatch({ changes: { from, insert }, selection: { anchor }, userEvent: 'input.type', scrollIntoView: true })
  return true
}

const typedBeside = EditorView.inputHandler.of((view, from, to, text) => {
  const { state } = view
  if (from !== to) return false
  const line = state.doc.lineAt(from)
  if (line.text.trim() === '') return typedBetween(view, line, from, text)
  const whole = wholeAt(state, line) ?? (from === line.to && pictureWithEnd.test(line.text) ? 'picture' : undefined)
  if (!whole || (from !== line.from && from !== line.to)) return false
  // An attribute of a picture, such as `{.wide}`, belongs to its line.
  if (whole === 'picture' && from === line.to && text.startsWith('{')) return false
  const { before, after } = breaks[whole]
  const insert = from === line.to ? after + text : text + before
  const anchor = from === line.to ? from + insert.length : from + text.length
  view.dispatch({ changes: { from, insert }, selection: { anchor }, userEvent: 'input.type', scrollIntoView: true })
  return true
})

/** The line beside another, and the place in it that is nearer. */
interface Side {
  readonly line: Line
  readonly near: number
}

function beside({ doc }: EditorState, { number }: Line, by: 1 | -1): Side | undefined {
  if (number + by < 1 || number + by > doc.lines) return undefined
  const line = doc.line(number + by)
  return { line, near: by < 0 ? line.to : line.from }
}

/** Into a section the caret goes on, so that a key that is held down never leaves it. */
const inward = { [-1]: 'close', 1: 'open' } as const

/** Deletes over the border of such a line in no other way than whole. @param by -1 for Backspace, 1 for Delete */
const keepWhole =
  (by: 1 | -1) =>
  (view: EditorView): boolean => {
    const { state } = view
    const { empty, head } = state.selection.main
    if (!empty || state.selection.ranges.length > 1) return false
    const line = state.doc.lineAt(head)
    const goTo = (anchor: number | undefined): boolean => {
      if (anchor !== undefined) view.dispatch({ selection: { anchor }, scrollIntoView: true })
      return true
    }
    const [first, last] = by < 0 ? [line.from, line.to] : [line.to, line.from]
    const next = beside(state, line, by)
    const whole = wholeAt(state, line)
    if (whole === 'picture' && head === last) {
      view.dispatch({ changes: { from: line.from, to: line.to }, userEvent: 'delete', scrollIntoView: true })
      return true
    }
    if (whole && whole !== 'picture' && head === last) return goTo(whole === inward[by] ? next?.near : undefined)
    if (head !== first || !next) return false
    if (whole) return next.line.length > 0 && goTo(next.near)
    const other = line.length > 0 ? wholeAt(state, next.line) : undefined
    if (other === 'picture') return goTo(next.near)
    return other !== undefined && goTo(other === inward[by] ? beside(state, next.line, by)?.near : undefined)
  }

const keys: readonly KeyBinding[] = [
  { key: 'Backspace', run: keepWhole(-1) },
  { key: 'Delete', run: keepWhole(1) },
]

export const wholeLines: Extension = [typedBeside, Prec.high(keymap.of(keys))]
