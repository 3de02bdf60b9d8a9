// The titles and ids of headings, the same on the rendered page and in the outline. The callers pass one heading at a time.

import { trimEndOf, trimStartOf } from '../../base/trim-text.ts'

/** The prefix of every id in a rendered text. Its hyphen prevents ids from shadowing properties of `window` (attack 95). */
export const headingIdPrefix = 'h-'

const maxSourceChars = 500
const maxIdChars = 80

/** The plain text of a heading's Markdown source: without markers, tags and link targets, with the text inside them. */
export function headingTitle(source: string): string {
  return source
    .slice(0, maxSourceChars)
    .replace(/!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g, '$1')
    .replace(/<((?:https?|mailto):[^<>\s]*)>/g, '$1')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/(\\[!-/:-@[-`{-~])|[*~`]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, (_all, escaped: string | undefined) =>
      escaped === undefined ? '' : escaped.slice(1),
    )
    .replace(/\s+/g, ' ')
    .trim()
}

/** Makes the ids of the headings of one text, in their order. A number makes a repeated id unique. */
export function createHeadingIds(): (title: string) => string {
  const next = new Map<string, number>()
  return (title) => {
    const base = slugOf(title)
    let id = base
    let number = next.get(base) ?? 1
    while (next.has(id)) id = `${base}-${++number}`
    next.set(base, number)
    if (id !== base) next.set(id, 1)
    return id
  }
}

function slugOf(title: string): string {
  const words = title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .slice(0, maxIdChars)
    .toWellFormed()
  const slug = trimEndOf(trimStartOf(words, '-'), '-\ufffd')
  return slug === '' ? 'section' : slug
}
