// SVC_Content.sections: the kinds of sections that a text can have, from the table of kinds.

import { Type } from 'typebox'
import { type SectionKind, sectionKinds } from '../../content/sections/kinds.ts'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'

const strings = Type.Array(Type.String())

export const sections = action('SVC_Content.sections', {
  title: 'Show the kinds of sections',
  summary: 'Lists the sections that a page can be built of, in its Markdown: attributes and an example of each.',
  tier: 'any',
  effect: 'read',
  input: closed({}),
  output: Type.Object({
    syntax: Type.String(),
    items: Type.Array(
      Type.Object({
        kind: Type.String(),
        title: Type.String(),
        about: Type.String(),
        attributes: Type.Record(Type.String(), Type.String()),
        within: Type.Optional(strings),
        example: Type.String(),
      }),
    ),
  }),
  examples: [{ title: 'Before a page is built of sections', input: {} }],
  run: () => ({
    syntax:
      'A line `::: kind {name="value"}` at its start opens a section, and a line `:::` closes it. Between them stands Markdown, or sections of the kind that it takes.',
    items: Object.entries(sectionKinds as Readonly<Record<string, SectionKind>>).map(
      ([kind, { title, about, attributes, within, example }]) => ({
        kind,
        title,
        about,
        attributes: wordsOf(attributes),
        ...(within && { within: [...within] }),
        example,
      }),
    ),
  }),
})

/** The attributes, each with a sentence and the values that it takes. */
const wordsOf = (attributes: SectionKind['attributes']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, { about, choices, from, to, required }]) => {
      const values = choices ? ` ${choices.join(' or ')}.` : from === undefined ? '' : ` ${from} to ${to}.`
      return [name, `${about}${values}${required ? ' Required.' : ''}`]
    }),
  )
