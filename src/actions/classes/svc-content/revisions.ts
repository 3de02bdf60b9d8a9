// SVC_Content.revisions and revert: list the revisions of an entry, and restore one. All revisions are stored.

import { Type } from 'typebox'
import { shownValues } from '../../../content/custom-values.ts'
import { getEntry } from '../../../content/entry.ts'
import { rowOfSnapshot } from '../../../content/entry-item.ts'
import { withoutDeletedTerms } from '../../../content/terms.ts'
import { namesOfFields, revertedColumns } from '../../../content/field-lists.ts'
import { action } from '../../action.ts'
import { listAnswer, listOutput } from '../../list.ts'
import {
  getSnapshot,
  listRevisions,
  revisionColumns,
  revisionListProperties,
  revisionNumber,
  revisionProperties,
  toRevision,
} from '../revision-list.ts'
import { columnsFrom } from './fields.ts'
import { writeOutput, wrote } from './item.ts'
import { idProperty, named } from './named.ts'
import { sideOf, stageProperty, writeSide } from './side.ts'
import { warningsOf } from './warnings.ts'
import { getWritable } from './writing.ts'
import { closed } from '../../../schema.ts'

export const revisions = action('SVC_Content.revisions', {
  title: 'List the revisions of an entry',
  summary: 'Lists the revisions of an entry.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  touches: 'nothing',
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
    const { id: entryId } = await getEntry(context.db, named(context, id))
    const page = await listRevisions(context, 'entry_revision', [...revisionColumns, 'staged'], entryId, input)
    return listAnswer(context, page, (row) => ({
      ...toRevision(row),
      summary: context.site.registry.find(row.action)?.summary ?? row.action,
      staged: row.staged === 1,
    }))
  },
})

/** The fields that a revert restores. Address, status, dates, author, parent and position stay as they are. */
const reverted = namesOfFields(({ reverts }) => reverts).join(', ')

export const revert = action('SVC_Content.revert', {
  title: 'Return [{title}|an entry] to an earlier revision',
  summary: `Gives an entry the ${reverted} of an earlier revision, as a new one.`,
  did: 'returned [{title}|an entry] to an earlier revision',
  object: { kind: 'entry', page: 'editEntry' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found', 'exists', 'in_use', 'unprocessable'],
  touches: 'entries',
  revisioned: true,
  input: closed({
    id: idProperty,
    revision: revisionNumber('Number of the revision, from SVC_Content.revisions.'),
    stage: stageProperty,
  }),
  output: writeOutput({}),
  examples: [{ title: 'Restore the first revision', input: { id: '/about', revision: 1 } }],
  async run(context, { id, revision, stage }) {
    const side = await sideOf(context, await getWritable(context, id), stage)
    const then = rowOfSnapshot(await getSnapshot(context.db, 'entry_revision', side.entry.id, revision))
    const terms = await withoutDeletedTerms(context.db, then.terms)
    const columns = Object.fromEntries(revertedColumns.map((column) => [column, { ...then, terms }[column]]))
    // The type may have changed since, so the values of fields are checked like a caller's input.
    const fields = shownValues(then.fields, context.site.types.current.of(side.row.type))
    const patch = { ...columns, ...(await columnsFrom(context, { fields }, side.row)) }
    const written = await writeSide(context, side, patch)
    return wrote(context, written.row, written.changed, await warningsOf(context, side.row.body, written), written.staged)
  },
})
