// The bar above a section: its kind, and buttons that change, move, copy and remove it.

import { type EditorView, WidgetType } from '@codemirror/view'
import { make, makeButton } from '../../element.ts'
import { word } from '../../words.ts'
import { type SectionStep, sectionSteps } from '../section-steps.ts'

/** @param at a place in the line that opens the section */
export type ChangeSection = (at: number, step: SectionStep) => void

/** The faces of the buttons; a step without one shows its name. */
const faces: Readonly<Partial<Record<SectionStep, string>>> = {
  editor_section_up: '↑',
  editor_section_down: '↓',
}

export class SectionBar extends WidgetType {
  readonly kind: string
  readonly change: ChangeSection

  constructor(kind: string, change: ChangeSection) {
    super()
    this.kind = kind
    this.change = change
  }

  override eq(other: SectionBar): boolean {
    return other.kind === this.kind
  }

  override toDOM(view: EditorView): HTMLElement {
    const buttons = sectionSteps.map((step) => {
      const face = faces[step]
      const attributes = { class: 'small', title: word(step), 'aria-label': face && word(step) }
      return makeButton(attributes, [face ?? word(step)], () => this.change(view.posAtDOM(box), step))
    })
    const box = make('span', { class: 'live-section-bar' }, make('strong', {}, this.kind), ...buttons)
    return box
  }
}
