// SVC_Content.revisions: lists the revisions of an entry. All revisions are stored.

import { Type } from 'typebox'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { listAnswer, listOutput } from '../lists/list.ts'
import {
  listRevisions,
  revisionColumns,
  revisionListProperties,
  revisionProperties,
  toRevision,
} from '../shared/revision-list.ts'
import { findRevisionMakers } from '../shared/revision-makers.ts'
import { idProperty, getNamed } from './named.ts'

export const revisions = action('SVC_Content.revisions', {
  title: 'List the revisions of an entry',
  summary: 'Lists the revisions of an entry.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  input: closed({ id: idProperty, ...revisionListProperties }),
  output: listOutput(
    Type.Object({
      ...revisionProperties,
      summary: Type.String({ description: 'What that action does.' }),
      staged: Type.Boolean({
        description: 'Whether the public did not see this revision when it was made, because its changes waited.',
      }),
    }),
  ),
  examples: [{ title: 'The last five revisions of a page', input: { id: '/about', limit: 5 } }],
  async run(context, { id, ...input }) {
    const { id: entryId } = await getNamed(context, id)
    const page = await listRevisions(context, 'entry_revision', [...revisionColumns, 'staged'], entryId, input)
    const makerOf = await findRevisionMakers(context, entryId, page.rows)
    return listAnswer(context, page, (row) => ({
      ...toRevision(row, makerOf(row)),
      summary: context.site.registry.find(row.action)?.summary ?? row.action,
      staged: row.staged === 1,
    }))
  },
})
