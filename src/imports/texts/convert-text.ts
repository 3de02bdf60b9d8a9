// The texts of imported entries as Markdown of this site. Both functions are pure, take time that grows with the length of the
// text, and run nothing that a text holds (attack 163).

import type { Node } from '../../content/from-html/tree.ts'
import type { ConvertedText, ImportText, TextAnswers, TextReferences } from '../text.ts'
import { writeTree } from './convert-html.ts'
import { convertMarkdown } from './markdown/convert-markdown.ts'
import { readGhost } from './ghost/read-ghost.ts'
import { readTree, withoutMarkers } from './read-tree.ts'
import { TextState } from './text-state.ts'
import { readWordPress } from './wordpress/read-wordpress.ts'

const noAnswers: TextAnswers = {
  title: '',
  addresses: new Map(),
  files: new Map(),
  ownFiles: [],
  entries: new Map(),
  footnotes: new Map(),
}

/**
 * Returns the references of a text, for which `convertText` wants answers.
 * A text of another entry that stands in this one has references of its own.
 */
export function referencesIn(text: ImportText): TextReferences {
  const state = stateFor(text, noAnswers)
  convert(text, state, true)
  return state.references()
}

/** Converts a text. It never throws, whatever the text holds. */
export const convertText = (text: ImportText, answers: TextAnswers): ConvertedText =>
  convert(text, stateFor(text, answers), false)

const stateFor = (text: ImportText, answers: TextAnswers): TextState =>
  new TextState(answers, text.format === 'ghost' ? '__GHOST_URL__' : undefined)

function convert(text: ImportText, state: TextState, isOnlyAsked: boolean): ConvertedText {
  if (text.format === 'markdown') return convertMarkdown(text, state)
  return writeTree(readers[text.format](text.source, state), state, isOnlyAsked)
}

type HtmlReader = (source: string, state: TextState) => readonly Node[]

const readers: Readonly<Record<Exclude<ImportText['format'], 'markdown'>, HtmlReader>> = {
  html: (source, state) => readTree(withoutMarkers(source), state),
  wordpress: readWordPress,
  ghost: readGhost,
}
