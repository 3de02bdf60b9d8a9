// The places of pastes that wait for their Markdown. They move with the text around them, so a paste lands where it was made,
// whatever is typed meanwhile. A small sign shows each of them.

import { StateEffect, StateField } from '@codemirror/state'
import { Decoration, EditorView, WidgetType } from '@codemirror/view'
import { make } from '../element.ts'
import { word } from '../words.ts'

/** The text that a paste replaces. */
export interface PastePlace {
  readonly id: number
  readonly from: number
  readonly to: number
}

export const openPlace = StateEffect.define<PastePlace>()
export const closePlace = StateEffect.define<number>()

class Sign extends WidgetType {
  override toDOM(): HTMLElement {
    return make('span', { class: 'pasting', role: 'img', 'aria-label': word('editor_pasting') }, '…')
  }

  override eq(): boolean {
    return true
  }
}

const sign = Decoration.widget({ widget: new Sign(), side: -1 })

export const pastePlaces = StateField.define<readonly PastePlace[]>({
  create: () => [],
  update(places, { changes, effects }) {
    // New text at the place stands behind the paste.
    let moved = changes.empty
      ? places
      : places.map(({ id, from, to }) => ({ id, from: changes.mapPos(from, -1), to: changes.mapPos(to, -1) }))
    for (const effect of effects) {
      if (effect.is(openPlace)) moved = [...moved, effect.value]
      if (effect.is(closePlace)) moved = moved.filter(({ id }) => id !== effect.value)
    }
    return moved
  },
  provide: (field) =>
    EditorView.decorations.from(field, (places) =>
      Decoration.set(
        places.map(({ from }) => sign.range(from)),
        true,
      ),
    ),
})
