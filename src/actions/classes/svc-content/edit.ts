// SVC_Content.edit: exact changes within an entry's texts, so that nobody has to send a whole body to change a word.

import { Type } from 'typebox'
import { shownDiff } from '../../../activity/diff.ts'
import { applyEdits, type Edit, editedFields } from '../../../content/edits.ts'
import { holdBody, holdText, holdTitle, maxExcerptChars } from '../../../content/entry-text.ts'
import { changeEntry } from '../../../content/write-entry.ts'
import { action } from '../../action.ts'
import { writeOutput, wrote } from './item.ts'
import { idProperty } from './named.ts'
import { removedFrom, warningsOf } from './warnings.ts'
import { getWritable, writingOf } from './writing.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))

/** One object for all forms: a choice of four would be told in worse words when it doesn't fit. */
const oneEdit = Type.Object(
  {
    find: Type.Optional(Type.String({ description: 'Exact text to be replaced; with `replace`.', minLength: 1 })),
    replace: text('What takes its place.'),
    expect: Type.Optional(
      Type.Integer({ description: 'How often `find` occurs; 1 unless given.', minimum: 1, maximum: 1_000_000 }),
    ),
    field: Type.Optional(Type.Enum([...editedFields], { description: 'Where to look; body unless given.' })),
    section: text('Id or title of a section to be rewritten; with `text`.'),
    text: text("The section's new text; without a heading of its own it keeps the old one."),
    append: text('Text to be put below the body, as a block of its own.'),
    prepend: text('Text to be put above the body.'),
  },
  { additionalProperties: false, description: 'One of {find, replace, expect, field}, {section, text}, {append}, {prepend}.' },
)

export const edit = action({
  class: 'SVC_Content',
  name: 'edit',
  summary: "Makes exact changes in an entry's texts: replace, rewrite a section, append, prepend.",
  tier: 'content',
  effect: 'write',
  revisioned: true,
  input: Type.Object(
    {
      id: idProperty,
      edits: Type.Array(oneEdit, { description: 'Made one after the other: all or none.', minItems: 1, maxItems: 50 }),
    },
    { additionalProperties: false },
  ),
  output: writeOutput({}),
  examples: [
    { title: 'Add a paragraph', input: { id: '/about', edits: [{ append: 'We are closed in August.' }] } },
    {
      title: 'Two changes at once',
      input: { id: '/hello', edits: [{ prepend: 'Opening soon.' }, { find: 'Opening soon', replace: 'Opening on Friday' }] },
    },
  ],
  prepares: ['edits'],
  // Of the new texts only: what the body had before was told when it was written.
  prepare: (context, { edits }) =>
    removedFrom(context, edits.map((one) => one.replace ?? one.text ?? one.append ?? one.prepend ?? '').join('\n\n')),
  async run(context, { id, edits }, removed) {
    const before = await getWritable(context, id)
    const known = context.change.records.length
    const { title, body, excerpt } = applyEdits(
      { title: before.title, body: before.body, excerpt: before.excerpt ?? '' },
      edits as readonly Edit[],
    )
    const written = await changeEntry(writingOf(context), before, {
      title: holdTitle(title),
      body: holdBody(body),
      excerpt: before.excerpt === null && excerpt === '' ? null : holdText(excerpt, 'excerpt', maxExcerptChars),
    })
    const diff = shownDiff(context.change.records.slice(known))
    return { ...wrote(context, written.row, written.changed, warningsOf(before.body, written, removed)), diff: [...diff] }
  },
})
