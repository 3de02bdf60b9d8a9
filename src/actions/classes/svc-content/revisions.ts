// SVC_Content.revisions and revert: lists the revisions of an entry, and brings one back. All revisions are kept.

import { Type } from 'typebox'
import { shownValues } from '../../../content/custom-values.ts'
import { getEntry } from '../../../content/entry.ts'
import { rowOfSnapshot } from '../../../content/entry-item.ts'
import { withoutDeletedTerms } from '../../../content/terms.ts'
import { namesOfFields, revertedColumns } from '../../../content/field-lists.ts'
import { notFound } from '../../../failure.ts'
import { action } from '../../action.ts'
import { type ListInput, listAnswer, listOutput, listProperties, listRows, type ListSpec, onlyValues } from '../../list.ts'
import { columnsFrom } from './fields.ts'
import { writeOutput, wrote } from './item.ts'
import { idProperty, named } from './named.ts'
import { sideOf, stageProperty, writeSide } from './side.ts'
import { warningsOf } from './warnings.ts'
import { getWritable } from './writing.ts'

const revisionList: ListSpec<'entry_revision'> = {
  table: 'entry_revision',
  key: 'revision',
  fields: {
    revision: { column: 'revision', kind: 'number', sort: true },
    at: { column: 'at', kind: 'time', sort: true },
    by: { column: 'by_name', kind: 'text' },
    via: { column: 'door', kind: 'text' },
    action: { column: 'action', kind: 'text' },
  },
  sort: '-revision',
  search: ['by_name', 'action'],
}

/** An entry's revisions are in the index of the table's key, and in one by time. */
const ofEntry = { column: 'entry_id', kind: 'text', indexed: true, ordered: ['revision', 'at'] } as const

export const revisions = action({
  class: 'SVC_Content',
  name: 'revisions',
  title: 'List the revisions of an entry',
  summary: 'Lists the revisions of an entry.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  touches: 'nothing',
  input: Type.Object({ id: idProperty, ...listProperties(revisionList) }, { additionalProperties: false }),
  output: listOutput(
    Type.Object({
      revision: Type.Integer(),
      by: Type.String({ description: 'Who made the change.' }),
      via: Type.String({ description: 'The door through which the change came: mcp, api, admin, cli or system.' }),
      at: Type.String(),
      action: Type.String(),
      summary: Type.String({ description: 'What that action does.' }),
      staged: Type.Boolean({
        description: 'Whether the public did not see this revision when it was made, because its changes waited.',
      }),
    }),
  ),
  examples: [{ title: 'The last five revisions of a page', input: { id: '/about', limit: 5 } }],
  async run(context, { id, ...input }) {
    const { id: entryId } = await getEntry(context.db, named(context, id))
    const page = await listRows(context, revisionList, { ...input, id: entryId } as ListInput, {
      columns: ['revision', 'by_name', 'door', 'action', 'at', 'staged'],
      only: [onlyValues('entry_revision', ofEntry, [entryId])],
    })
    return listAnswer(context, page, (row) => ({
      revision: row.revision,
      by: row.by_name,
      via: row.door,
      at: new Date(row.at).toISOString(),
      action: row.action,
      summary: context.site.registry.find(row.action)?.summary ?? row.action,
      staged: row.staged === 1,
    }))
  },
})

/** The names of the fields that a revert restores. Address, status, dates, author, parent and position stay as they are. */
const reverted = namesOfFields(({ reverts }) => reverts).join(', ')

export const revert = action({
  class: 'SVC_Content',
  name: 'revert',
  title: 'Return [{title}|an entry] to an earlier revision',
  summary: `Gives an entry the ${reverted} of an earlier revision, as a new one.`,
  did: 'returned [{title}|an entry] to an earlier revision',
  object: { kind: 'entry', page: 'editEntry' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found', 'exists', 'in_use', 'unprocessable'],
  touches: 'entries',
  revisioned: true,
  input: Type.Object(
    {
      id: idProperty,
      revision: Type.Integer({
        description: 'Number of the revision, from SVC_Content.revisions.',
        minimum: 1,
        maximum: 2 ** 31 - 1,
      }),
      stage: stageProperty,
    },
    { additionalProperties: false },
  ),
  output: writeOutput({}),
  examples: [{ title: 'Restore the first revision', input: { id: '/about', revision: 1 } }],
  async run(context, { id, revision, stage }) {
    const side = await sideOf(context, await getWritable(context, id), stage)
    const kept = await context.db
      .selectFrom('entry_revision')
      .select('snapshot')
      .where('entry_id', '=', side.entry.id)
      .where('revision', '=', revision)
      .executeTakeFirst()
    if (!kept) throw notFound('revision', String(revision), 'SVC_Content.revisions lists them.')
    const then = rowOfSnapshot(kept.snapshot)
    const terms = await withoutDeletedTerms(context.db, then.terms)
    const columns = Object.fromEntries(revertedColumns.map((column) => [column, { ...then, terms }[column]]))
    // The type may have changed since, so the values of fields are checked as if a caller sent them.
    const fields = shownValues(then.fields, context.site.types.current.of(side.row.type))
    const patch = { ...columns, ...(await columnsFrom(context, { fields }, side.row)) }
    const written = await writeSide(context, side, patch)
    return wrote(context, written.row, written.changed, await warningsOf(context, side.row.body, written), written.staged)
  },
})
