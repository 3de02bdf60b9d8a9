// A drawing of the visible text: decorations that are collected for it, and the questions that decide them.

import type { EditorState, Range } from '@codemirror/state'
import { Decoration, type EditorView, type WidgetType } from '@codemirror/view'
import type { ChangePicture } from './picture.ts'
import type { ChangeSection } from './section-bar.ts'

/** A part of the text. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The facts that the live view needs. */
export interface LiveOptions {
  /** The path of the site, empty at the root. */
  readonly base: string
  readonly changeSection: ChangeSection
  readonly changePicture: ChangePicture
}

const hidden = Decoration.replace({})

/** The decorations of one stretch of the text, in any order. */
export class Drawing {
  readonly ranges: Range<Decoration>[] = []
  /** The parts that the caret does not enter. */
  readonly closed: Range<Decoration>[] = []
  readonly state: EditorState
  /** The stretch that is visible. */
  readonly part: Span
  readonly options: LiveOptions
  /** False while the editor has no focus: then all marks are hidden. */
  readonly hasCaret: boolean

  constructor({ state, hasFocus }: EditorView, part: Span, options: LiveOptions) {
    this.state = state
    this.hasCaret = hasFocus
    this.part = part
    this.options = options
  }

  /** True if the caret or the selection touches this part of the text, so that its marks are shown. */
  touches({ from, to }: Span): boolean {
    return this.hasCaret && this.state.selection.ranges.some((range) => range.from <= to && range.to >= from)
  }

  /** True if the caret is within this part of the text, or a selection ends there. */
  ends({ from, to }: Span): boolean {
    const isWithin = (place: number): boolean => place > from && place < to
    return this.hasCaret && this.state.selection.ranges.some(({ anchor, head }) => isWithin(anchor) || isWithin(head))
  }

  touchesLine(place: number): boolean {
    return this.touches(this.state.doc.lineAt(place))
  }

  text({ from, to }: Span): string {
    return this.state.doc.sliceString(from, to)
  }

  hide(from: number, to: number): void {
    if (from < to) this.ranges.push(hidden.range(from, to))
  }

  /** Hides a mark with the spaces after it. */
  hideWithSpaces({ from, to }: Span): void {
    const line = this.state.doc.lineAt(from)
    const rest = line.text.slice(to - line.from)
    this.hide(from, to + rest.length - rest.trimStart().length)
  }

  style({ from, to }: Span, name: string): void {
    if (from < to) this.ranges.push(Decoration.mark({ class: name }).range(from, to))
  }

  /** Gives each visible line of a span a class. */
  lines({ from, to }: Span, name: string): void {
    const { doc } = this.state
    const last = Math.min(to, this.part.to)
    for (let at = Math.max(from, this.part.from); at <= last;) {
      const line = doc.lineAt(at)
      this.ranges.push(Decoration.line({ class: name }).range(line.from))
      at = line.to + 1
    }
  }

  /** Shows a widget in place of a part of one line. */
  replace({ from, to }: Span, widget: WidgetType): void {
    this.ranges.push(Decoration.replace({ widget }).range(from, to))
  }

  /** Shows a widget in place of a part of one line that the caret does not enter. */
  close({ from, to }: Span, widget: WidgetType): void {
    this.replace({ from, to }, widget)
    this.closed.push(hidden.range(from, to))
  }

  /** Shows a widget after a part of the text. */
  add(at: number, widget: WidgetType): void {
    this.ranges.push(Decoration.widget({ widget, side: 1 }).range(at))
  }
}
