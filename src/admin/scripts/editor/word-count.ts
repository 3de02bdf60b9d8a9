// The number of words of the text, below it.

import type { EditorView } from '@codemirror/view'
import { make } from '../element.ts'
import { word } from '../words.ts'

const restMs = 600
/** The most characters that are counted at once. */
const sliceChars = 100_000

/** Addresses, and the lines that open and close sections, have no words of the text. */
const noWords = /^:{3,}.*$|(?<=\])\([^()\n]*\)/gm

const countIn = (text: string): number => text.replace(noWords, '').match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)?.length ?? 0

/** Shows the number of words, once nobody has typed for a moment. @param field receives the changes of the text */
export function countWords(view: EditorView, field: HTMLTextAreaElement): void {
  const shown = make('p', { class: 'help word-count' })
  view.dom.after(shown)
  let timer: ReturnType<typeof setTimeout> | undefined
  const count = (text: string, from: number, before: number): void => {
    const words = before + countIn(text.slice(from, from + sliceChars))
    if (from + sliceChars < text.length) timer = setTimeout(() => count(text, from + sliceChars, words))
    else shown.textContent = word(words === 1 ? 'editor_word' : 'editor_words', { count: words })
  }
  field.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => count(field.value, 0, 0), restMs)
  })
  count(field.value, 0, 0)
}
