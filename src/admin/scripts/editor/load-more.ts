// Loads the dialogs of the editor when one is opened for the first time, so that whoever only types does not wait for them.

import type { EditorView } from '@codemirror/view'
import { wordsText } from '../words.ts'
import type { AskedValue } from './ask-dialog.ts'
import type { PickerEnds } from './picture-picker.ts'
import type { PlacedPicture } from './live/written-picture.ts'
import type { SectionStep } from './section-steps.ts'
import { shareModules } from './shared-modules.ts'

/** The tools of `editor-more.ts`. */
export interface MoreTools {
  ask(entry: HTMLFormElement, title: string, fields: readonly AskedValue[], done: (values: readonly string[]) => void): void
  openFind(view: EditorView): void
  askForLink(view: EditorView, entry: HTMLFormElement): void
  /** Lets a person choose pictures of the library, or upload some. */
  pickPictures(entry: HTMLElement, ends: PickerEnds): void
  /** Opens the form for a picture of the text. */
  changePicture(view: EditorView, entry: HTMLFormElement, picture: PlacedPicture): void
  /** @param toggle the button that opened the preview */
  openPreview(entry: HTMLFormElement, toggle: HTMLButtonElement, view: EditorView | undefined): void
  /** @param kind of the section; undefined shows the kinds */
  chooseSection(view: EditorView, entry: HTMLFormElement, kind?: string): Promise<void>
  /** @param at a place in the line that opens the section */
  changeSection(view: EditorView, entry: HTMLFormElement, at: number, step: SectionStep): void
}

/** The event with which the script says that it is there. */
export const moreEvent = 'editor-more'

let loading: Promise<MoreTools> | undefined

/** @throws an Event without a connection */
export function loadMore(entry: HTMLFormElement): Promise<MoreTools> {
  return (loading ??= new Promise((resolve, reject) => {
    shareModules()
    const script = document.createElement('script')
    script.integrity = entry.dataset['moreIntegrity'] ?? ''
    script.dataset['words'] = wordsText
    script.addEventListener('error', (event) => {
      loading = undefined
      reject(event)
    })
    document.addEventListener(moreEvent, (event) => resolve((event as CustomEvent<MoreTools>).detail), { once: true })
    script.src = entry.dataset['more'] ?? ''
    document.head.append(script)
  }))
}
