// A section as a card: a bar with its kind, its fields, and buttons that change, move, copy and remove it; and its last line.

import { type EditorView, WidgetType } from '@codemirror/view'
import { make, makeButton } from '../../element.ts'
import { word } from '../../words.ts'
import { drawn } from '../icons.ts'
import { readValues } from '../section-attributes.ts'
import { sectionItems, type SectionStep, sectionSteps } from '../section-steps.ts'
import type { LiveOptions } from './drawing.ts'
import { isOwnMedia } from './written-picture.ts'

/** @param at a place in the line that opens the section */
export type ChangeSection = (at: number, step: SectionStep) => void

/** The icons of the buttons. A phone shows them in place of the names, so that a bar is one row. */
const stepIcons: Readonly<Partial<Record<SectionStep, string>>> = {
  editor_section_edit: 'edit',
  editor_section_copy: 'copy',
  editor_section_remove: 'bin',
}

/** The signs of buttons that show no name on any screen. */
const signs: Readonly<Partial<Record<SectionStep, string>>> = {
  editor_section_up: '↑',
  editor_section_down: '↓',
}

/** Fields that a bar has no words for: they say where things stand. */
const silent: ReadonlySet<string> = new Set(['image', 'alt', 'align', 'side', 'columns'])

/** The name of a kind for people; undefined for a kind that does not exist. */
export function kindName(kind: string): string | undefined {
  const key = `sections.${kind}`
  const name = word(key)
  return name === key ? undefined : name
}

export class SectionBar extends WidgetType {
  readonly kind: string
  readonly attributes: string
  readonly options: LiveOptions

  constructor(kind: string, attributes: string, options: LiveOptions) {
    super()
    this.kind = kind
    this.attributes = attributes
    this.options = options
  }

  override eq(other: SectionBar): boolean {
    return other.kind === this.kind && other.attributes === this.attributes
  }

  override toDOM(view: EditorView): HTMLElement {
    const item = sectionItems[this.kind]
    const kind = kindName(this.kind) ?? this.kind
    const button = (step: SectionStep, name: string, sign = signs[step]): HTMLButtonElement => {
      const icon = stepIcons[step]
      const face = icon === undefined ? [sign ?? name] : [drawn(icon), make('span', {}, name)]
      const run = (): void => this.options.changeSection(view.posAtDOM(box), step)
      // A text may have ten buttons with the same word.
      return makeButton({ class: icon ? 'small with-icon' : 'small', title: name, 'aria-label': `${name}: ${kind}` }, face, run)
    }
    const buttons = sectionSteps.flatMap((step) => {
      if (step !== 'editor_section_add') return [button(step, word(step))]
      const name = item && kindName(item)
      return name ? [button(step, word('editor_section_add_title', { name }), word(step, { name }))] : []
    })
    const box = make('span', { class: 'live-section-bar' }, make('strong', {}, kind), ...this.fields(), ...buttons)
    return box
  }

  private fields(): readonly HTMLElement[] {
    const values = readValues(this.attributes)
    const image = values.get('image') ?? ''
    const words = [...values].filter(([name, value]) => !silent.has(name) && value !== '').map(([, value]) => value)
    const picture = make('img', { alt: values.get('alt') ?? '', class: 'live-section-picture' })
    if (isOwnMedia(image)) picture.src = new URL(this.options.base + image, location.origin).href
    return [...(isOwnMedia(image) ? [picture] : []), make('span', { class: 'live-section-fields' }, words.join(' · '))]
  }
}

/** The line at the end of a section. */
class SectionEnd extends WidgetType {
  override eq(): boolean {
    return true
  }

  override toDOM(): HTMLElement {
    return make('span', { class: 'live-section-foot', 'aria-hidden': 'true' })
  }

  override ignoreEvent(): boolean {
    return false
  }
}

export const sectionEnd = new SectionEnd()
