// The words of the search panel, which CodeMirror has in English.

import { EditorState, type Extension } from '@codemirror/state'
import { word } from '../words.ts'

const phrases: Readonly<Record<string, string>> = {
  Find: 'editor_find_words',
  Replace: 'editor_replace_words',
  next: 'editor_find_next',
  previous: 'editor_find_previous',
  all: 'editor_find_all',
  'match case': 'editor_find_case',
  regexp: 'editor_find_pattern',
  'by word': 'editor_find_word',
  replace: 'editor_replace',
  'replace all': 'editor_replace_all',
  close: 'editor_find_close',
}

/** The words in the language of the page. */
export const searchPhrases = (): Extension =>
  EditorState.phrases.of(Object.fromEntries(Object.entries(phrases).map(([phrase, name]) => [phrase, word(name)])))
