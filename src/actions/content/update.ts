// SVC_Content.update: changes fields of an entry. A public entry changes at once, unless the change is staged.

import { action } from '../call/action.ts'
import { combineFields } from '../call/combine.ts'
import { columnsFrom, fieldProperties } from './fields.ts'
import { writeOutput, wrote } from './item.ts'
import { idProperty } from './named.ts'
import { findingsIn, warningsOf } from './warnings.ts'
import { sideOf, stageProperty, writeSide } from './side.ts'
import { getWritable, entryWrite } from './writing.ts'
import { closed } from '../../base/schema.ts'

export const update = action('SVC_Content.update', {
  title: 'Change [{title}|an entry]',
  summary: 'Changes fields of an entry. A field that is left out stays, null clears it.',
  did: 'changed [{title}|an entry]',
  ...entryWrite,
  effect: 'write',
  failures: ['not_found', 'exists', 'in_use', 'unprocessable'],
  revisioned: true,
  combine: combineFields,
  input: closed({ id: idProperty, ...fieldProperties, stage: stageProperty }),
  output: writeOutput({}),
  examples: [
    { title: 'Another title', input: { id: '/about', title: 'About us' } },
    { title: 'Clear the excerpt', input: { id: '/hello', excerpt: null } },
    { title: 'A title that waits for publish', input: { id: '/about', title: 'About our shop', stage: true } },
  ],
  prepares: ['body'],
  prepare: (context, { body }) => findingsIn(context, body),
  async run(context, { id, stage, ...input }, found) {
    const side = await sideOf(context, await getWritable(context, id), stage)
    const columns = await columnsFrom(context, input, side.row)
    const written = await writeSide(context, side, columns)
    return wrote(context, written.row, written.changed, await warningsOf(context, side.row.body, written, found), written.staged)
  },
})
