// SVC_Content.update-many: sets the same fields of several entries, all or none.

import { Type } from 'typebox'
import { action } from '../../action.ts'
import { checkExpected, expectProperty } from '../../expect.ts'
import { doneOutput } from '../../write-answer.ts'
import { checkChosen, checkMany, chosenProperties, listChosen, readEntries } from './chosen.ts'
import { columnsFrom, fieldProperties } from './fields.ts'
import { sideOf, writeSide } from './side.ts'
import { findingsIn } from './warnings.ts'

const maxEntries = 1000

/** The fields to set. A field that is more than a column of the entry, such as its terms, is added here. */
const setProperties = { ...fieldProperties }

export const updateMany = action({
  class: 'SVC_Content',
  name: 'update-many',
  summary: 'Sets the same fields of several entries, chosen by `ids` or `where`. All change, or none.',
  tier: 'content',
  effect: 'write',
  failures: ['not_found', 'conflict', 'exists', 'in_use', 'unprocessable'],
  touches: 'entries',
  input: Type.Object(
    {
      ...chosenProperties,
      set: Type.Object(setProperties, {
        additionalProperties: false,
        minProperties: 1,
        description: 'Fields as in `update`. Where edits of published entries wait, these wait too.',
      }),
      expect: expectProperty('entries'),
    },
    { additionalProperties: false },
  ),
  output: doneOutput,
  examples: [
    { title: 'All drafts get a language', input: { where: { status: 'draft', locale: 'xx' }, set: { locale: 'de' }, expect: 0 } },
    { title: 'Two entries get an excerpt', input: { ids: ['/about', '/hello'], set: { excerpt: 'In short.' }, expect: 2 } },
  ],
  prepares: ['set'],
  async prepare(context, { set }) {
    await findingsIn(context, set.body)
  },
  async run(context, { ids, where, set, expect }) {
    checkChosen({ ids, where })
    const chosen = await listChosen(context, { ids, where }, maxEntries)
    checkMany(chosen.length, maxEntries)
    checkExpected(chosen.length, expect, 'entries')
    const done: string[] = []
    const unchanged: string[] = []
    for await (const rows of readEntries(
      context,
      chosen.map(({ id }) => id),
    ))
      for (const row of rows) {
        const side = await sideOf(context, row, undefined)
        const { changed } = await writeSide(context, side, await columnsFrom(context, set, side.row))
        if (changed.length > 0) done.push(row.id)
        else unchanged.push(row.id)
      }
    return { done, unchanged, warnings: [], activity_id: null }
  },
})
