// What a heading is called and addressed by, told the same by the rendered page and by the outline. Where headings
// stand is their business; this file sees one heading's source at a time.

import { trimEndOf, trimStartOf } from '../trim-text.ts'

/** Stands before every id in rendered text: no name in a document's or window's interface has a hyphen (ATTACKS 95). */
export const headingIdPrefix = 'h-'

const maxSourceChars = 500
const maxIdChars = 80

/** A heading's Markdown source as plain words: markers, tags and targets of links away, what they enclose kept. */
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

/** Names headings in the order they are given; a name that is taken gets a number. One for each text. */
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
