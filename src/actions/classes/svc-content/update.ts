// SVC_Content.update: changes fields of an entry. A public entry changes at once.

import { Type } from 'typebox'
import { changeEntry } from '../../../content/write-entry.ts'
import { action } from '../../action.ts'
import { columnsFrom, fieldProperties } from './fields.ts'
import { writeOutput, wrote } from './item.ts'
import { idProperty } from './named.ts'
import { findingsIn, warningsOf } from './warnings.ts'
import { getWritable, writingOf } from './writing.ts'

export const update = action({
  class: 'SVC_Content',
  name: 'update',
  summary: 'Changes fields of an entry. A field that is left out stays, null clears it.',
  tier: 'content',
  effect: 'write',
  failures: ['not_found', 'exists', 'in_use', 'unprocessable'],
  touches: 'entries',
  revisioned: true,
  input: Type.Object({ id: idProperty, ...fieldProperties }, { additionalProperties: false }),
  output: writeOutput({}),
  examples: [
    { title: 'Another title', input: { id: '/about', title: 'About us' } },
    { title: 'Clear the excerpt', input: { id: '/hello', excerpt: null } },
  ],
  prepares: ['body'],
  prepare: (context, { body }) => findingsIn(context, body),
  async run(context, { id, ...input }, found) {
    const before = await getWritable(context, id)
    const columns = await columnsFrom(context, input, before)
    const written = await changeEntry(writingOf(context), before, columns)
    return wrote(context, written.row, written.changed, warningsOf(before.body, written, found))
  },
})
