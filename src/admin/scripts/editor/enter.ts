// The Enter key in the editor. At the end of a line that was typed, it breaks the line, as Markdown writes it: with a backslash. A
// second Enter takes the backslash away and begins a paragraph. Shift+Enter breaks a line anywhere. A list goes on in the next
// line.

import { Annotation, type EditorState, type Extension, StateField, type Transaction } from '@codemirror/state'
import { EditorView, type KeyBinding } from '@codemirror/view'
import { beginsBlock, isInTable, isRule, isProse, isVerbatim, prefixAt } from './place.ts'

/** The place of a backslash that a key has just written. */
const wroteBreak = Annotation.define<number>()

/** The places of all such backslashes that still end their lines. */
const writtenBreaks = StateField.define<readonly number[]>({
  create: () => [],
  update(places, transaction) {
    const written = transaction.annotation(wroteBreak)
    if (!transaction.docChanged) return places
    const { changes, newDoc } = transaction
    const all = places.flatMap((place) => (changes.touchesRange(place, place + 1) === 'cover' ? [] : [changes.mapPos(place, 1)]))
    return [...all, ...(written === undefined ? [] : [written])].filter(
      (place) => newDoc.sliceString(place, place + 2) === '\\\n',
    )
  },
})

interface Range {
  readonly from: number
  readonly to: number
}

/** The parts of the text that were typed since the page was opened. */
const typedText = StateField.define<readonly Range[]>({
  create: () => [],
  update: (ranges, transaction) => (transaction.docChanged ? withTyped(ranges, transaction) : ranges),
})

function withTyped(ranges: readonly Range[], transaction: Transaction): readonly Range[] {
  const { changes } = transaction
  const all = ranges.map(({ from, to }) => ({ from: changes.mapPos(from, 1), to: changes.mapPos(to, -1) }))
  if (transaction.isUserEvent('input.type'))
    changes.iterChangedRanges((_fromBefore, _toBefore, from, to) => void (to > from && all.push({ from, to })))
  const joined: Range[] = []
  for (const range of all.filter(({ from, to }) => from < to).sort((a, b) => a.from - b.from)) {
    const last = joined[joined.length - 1]
    if (last && range.from <= last.to) joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, range.to) }
    else joined.push(range)
  }
  return joined
}

const isTyped = (state: EditorState, place: number): boolean =>
  state.field(typedText).some(({ from, to }) => from < place && place <= to)

/** The caret, if nothing is selected. */
function caretOf({ selection }: EditorState): number | undefined {
  return selection.ranges.length === 1 && selection.main.empty ? selection.main.head : undefined
}

function breakAt(view: EditorView, from: number, to: number, prefix = ''): boolean {
  const insert = `\\\n${prefix}`
  const selection = { anchor: from + insert.length }
  const annotations = wroteBreak.of(from)
  view.dispatch({ changes: { from, to, insert }, selection, annotations, userEvent: 'input', scrollIntoView: true })
  return true
}

/** True for a line of one picture or one address, which become a figure or an embed. A backslash would end that. */
const isAlone = (line: string): boolean => /^\s*(?:!\[[^\]]*\]\([^)]*\)|https?:\/\/\S+)\s*$/.test(line)

/** Enter at the end of a typed line. */
function breakTyped(view: EditorView): boolean {
  const { state } = view
  const caret = caretOf(state)
  if (caret === undefined) return false
  const line = state.doc.lineAt(caret)
  if (line.text.trim() === '') return beginParagraph(view, line.from, line.to)
  const end = line.from + line.text.trimEnd().length
  if (caret < end || line.text.trimEnd().endsWith('\\') || isAlone(line.text)) return false
  return isTyped(state, end) && isProse(state, end) && breakAt(view, end, line.to)
}

/** Enter in the empty line after a break. */
function beginParagraph(view: EditorView, from: number, to: number): boolean {
  const written = from - 2
  if (!view.state.field(writtenBreaks).includes(written)) return false
  view.dispatch({
    changes: [
      { from: written, to: written + 1 },
      { from, to, insert: '\n' },
    ],
    selection: { anchor: from },
    userEvent: 'input',
    scrollIntoView: true,
  })
  return true
}

/** Shift+Enter. In code it is a new line, and in a table the break that fits into a row. */
function breakHere(view: EditorView): boolean {
  const { state } = view
  const { from, to } = state.selection.main
  const line = state.doc.lineAt(from)
  const before = line.text.slice(0, from - line.from)
  if (state.selection.ranges.length > 1 || before.trim() === '' || isVerbatim(state, from) || /^\s{0,3}#/.test(line.text))
    return false
  const mark = listMark.exec(line.text)?.[0]
  // A break behind the mark of an item would end the item.
  if (mark !== undefined && before.length <= mark.length) return true
  if (isInTable(state, from)) {
    view.dispatch({ changes: { from, to, insert: '<br>' }, selection: { anchor: from + 4 }, userEvent: 'input' })
    return true
  }
  return breakAt(view, line.from + before.trimEnd().length, to, prefixAt(state, from))
}

const listMark = /^(\s*)(?:([-*+])|(\d{1,6})([.)])|(>))(\s+)(\[[ xX]\]\s)?/

/** Continues a list or a quotation on the next line. An item without text ends the list, with an empty line. */
function continueList(view: EditorView): boolean {
  const { state } = view
  const caret = caretOf(state)
  if (caret === undefined || isVerbatim(state, caret)) return false
  const line = state.doc.lineAt(caret)
  const [all, indent = '', bullet, number, sign, quote, space = ' ', task] = listMark.exec(line.text) ?? []
  if (all === undefined || caret - line.from < all.length || isRule(line.text)) return false
  if (line.text.length === all.length) {
    const [before, after] = [emptyBetween(state, line.number - 1), emptyBetween(state, line.number + 1)]
    view.dispatch({
      changes: { from: line.from, to: line.to, insert: before + after },
      selection: { anchor: line.from + before.length },
      userEvent: 'input',
      scrollIntoView: true,
    })
    return true
  }
  const mark = bullet ?? quote ?? `${Number(number) + 1}${sign}`
  const text = `\n${indent}${mark}${space}${task === undefined ? '' : '[ ] '}`
  const selection = { anchor: caret + text.length }
  view.dispatch({ changes: { from: caret, insert: text }, selection, userEvent: 'input', scrollIntoView: true })
  return true
}

/**
 * Returns the line breaks between a line and its neighbour. Without an empty line, Markdown treats the text after a list as a part
 * of its last item.
 */
function emptyBetween({ doc }: EditorState, neighbour: number): string {
  const isThere = neighbour >= 1 && neighbour <= doc.lines
  return isThere && doc.line(neighbour).text.trim() !== '' ? '\n' : ''
}

/** The written breaks that no text follows. */
function idleBreaks(state: EditorState): readonly number[] {
  return state.field(writtenBreaks).filter((place) => {
    const { text } = state.doc.lineAt(place + 2)
    return text.trim() === '' || beginsBlock(text)
  })
}

/** Takes idle breaks away, unless the caret waits in the empty line behind one. */
const tidyBreaks = EditorView.updateListener.of(({ view, state, docChanged, selectionSet, focusChanged }) => {
  if (!(docChanged || selectionSet || focusChanged) || view.composing) return
  const caret = view.hasFocus ? caretOf(state) : undefined
  const waits = (place: number): boolean => {
    const { from, to, text } = state.doc.lineAt(place + 2)
    return text.trim() === '' && caret !== undefined && from <= caret && caret <= to
  }
  const changes = idleBreaks(state)
    .filter((place) => !waits(place))
    .map((place) => ({ from: place, to: place + 1 }))
  if (changes.length > 0) view.dispatch({ changes })
})

/** The text to save, without breaks that no text follows. */
export function textOf(state: EditorState): string {
  let text = state.doc.toString()
  const fromTheEnd = [...idleBreaks(state)].sort((a, b) => b - a)
  for (const place of fromTheEnd) text = text.slice(0, place) + text.slice(place + 1)
  return text
}

/** The key bindings and the state they need. @param breaksTyped false for people who write Markdown: Enter is then a new line */
export function enterKeys(breaksTyped: boolean): { readonly keys: readonly KeyBinding[]; readonly extension: Extension } {
  const keys: KeyBinding[] = [{ key: 'Enter', run: continueList, shift: breakHere }]
  if (breaksTyped) keys.push({ key: 'Enter', run: breakTyped })
  return { keys, extension: [writtenBreaks, typedText, tidyBreaks] }
}
